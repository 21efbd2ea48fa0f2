/**
 * The interface of the sandbox. A provider starts guest processes of one kind; the pool (host/pool.ts) keeps them warm and
 * assigns jobs to them; the worker sees only `Sandbox`.
 *
 * The boundary is (workspace, app, commit): a process that ran code of one key never runs code of another.
 */
import type { IsolationLevel } from '#core/isolation-level.ts'
import type { LogStream } from '#core/job/log-stream.ts'
import type { Progress } from '#core/job/progress-note.ts'
import type { StartCall } from '#core/job/start-call.ts'
import type { JsonValue } from '#core/json.ts'
import type { DurableAccess, Suspension } from './durable-access.ts'
import type { EgressTotals } from './egress/traffic.ts'
import type { FlowContext } from './protocol/messages.ts'
import type { StateAccess } from './state-access.ts'

export type ProbeResult = Readonly<{
  ok: boolean
  level: IsolationLevel
  /** Sentences for the operator: what was probed, what is missing, and the remedy. */
  notes: readonly string[]
}>

export type SandboxRun = Readonly<{
  /** The reuse boundary; equal keys may share a process, one after another. */
  key: Readonly<{ ws: string; app: string; commit: string }>
  job: Readonly<{ id: string; action: string; attempt: number }>
  /** Whether the process serves this one job and ends (`isolation: fresh`). */
  fresh: boolean
  entrypoint: string
  bundleHash: string
  /** Loads the bundled code; called only when the process has not loaded this hash yet. */
  loadCode: () => Promise<Readonly<{ code: string; sourceMap: string }>>
  /** JSON text, sent to the guest unparsed. */
  inputJson: string
  trigger: Readonly<{ kind: string; raw?: string; headers?: Readonly<Record<string, string>> }>
  variables: Readonly<Record<string, string>>
  resources: Readonly<Record<string, JsonValue>>
  /** @default empty: the job belongs to no flow */
  flow?: FlowContext
  /** The trace that it belongs to, as the header names it. @default none */
  traceparent?: string | null
  limits: SandboxLimits
}>

export type SandboxLimits = Readonly<{
  timeoutMs: number
  /** How long a canceled job may take to end by itself. @default 0: it is killed at once */
  cancelGraceMs?: number
  /** Processor time of all threads together. @default 1.5 times `timeoutMs` */
  processorMs?: number
  memoryMb: number
  resultBytes: number
  logBytes: number
  /** Null allows any public address, and an empty list allows none. */
  network: readonly string[] | null
  /** Private destinations that are open where `network` names them. @default none */
  granted?: readonly string[]
}>

export type SandboxCallbacks = Readonly<{
  /** Aborted when the job is canceled: it then has `cancelGraceMs` to end, and its outcome is `aborted`. */
  canceled?: AbortSignal
  /** Output of the job, in order: console, ctx.log, raw stdout and stderr. Already bounded by `logBytes`. */
  onLog: (text: string, stream: LogStream) => void
  /** Pieces of an answer before its end; the guest waits while the promise is open. */
  onPart?: (text: string) => Promise<void>
  /** How far the job is. @default ignored */
  onProgress?: (progress: Progress) => void
  state: StateAccess
  /** Links for the approval step that comes next. @throws {AppError} there is none */
  getResumeUrls: (approver: string) => Promise<JsonValue>
  /** Starts a job or a flow run, or sends an event. @returns its id @throws {AppError} it was refused */
  start: (call: StartCall) => Promise<string>
  /** Records durable steps; functions have none. */
  durable?: DurableAccess
}>

/** How a run ended. A script's failure is a value, never an exception. */
export type SandboxOutcome =
  | Readonly<{ kind: 'success'; resultJson: string }>
  | Readonly<{
      kind: 'failure'
      error: Readonly<{ name: string; message: string }>
      /** The script threw an error that no further attempt is to follow. */
      isFinal?: true
    }>
  /** It waits for durable steps; its attempt goes on later. */
  | (Readonly<{ kind: 'suspended' }> & Suspension)
  /** The signal was aborted: the process was killed and nothing is known of the job. */
  | Readonly<{ kind: 'aborted' }>

export interface Sandbox {
  readonly name: string
  readonly level: IsolationLevel
  /** What jobs have sent and received, where that goes through the egress proxy. */
  readonly traffic?: Readonly<EgressTotals>
  /**
   * Runs one job to its end. Failure names: the name of the thrown error; Timeout, OutOfMemory, DiskLimit, ResultTooLarge,
   * InvalidResult for what it ran into; InvalidAction when it exports no `main`; SandboxCrashed when its process ended
   * by itself or could not start. Never rejects for anything the guest does.
   * @throws what `loadCode` throws
   */
  run(run: SandboxRun, callbacks: SandboxCallbacks, signal: AbortSignal): Promise<SandboxOutcome>
  /** Kills every process. */
  close(): Promise<void>
}
