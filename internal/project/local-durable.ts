/** The durable steps of a job that runs on this machine. They last as long as the command [durable 1 to 3]. */
import { v7 } from 'uuid'
import { AppError } from '#core/error.ts'
import type { ChildOutcome } from '#core/flow/run.ts'
import type { StartCall } from '#core/job/start-call.ts'
import type {
  DurableAccess,
  HistoryEntry,
  JournalStep,
  StepBegin,
} from '#sandbox/durable-access.ts'
import type { SandboxOutcome } from '#sandbox/sandbox.ts'
import type { LocalWaits } from './local-waits.ts'

export type LocalCall = (call: StartCall) => Promise<() => Promise<ChildOutcome>>

export type LocalDurable = Readonly<{
  /** The access of the job's next execution to its steps. */
  access: () => DurableAccess
  /** Resolves when the first of the awaited steps is over. @throws {AppError} an event is missing */
  rest: (suspended: Extract<SandboxOutcome, { kind: 'suspended' }>) => Promise<void>
}>

type Step = Omit<JournalStep, 'dueInMs'> &
  Readonly<{
    /** Milliseconds since 1970. */
    dueAt: number | null
    event: Readonly<{ name: string; key: string | null }> | null
    child: Promise<ChildOutcome> | null
  }>

const toJournal = ({ dueAt, event, child, ...step }: Step): JournalStep => ({
  ...step,
  dueInMs: dueAt === null ? null : dueAt - Date.now(),
})

/** @param call starts an action of the folder */
export const createLocalDurable = ({
  waits,
  call,
  signal,
}: Readonly<{ waits: LocalWaits; call: LocalCall; signal: AbortSignal }>): LocalDurable => {
  const steps = new Map<string, Step>()
  const history: HistoryEntry[] = []

  const end = (name: string, value: unknown): void => {
    const step = steps.get(name)
    if (step === undefined) return
    const valueJson = JSON.stringify(value)
    steps.set(name, { ...step, status: 'success', dueAt: null, valueJson })
  }

  const startChild = async (begin: Extract<StepBegin, { kind: 'job' }>): Promise<Partial<Step>> => {
    const { target, options, inputJson, position: number } = begin
    try {
      const untilEnd = await call({ kind: 'action', target, options, inputJson, number })
      return { child: untilEnd() }
    } catch (refusal) {
      if (!(refusal instanceof AppError)) throw refusal
      const { code, message } = refusal
      const name = code === 'chain_too_deep' ? 'ChainTooDeep' : 'Error'
      return { status: 'failure', error: { name, message, code } }
    }
  }

  const begin = async (given: StepBegin): Promise<JournalStep> => {
    history.push(...given.history)
    const { name, kind, position } = given
    const ms = kind === 'sleep' ? given.ms : kind === 'event' ? given.timeoutMs : null
    const step: Step = {
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
      ...(kind === 'job' ? await startChild(given) : {}),
    }
    steps.set(name, step)
    return toJournal(step)
  }

  const endChild = (name: string, outcome: ChildOutcome): void => {
    const step = steps.get(name)
    if (step === undefined) return
    if (outcome.kind === 'success') end(name, outcome.value)
    else steps.set(name, { ...step, status: 'failure', error: outcome.error })
  }

  const endWait = async ({ name, kind, event, dueAt }: Step): Promise<void> => {
    const until = dueAt === null ? null : { at: dueAt }
    const wanted = event === null ? undefined : event
    const came = await waits.wait({ step: name, until, event: wanted, signal })
    const step = steps.get(name)
    // the delay of a step's retry is over, so its function runs again
    if (kind === 'step' && step !== undefined) steps.set(name, { ...step, dueAt: 0 })
    else if (came.kind === 'event_received' && event !== null) {
      end(name, { id: v7(), ...event, data: came.data, at: new Date().toISOString() })
    } else end(name, null)
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
        history.push(...added)
        const about = { name, position, tries, kind: 'step', isCaught: false } as const
        const rest = { event: null, child: null, valueJson: null, error: null, dueAt: null }
        const { status } = ended
        const due = status === 'running' ? { dueAt: Date.now() + ended.delayMs } : {}
        const outcome =
          status === 'success' ? { valueJson: ended.valueJson } : { error: ended.error }
        steps.set(name, { ...about, status, ...rest, ...outcome, ...due })
      },
      begin,
    }),
    rest: async (suspended) => {
      history.push(...suspended.history)
      for (const [name, step] of steps) {
        if (step.status === 'failure') steps.set(name, { ...step, isCaught: true })
      }
      const waiting = suspended.steps.flatMap((name) => steps.get(name) ?? [])
      const children = waiting.flatMap(({ name, child }) =>
        child === null ? [] : [child.then((outcome) => endChild(name, outcome))],
      )
      if (children.length > 0) {
        await Promise.race(children)
        return
      }
      const [first] = waiting.toSorted((a, b) => (a.dueAt ?? Infinity) - (b.dueAt ?? Infinity))
      if (first !== undefined) await endWait(first)
    },
  }
}
