/**
 * The interface of the sandbox. A provider starts guest processes of one kind, the pool
 * (host/pool.ts) keeps them warm and assigns jobs to them, and the worker sees only `Sandbox`.
 *
 * The isolation boundary is (workspace, app, commit): a process that ran code of one key never runs code of another.
 */

import type { CancelCall } from '#core/job/cancel-call.ts'
import type { LogStream } from '#core/job/log-stream.ts'
import type { Progress } from '#core/job/progress-note.ts'
import type { StartCall } from '#core/job/start-call.ts'
import type { TriggerKind } from '#core/job/trigger-kind.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { IsolationLevel } from '#core/placement/isolation-level.ts'
import type { DurableAccess, Suspension } from './durable-access.ts'
import type { EgressTotals } from './egress/traffic.ts'
import type { FlowContext, TriggerFacts } from './protocol/messages.ts'
import type { StateAccess } from './state-access.ts'

export type ProbeResult = Readonly<{
  ok: boolean
  level: IsolationLevel
  /** Sentences for the operator: what was probed, what is missing, and the remedy. */
  notes: readonly string[]
}>

export type SandboxRun = Readonly<{
  /** The reuse boundary: runs with equal keys may share a process, one after another. */
  key: Readonly<{ ws: string; app: string; commit: string }>
  job: Readonly<{ id: string; action: string; attempt: number }>
  /** Whether the process serves only this job and then ends (`isolation: fresh`). */
  fresh: boolean
  entrypoint: string
  bundleHash: string
  /** Loads the bundled code. Called only if the process has not loaded this hash yet. */
  loadCode: () => Promise<Readonly<{ code: string; sourceMap: string }>>
  /** JSON text, sent to the guest unparsed. */
  inputJson: string
  trigger: Readonly<{ kind: TriggerKind }> & TriggerFacts
  variables: Readonly<Record<string, string>>
  resources: Readonly<Record<string, JsonValue>>
  /** @default empty: the job belongs to no flow */
  flow?: FlowContext
  /** The trace of the job, in the format of the traceparent header. @default none */
  traceparent?: string | null
  limits: SandboxLimits
}>

export type SandboxLimits = Readonly<{
  timeoutMs: number
  /** How long a canceled job has to end on its own, in milliseconds. @default 0: it is killed at once */
  cancelGraceMs?: number
  /** Processor time of all threads together. @default 1.5 times `timeoutMs` */
  processorMs?: number
  memoryMb: number
  resultBytes: number
  logBytes: number
  /** Null allows any public address, and an empty list allows none. */
  network: readonly string[] | null
  /** Private destinations that are open if `network` lists them too. @default none */
  granted?: readonly string[]
}>

export type SandboxCallbacks = Readonly<{
  /** Aborted when the job is canceled: it then has `cancelGraceMs` to end, and its outcome is `aborted`. */
  canceled?: AbortSignal
  /** Output of the job, in order: console, ctx.log, raw stdout and stderr. Already limited to `logBytes`. */
  onLog: (text: string, stream: LogStream) => void
  /** Parts of a response before its end. The guest waits until the promise settles. */
  onPart?: (text: string) => Promise<void>
  /** The progress of the job. @default ignored */
  onProgress?: (progress: Progress) => void
  state: StateAccess
  /** Links for the approval step that comes next. @throws {AppError} there is no such step */
  getResumeUrls: (approver: string) => Promise<JsonValue>
  /** Starts a job or a flow run, or sends an event. @returns its id @throws {AppError} it was refused */
  start: (call: StartCall) => Promise<string>
  /** Cancels a job or a flow run. @returns false if it had ended @throws {AppError} it was refused */
  cancel: (call: CancelCall) => Promise<boolean>
  /** Records durable steps. Functions have none. */
  durable?: DurableAccess
}>

/** How a run ended. A failure of the script is a value, never an exception. */
export type SandboxOutcome =
  | Readonly<{ kind: 'success'; resultJson: string }>
  | Readonly<{
      kind: 'failure'
      error: Readonly<{ name: string; message: string }>
      /** The script threw an error that rules out further attempts. */
      isFinal?: true
    }>
  /** The job waits for durable steps. Its attempt continues later. */
  | (Readonly<{ kind: 'suspended' }> & Suspension)
  /** The signal was aborted: the process was killed, and the state of the job is unknown. */
  | Readonly<{ kind: 'aborted' }>

export interface Sandbox {
  readonly name: string
  readonly level: IsolationLevel
  /** What jobs have sent and received through the egress proxy, if they use it. */
  readonly traffic?: Readonly<EgressTotals>
  /**
   * Runs one job to its end. A failure has the name of the thrown error, or one of these: Timeout, OutOfMemory, DiskLimit,
   * ResultTooLarge and InvalidResult for exceeded limits and unusable results; InvalidAction if the action exports no `main`;
   * SandboxCrashed if the process ended on its own or could not start. Never rejects for anything that the guest does.
   * @throws {AppError} unavailable `machine_short`: the machine lacks what a process needs, and nothing has run
   * @throws what `loadCode` throws
   */
  run(run: SandboxRun, callbacks: SandboxCallbacks, signal: AbortSignal): Promise<SandboxOutcome>
  /** Kills every process. */
  close(): Promise<void>
}
