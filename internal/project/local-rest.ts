/** Ends the first of the steps that a local run waits for: sleeps, events, called jobs and delays of retries. */
import { v7 } from 'uuid'
import type { ChildOutcome } from '#core/flow/run.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { JournalStep } from '#sandbox/durable-access.ts'
import type { LocalWaits } from './local-waits.ts'

export type LocalStep = Omit<JournalStep, 'dueInMs'> &
  Readonly<{
    /** Milliseconds since 1970. */
    dueAt: number | null
    event: Readonly<{ name: string; key: string | null }> | null
    child: Promise<ChildOutcome> | null
  }>

type Came = Readonly<{ id?: string | undefined; data: JsonValue }>

/** The steps of which one ends first if time is skipped: called jobs take the time that they need, and then the next limit passes. */
const skipTo = (open: readonly LocalStep[], hasChildren: boolean): readonly LocalStep[] => {
  const due = Math.min(...open.map(({ dueAt }) => dueAt ?? Number.POSITIVE_INFINITY))
  const first = hasChildren ? undefined : open.find(({ dueAt }) => dueAt === due)
  return open.filter((step) => step === first || step.dueAt === null)
}

const throwFirst = (all: unknown): never => {
  throw all instanceof AggregateError ? all.errors[0] : all
}

/** @returns a function that resolves when one of the steps is over. It throws AppError if all of them wait for events that are missing */
export const createLocalRest = (
  steps: Map<string, LocalStep>,
  { waits, signal }: Readonly<{ waits: LocalWaits; signal: AbortSignal }>,
): ((open: readonly LocalStep[]) => Promise<void>) => {
  const end = (name: string, value: unknown): void => {
    const step = steps.get(name)
    if (step === undefined) return
    const valueJson = JSON.stringify(value)
    steps.set(name, { ...step, status: 'success', dueAt: null, valueJson })
  }

  /** The caller is given the failure once, when it resumes. */
  const endChild = (name: string, outcome: ChildOutcome): void => {
    const step = steps.get(name)
    if (step?.status !== 'running') return
    if (outcome.kind === 'success') end(name, outcome.value)
    else steps.set(name, { ...step, status: 'failure', isCaught: true, error: outcome.error })
  }

  const endByEvent = ({ name, event }: LocalStep, { id = v7(), data }: Came): void =>
    end(name, { id, ...event, data, at: new Date().toISOString() })

  /** @param over aborted when another wait of the same rest has ended */
  const endWait = async (step: LocalStep, over: AbortSignal): Promise<void> => {
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
  const takeEvents = (open: readonly LocalStep[]): boolean => {
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

  const untilFirst = async (open: readonly LocalStep[]): Promise<void> => {
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

  return async (open) => {
    if (!takeEvents(open)) await untilFirst(open)
  }
}
