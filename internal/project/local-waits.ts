/** Ends the sleeps and waits for events of a local run. */
import { setTimeout } from 'node:timers/promises'
import { conflict } from '#core/error.ts'
import type { Deadline, FlowEvent, Wait } from '#core/flow/run.ts'
import type { JsonValue } from '#core/json/value.ts'
import { createLocalActivity, type LocalActivity } from './local-activity.ts'

export type LocalWait = Readonly<{
  /** The key of the step. */
  step: string
  until: Deadline | null
  event: Wait['event']
  signal: AbortSignal
}>

type Wanted = NonNullable<Wait['event']>
export type AwaitedEvent = Readonly<{ step: string; event: Wanted }>

export type LocalEvent = Readonly<{
  /** Absent for an event that was given and not sent. */
  id?: string | undefined
  name: string
  /** Null matches only waits without a key, undefined matches all. */
  key?: string | null | undefined
  data: JsonValue
}>

/** How a wait ended, with the id of a sent event. */
export type LocalWaitEnd = FlowEvent & Readonly<{ id?: string | undefined }>

export type LocalWaits = Readonly<{
  /** Sleeps and time limits are over at once. */
  skipsTime: boolean
  /** Counts a job that runs and may send events. @returns a function that ends it */
  begin: LocalActivity['begin']
  /** @throws {AppError} conflict: no event is left for a step without a time limit, and no job that may send it */
  wait: (wait: LocalWait) => Promise<LocalWaitEnd>
  /** Takes the events that have come already for waits that begin together. @returns the event of each that it ends, by step */
  takeFor: (waits: readonly AwaitedEvent[]) => ReadonlyMap<string, LocalEvent>
  /** Takes an event that was sent: for all steps that wait for it now, else for the next one. @returns how many waited */
  offer: (event: LocalEvent) => number
  /** Events that were given beforehand and that no step has waited for yet. */
  unused: () => readonly LocalEvent[]
}>

/** Events that are kept although no step waits for them yet; the oldest are dropped first. */
const MOST_KEPT = 1_000
/** The longest delay of a timer, in milliseconds. */
export const MAX_TIMER_MS = 2_147_483_647

const timeOf = (until: Deadline): number => ('at' in until ? until.at : Date.now() + until.afterMs)

const sleepUntil = async (at: number, signal: AbortSignal): Promise<null> => {
  for (let left = at - Date.now(); left > 0 && !signal.aborted; left = at - Date.now()) {
    await setTimeout(Math.min(left, MAX_TIMER_MS), undefined, { signal }).catch(() => undefined)
  }
  return null
}

/** @returns null if no event came in time */
const firstOf = async (
  sent: Promise<LocalEvent>,
  asked: Promise<LocalEvent | null>,
  { late, idle }: Readonly<{ late: Promise<null> | null; idle: () => Promise<null> }>,
): Promise<LocalEvent | null> => {
  const first = await Promise.race([sent, asked, ...(late === null ? [] : [late])])
  return first ?? Promise.race([sent, late ?? idle()])
}

const untilAborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })

export type LocalWaitOptions = Readonly<{
  /** Events given beforehand, each for one step that waits for it. */
  events?: readonly LocalEvent[]
  /** Sleeps end at once. */
  skipsTime?: boolean
  /** Steps without a time limit wait for events from outside. @default false: they fail when no job is left that may send one */
  isEndless?: boolean
  /**
   * Prompts a person for the event of a step, until the signal aborts.
   * @returns null if the person has none
   */
  ask?: (step: string, event: Wanted, signal: AbortSignal) => Promise<LocalEvent | null>
  /** Called when a step waits until a time, in milliseconds since 1970; with `event`, it waits until then at most. */
  onSleep?: (step: string, at: number, event: Wanted | undefined) => void
}>

const fits = (given: LocalEvent, wanted: Wanted): boolean =>
  given.name === wanted.name && (given.key === undefined || given.key === wanted.key)

/** The words for an event in a message. */
export const describeEvent = ({ name, key }: Wanted): string =>
  key === null ? name : `${name} with the key ${key}`

/** Returns the sentence that shows how to give an event beforehand. */
export const howToGive = ({ name, key }: Wanted): string =>
  `Give it with --event '${key === null ? name : `${name}:${key}`}={"field":1}'.`

const missing = (step: string, event: Wanted) =>
  conflict(`The step "${step}" waits for the event ${describeEvent(event)}. ${howToGive(event)}`)

const TIMED_OUT: LocalWaitEnd = { kind: 'wait_timed_out' }

const received = ({ id, data }: LocalEvent): LocalWaitEnd => ({ kind: 'event_received', data, id })

type Waiter = Readonly<{ wanted: Wanted; take: (event: LocalEvent) => void }>

/** Creates waits that end by an event, by a person, or by time. */
export const createLocalWaits = ({
  events = [],
  skipsTime = false,
  isEndless = false,
  ask = () => Promise.resolve(null),
  onSleep = () => undefined,
}: LocalWaitOptions): LocalWaits => {
  const left = [...events]
  const waiters = new Set<Waiter>()
  const activity = createLocalActivity()

  const sleep = ({ step, event, signal }: LocalWait, until: Deadline): Promise<null> => {
    const at = timeOf(until)
    onSleep(step, at, event)
    return sleepUntil(at, signal).finally(activity.begin())
  }

  const takeFor = (waits: readonly AwaitedEvent[]): ReadonlyMap<string, LocalEvent> => {
    const taken = new Map<string, LocalEvent>()
    for (const event of [...left]) {
      const ended = waits.filter((wait) => !taken.has(wait.step) && fits(event, wait.event))
      for (const { step } of ended) taken.set(step, event)
      if (ended.length > 0) left.splice(left.indexOf(event), 1)
    }
    return taken
  }

  const waitForEvent = async (wait: LocalWait, wanted: Wanted): Promise<LocalWaitEnd> => {
    const { step, until, signal } = wait
    const given = takeFor([{ step, event: wanted }]).get(step)
    if (given !== undefined) return received(given)
    const over = new AbortController()
    const ends = AbortSignal.any([signal, over.signal])
    const { promise: sent, resolve: take } = Promise.withResolvers<LocalEvent>()
    const waiter = { wanted, take }
    waiters.add(waiter)
    try {
      const timeout = until === null || skipsTime ? null : sleep({ ...wait, signal: ends }, until)
      const late = timeout ?? (isEndless ? untilAborted(ends) : null)
      const asked = ask(step, wanted, ends)
      // a person without an answer leaves the wait to its time limit, which skipped time reaches when no job runs that may send
      const idle = until === null || skipsTime ? activity.untilIdle : async () => null
      const event = await firstOf(sent, asked, { late, idle })
      if (event !== null) return received(event)
      if (until === null && !signal.aborted) throw missing(step, wanted)
      return TIMED_OUT
    } finally {
      waiters.delete(waiter)
      over.abort()
    }
  }

  return {
    begin: activity.begin,
    skipsTime,
    takeFor,
    wait: async (wait) => {
      const { until, event } = wait
      if (event !== undefined) return waitForEvent(wait, event)
      if (until !== null && !skipsTime) await sleep(wait, until)
      return TIMED_OUT
    },
    offer: (event) => {
      const woken = [...waiters].filter(({ wanted }) => fits(event, wanted))
      if (woken.length === 0) left.push(event)
      if (left.length > MOST_KEPT) left.shift()
      for (const { take } of woken) take(event)
      return woken.length
    },
    unused: () => events.filter((given) => left.includes(given)),
  }
}
