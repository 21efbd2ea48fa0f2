/** The durable steps of a job that runs on this machine. They last as long as the command [durable 1 to 3]. */
import type { HistoryEntry } from '#core/durable/step.ts'
import { AppError } from '#core/error.ts'
import type { ChildOutcome } from '#core/flow/run.ts'
import { errorNameOf } from '#core/job/error-name.ts'
import { canceledRun, refuseCallOptions, type WorkCall } from '#core/job/start-call.ts'
import type { DurableAccess, JournalStep, StepBegin } from '#sandbox/durable-access.ts'
import type { SandboxOutcome } from '#sandbox/sandbox.ts'
import { createLocalRest, type LocalStep } from './local-rest.ts'
import type { LocalWaits } from './local-waits.ts'

export type LocalCall = (call: WorkCall) => Promise<() => Promise<ChildOutcome>>

export type LocalDurable = Readonly<{
  /** The access of the job's next execution to its steps. */
  access: () => DurableAccess
  /** Resolves when the first of the awaited steps is over. @throws {AppError} an event is missing */
  rest: (suspended: Extract<SandboxOutcome, { kind: 'suspended' }>) => Promise<void>
}>

const toJournal = ({ dueAt, event, child, ...step }: LocalStep): JournalStep => ({
  ...step,
  dueInMs: dueAt === null ? null : dueAt - Date.now(),
})

const startChild = async (
  call: LocalCall,
  begin: Extract<StepBegin, { kind: 'job' }>,
): Promise<Partial<LocalStep>> => {
  const { calls, target, options, inputJson, position: number } = begin
  try {
    refuseCallOptions(calls, options)
    const untilEnd = await call({ kind: calls, target, options, inputJson, number })
    return { child: untilEnd() }
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal
    const { code, message, details } = refusal
    return { status: 'failure', error: { name: errorNameOf(code), message, code, details } }
  }
}

/** What a job has recorded. The attempts of a flow step, each a job of its own, share one [durable 1.8]. */
export type LocalJournal = Readonly<{
  /** The job whose id numbers the calls: the first of these attempts. */
  jobId: string
  steps: Map<string, LocalStep>
  history: HistoryEntry[]
}>

export const newLocalJournal = (jobId: string): LocalJournal => ({
  jobId,
  steps: new Map(),
  history: [],
})

/** @param call starts an action or flow of the folder */
export const createLocalDurable = (
  { steps, history }: LocalJournal,
  { waits, call, signal }: Readonly<{ waits: LocalWaits; call: LocalCall; signal: AbortSignal }>,
): LocalDurable => {
  const untilFirst = createLocalRest(steps, { waits, signal })
  const requireNotCanceled = (): void => {
    if (signal.aborted) throw canceledRun()
  }

  const begin = async (given: StepBegin): Promise<JournalStep> => {
    requireNotCanceled()
    history.push(...given.history)
    const { name, kind, position } = given
    const ms = kind === 'sleep' ? given.ms : kind === 'event' ? given.timeoutMs : null
    const step: LocalStep = {
      name,
      kind,
      position,
      status: 'running',
      tries: 1,
      isCaught: false,
      valueJson: null,
      error: null,
      dueAt: ms === null ? null : Date.now() + ms,
      event: kind === 'event' ? { name: given.event, key: given.key } : null,
      child: null,
      ...(kind === 'job' ? await startChild(call, given) : {}),
    }
    steps.set(name, step)
    return toJournal(step)
  }

  return {
    access: () => ({
      journal: {
        steps: [...steps.values()].toSorted((a, b) => a.position - b.position).map(toJournal),
        hasMore: false,
        history: [...history],
      },
      page: async () => ({ steps: [], hasMore: false }),
      record: async ({ name, position, tries, history: added, end: ended }) => {
        requireNotCanceled()
        history.push(...added)
        const about = { name, position, tries, kind: 'step', isCaught: false } as const
        const rest = { event: null, child: null, valueJson: null, error: null, dueAt: null }
        const { status } = ended
        const due = status === 'running' ? { dueAt: Date.now() + ended.delayMs } : {}
        const outcome =
          status === 'success' ? { valueJson: ended.valueJson } : { error: ended.error }
        steps.set(name, { ...about, status, ...rest, ...outcome, ...due })
      },
      recordHistory: async (added) => {
        history.push(...added)
      },
      begin,
    }),
    rest: async (suspended) => {
      history.push(...suspended.history)
      for (const [name, step] of steps) {
        if (step.status === 'failure') steps.set(name, { ...step, isCaught: true })
      }
      const open = suspended.steps.flatMap((name) => steps.get(name) ?? [])
      await untilFirst(open)
    },
  }
}
