/** Runs actions of a folder in a worker's sandbox. Variables come from `.env`; state lasts as long as the command. */
import { v7 } from 'uuid'
import { DEFAULT_CANCEL_GRACE_S } from '#core/action/definition.ts'
import { AppError } from '#core/error.ts'
import { createGate } from '#core/fairness/gate.ts'
import type { ChildOutcome } from '#core/flow/run.ts'
import { canceledError } from '#core/job/job-error.ts'
import type { WorkCall } from '#core/job/start-call.ts'
import type { JsonValue } from '#core/json/value.ts'
import { createMemoryState } from '#sandbox/host/memory-state.ts'
import type { FlowContext } from '#sandbox/protocol/messages.ts'
import type { Sandbox, SandboxLimits, SandboxOutcome } from '#sandbox/sandbox.ts'
import type { StateAccess } from '#sandbox/state-access.ts'
import { notBeforeApproval } from '#service/flows/approval-link.ts'
import type { LocalAction } from './app-folder.ts'
import {
  createLocalDurable,
  type LocalDurable,
  type LocalJournal,
  newLocalJournal,
} from './local-durable.ts'
import type { LocalStarts, LocalTrigger } from './local-starts.ts'
import { createLocalWaits, type LocalWaits } from './local-waits.ts'

export type LocalJob = Readonly<{
  /** @default a new one */
  id?: string
  action: LocalAction
  input: JsonValue
  /** @default 1 */
  attempt?: number
  flow?: FlowContext
  /** Length of the chain of jobs and runs that started one another, before this job. @default 0 */
  chainDepth?: number
  /** What started the job. @default the API */
  trigger?: LocalTrigger
  /** Whether an approval step comes next. @default false */
  isBeforeApproval?: boolean
  /** What earlier attempts have recorded. @default empty */
  journal?: LocalJournal
  /** Called with each piece of its log as it arrives. */
  onLog?: (text: string) => void
  /** Aborted when the job is canceled: it then has its grace to end. @default never */
  canceled?: AbortSignal
  /** Aborted when the command ends. */
  signal: AbortSignal
}>

type SandboxRun = Readonly<{ outcome: SandboxOutcome; log: string; ms: number }>

export type LocalEnd = Readonly<{ outcome: ChildOutcome; log: string; ms: number }>

export type LocalActions = Readonly<{ run: (job: LocalJob) => Promise<LocalEnd> }>

export type LocalActionOptions = Readonly<{
  app: string
  sandbox: Sandbox
  variables: Readonly<Record<string, string>>
  limits: Pick<SandboxLimits, 'memoryMb' | 'resultBytes' | 'logBytes' | 'granted'>
  /** Jobs that run at once; others wait. */
  concurrency: number
  /** Starts actions and flows for its jobs. */
  start: LocalStarts['start']
  cancel: LocalStarts['cancel']
  call: LocalStarts['call']
  /** @default new and empty */
  state?: StateAccess
  /** Ends its sleeps and waits for events. @default only time ends them */
  waits?: LocalWaits
}>

/** The names of the app that is tried on this machine. */
export const LOCAL_APP = { ws: 'dev', app: 'dev' }

const CANCELED: ChildOutcome = {
  kind: 'failure',
  error: canceledError(),
}

const toOutcome = (outcome: SandboxOutcome): ChildOutcome => {
  switch (outcome.kind) {
    case 'success': {
      const value: JsonValue = JSON.parse(outcome.resultJson)
      return { kind: 'success', value }
    }
    case 'failure':
      return outcome
    case 'aborted':
    case 'suspended':
      return CANCELED
  }
}

/** Placeholders: no other person can answer an approval on this machine. */
const LOCAL_LINKS: JsonValue = {
  approvalPage: 'http://localhost/approval',
  approve: 'http://localhost/approve',
  reject: 'http://localhost/reject',
}

/** Runs the actions of a local app in the sandbox, at most `concurrency` at once; their state is in memory. */
export const createLocalActions = (options: LocalActionOptions): LocalActions => {
  const { state = createMemoryState() } = options
  const { waits = createLocalWaits({}) } = options
  const inSlot = createGate(options.concurrency)

  const runUntilSuspended = async (
    job: LocalJob,
    { id, callsOf }: Readonly<{ id: string; callsOf: string }>,
    durable: LocalDurable,
  ): Promise<SandboxRun> => {
    const { canceled } = job
    if (job.signal.aborted || canceled?.aborted === true)
      return { outcome: { kind: 'aborted' }, log: '', ms: 0 }
    const { definition, entry } = job.action
    const before = performance.now()
    let log = ''
    const outcome = await options.sandbox.run(
      {
        key: { ws: 'dev', app: options.app, commit: 'local' },
        job: { id, action: definition.key, attempt: job.attempt ?? 1 },
        fresh: definition.isolation === 'fresh',
        entrypoint: definition.entrypoint,
        bundleHash: entry.hash,
        loadCode: entry.loadCode,
        inputJson: JSON.stringify(job.input),
        trigger: job.trigger ?? { kind: 'api' },
        variables: options.variables,
        resources: {},
        flow: job.flow ?? {},
        limits: {
          ...options.limits,
          timeoutMs: definition.timeoutS * 1_000,
          cancelGraceMs: (definition.cancelGraceS ?? DEFAULT_CANCEL_GRACE_S) * 1_000,
          memoryMb: definition.memoryMb ?? options.limits.memoryMb,
          network: definition.network,
        },
      },
      {
        ...(canceled === undefined ? {} : { canceled }),
        onLog: (text) => {
          log += text
          job.onLog?.(text)
        },
        state,
        durable: durable.access(),
        start: (call) =>
          options.start(call, { callsOf, chainDepth: job.chainDepth ?? 0, canceled }),
        cancel: options.cancel,
        getResumeUrls: async () => {
          if (job.isBeforeApproval === true) return LOCAL_LINKS
          throw notBeforeApproval()
        },
      },
      job.signal,
    )
    return { outcome, log, ms: Math.round(performance.now() - before) }
  }

  /** A job that waits releases its slot. When it resumes, its code runs again from the top. */
  const run = async (job: LocalJob): Promise<LocalEnd> => {
    const signal =
      job.canceled === undefined ? job.signal : AbortSignal.any([job.signal, job.canceled])
    const { id = v7(), chainDepth = 0, canceled } = job
    const call = (given: WorkCall) => options.call(given, { chainDepth, canceled })
    const journal = job.journal ?? newLocalJournal(id)
    const durable = createLocalDurable(journal, { waits, call, signal })
    const callsOf = journal.jobId
    let log = ''
    let ms = 0
    for (;;) {
      const end = waits.begin()
      const sandboxRun = await inSlot(() =>
        runUntilSuspended(job, { id, callsOf }, durable),
      ).finally(end)
      log += sandboxRun.log
      ms += sandboxRun.ms
      const { outcome } = sandboxRun
      if (outcome.kind !== 'suspended') return { outcome: toOutcome(outcome), log, ms }
      try {
        await durable.rest(outcome)
      } catch (missing) {
        if (!(missing instanceof AppError)) throw missing
        const error = { name: 'Error', message: missing.message }
        return { outcome: { kind: 'failure', error }, log, ms }
      }
    }
  }

  return { run }
}
