/** The durable steps of a job that runs on this machine. They last as long as the command [durable 1 to 3]. */
import { v7 } from 'uuid'
import { AppError } from '#core/error.ts'
import type { ChildOutcome } from '#core/flow/run.ts'
import { refuseCallKey, type StartCall } from '#core/job/start-call.ts'
import type { JsonValue } from '#core/json.ts'
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

type Came = Readonly<{ id?: string | undefined; data: JsonValue }>

/** The steps of which one ends first if time is skipped: called jobs take the time that they need, and then the next limit passes. */
const skipTo = (open: readonly Step[], hasChildren: boolean): readonly Step[] => {
  const due = Math.min(...open.map(({ dueAt }) => dueAt ?? Number.POSITIVE_INFINITY))
  const first = hasChildren ? undefined : open.find(({ dueAt }) => dueAt === due)
  return open.filter((step) => step === first || step.dueAt === null)
}

const throwFirst = (all: unknown): never => {
  throw all instanceof AggregateError ? all.errors[0] : all
}

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
      refuseCallKey(options)
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

  /** The caller is given the failure once, when it resumes. */
  const endChild = (name: string, outcome: ChildOutcome): void => {
    const step = steps.get(name)
    if (step?.status !== 'running') return
    if (outcome.kind === 'success') end(name, outcome.value)
    else steps.set(name, { ...step, status: 'failure', isCaught: true, error: outcome.error })
  }

  const endByEvent = ({ name, event }: Step, { id = v7(), data }: Came): void =>
    end(name, { id, ...event, data, at: new Date().toISOString() })

  /** @param over aborted when another wait of the same rest has ended */
  const endWait = async (step: Step, over: AbortSignal): Promise<void> => {
    const { name, kind, event, dueAt } = step
    const until = dueAt === null ? null : { at: dueAt }
    const ends = AbortSignal.any([signal, over])
    const came = await waits.wait({ step: name, until, event: event ?? undefined, signal: ends })
    if (came.kind === 'event_received') endByEvent(step, came)
    else if (ends.aborted) return
    // the delay of a step's retry is over, so its function runs again
    else if (kind === 'step') steps.set(name, { ...step, dueAt: 0 })
    else end(name, null)
  }

  /** Ends the steps whose events have come already. @returns whether there were any */
  const takeEvents = (open: readonly Step[]): boolean => {
    const awaited = open.flatMap(({ name, event }) =>
      event === null ? [] : [{ step: name, event }],
    )
    const taken = waits.takeFor(awaited)
    for (const step of open) {
      const event = taken.get(step.name)
      if (event !== undefined) endByEvent(step, event)
    }
    return taken.size > 0
  }

  /** Waits until one of the steps is over. @throws {AppError} all of them wait for events that are missing */
  const untilFirst = async (open: readonly Step[]): Promise<void> => {
    const children = open.flatMap(({ name, child }) =>
      child === null ? [] : [child.then((outcome) => endChild(name, outcome))],
    )
    const others = open.filter(({ child }) => child === null)
    const over = new AbortController()
    const timed = (waits.skipsTime ? skipTo(others, children.length > 0) : others).map((step) =>
      endWait(step, over.signal),
    )
    await Promise.any([...children, ...timed]).catch(throwFirst)
    over.abort()
    await Promise.allSettled(timed)
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
      const open = suspended.steps.flatMap((name) => steps.get(name) ?? [])
      if (!takeEvents(open)) await untilFirst(open)
    },
  }
}
