/** The journal and the events of one durable run in memory, in place of the server's database. */
import {
  CUT_SHORT,
  type HistoryEntry,
  type RecordedStep,
  type StepError,
  type StepKind,
} from '../internal/core/durable/step.ts'
import type { Begun, Journal, StepBegin, StepEnd } from '../internal/sandbox/guest/step-records.ts'
import type { TestedStep, TestedWait } from './testing-types.ts'

type Awaited = Readonly<{ name: string; key: string | null }>

type Step = Omit<RecordedStep, 'dueInMs'> &
  Readonly<{
    /** Milliseconds since 1970. */
    dueAt: number | null
    event: Awaited | null
  }>

export type TestEvent = Awaited & Readonly<{ id: string; data: unknown }>
type Sent = TestEvent & Readonly<{ at: number }>

/** How a called job ended. */
export type CalledEnd = Readonly<{ value: unknown } | { error: StepError }>

/** An event that came earlier is not taken [durable 3.6], unless SVC_EVENT_LOOKBACK_S differs on the server. */
const LOOKBACK_MS = 3_600_000

const newStep = (name: string, position: number, kind: StepKind): Step => ({
  name,
  position,
  kind,
  tries: 1,
  status: 'running',
  isCaught: false,
  value: null,
  error: null,
  dueAt: null,
  event: null,
})

/** It is thrown again in every attempt until one of them fails. */
const FAILED = { status: 'failure', isCaught: true } as const

const ended = (status: Step['status']): Pick<Step, 'status' | 'isCaught'> =>
  status === 'failure' ? FAILED : { status, isCaught: false }

const isFor = (event: Awaited, wanted: Awaited | null): boolean =>
  event.name === wanted?.name && event.key === wanted.key

const received = ({ id, name, key, data, at }: Sent) =>
  ({
    status: 'success',
    dueAt: null,
    value: { id, name, key, data, at: new Date(at).toISOString() },
  }) as const

const cutShort = (step: Step): Step =>
  step.status === 'running' ? { ...step, status: 'failure', error: step.error ?? CUT_SHORT } : step

const toTested = ({ name, kind, status, tries, value, error }: Step): TestedStep => ({
  name,
  kind,
  status,
  tries,
  value,
  error: error === null ? null : { name: error.name, message: error.message },
})

const toWait = ({ name, kind, event, dueAt }: Step): TestedWait => ({
  name,
  kind,
  event,
  until: dueAt === null ? null : new Date(dueAt),
})

/** As a server lists them. Steps of two executions of `main` may have the same position. */
const byPosition = (a: Step, b: Step): number =>
  a.position - b.position || (a.name < b.name ? -1 : 1)

/** Which failures later executions of `main` throw again, and which steps they run again [durable 2.3]. */
const createFailures = (steps: Map<string, Step>) => {
  /** Steps that failed. They run again after a failure of the attempt, and not after the loss of its worker. */
  const given = new Set<string>()
  return {
    add: ({ name, status }: Step): void => {
      if (status === 'failure') given.add(name)
    },
    /** The script has continued to a suspension. */
    keep: () => given.clear(),
    /** The attempt has failed. */
    forget: (): void => {
      for (const name of given) {
        const step = steps.get(name)
        if (step?.status === 'failure') steps.set(name, { ...step, isCaught: false })
      }
      given.clear()
    },
  }
}

export const createTestJournal = (now: () => number) => {
  const steps = new Map<string, Step>()
  const history: HistoryEntry[] = []
  const events: Sent[] = []
  const taken = new Set<string>()
  const failures = createFailures(steps)
  let open: readonly string[] = []

  const keep = (step: Step): void => {
    steps.set(step.name, step)
    failures.add(step)
  }
  const inOrder = (): readonly Step[] => [...steps.values()].toSorted(byPosition)
  const openSteps = (): readonly Step[] =>
    open.flatMap((name) => steps.get(name) ?? []).filter(({ status }) => status === 'running')
  const isDue = ({ dueAt }: Step): boolean => dueAt !== null && dueAt <= now()
  const endedIfDue = (step: Step): Step =>
    step.status === 'running' && step.kind !== 'step' && isDue(step)
      ? { ...step, status: 'success', dueAt: null }
      : step
  const toRecorded = ({ dueAt, event, ...step }: Step): RecordedStep => ({
    ...step,
    dueInMs: dueAt === null ? null : dueAt - now(),
  })

  const receive = (step: Step, event: Sent): void => {
    taken.add(event.id)
    keep({ ...step, ...received(event) })
  }

  const begin = (given: Exclude<StepBegin, { kind: 'job' }>): Begun => {
    history.push(...given.history)
    const ms = given.kind === 'sleep' ? given.ms : given.timeoutMs
    const event = given.kind === 'event' ? { name: given.event, key: given.key } : null
    const dueAt = ms === null ? null : now() + ms
    const step = { ...newStep(given.name, given.position, given.kind), dueAt, event }
    const earlier = events.find(
      (sent) => isFor(sent, event) && !taken.has(sent.id) && sent.at > now() - LOOKBACK_MS,
    )
    if (earlier === undefined) keep(step)
    else receive(step, earlier)
    return toRecorded(steps.get(given.name) ?? step)
  }

  return {
    /** The journal of the next execution of `main`. */
    read: (): Journal => ({
      steps: inOrder().map(toRecorded),
      hasMore: false,
      history: [...history],
    }),
    begin,
    beginCall: (given: Extract<StepBegin, { kind: 'job' }>, end: CalledEnd): Begun => {
      history.push(...given.history)
      const step = newStep(given.name, given.position, 'job')
      keep({ ...step, ...end, ...('error' in end ? FAILED : { status: 'success' }) })
      return toRecorded(steps.get(given.name) ?? step)
    },
    record: (given: Omit<StepEnd, 'valueJson' | 'tookMs'>, value: unknown): void => {
      const { name, position, tries, status, error = null, delayMs } = given
      history.push(...given.history)
      const dueAt = delayMs === undefined ? null : now() + delayMs
      keep({ ...newStep(name, position, 'step'), tries, value, error, dueAt, ...ended(status) })
    },
    recordHistory: (added: readonly HistoryEntry[]): void => {
      history.push(...added)
    },
    suspend: (names: readonly string[], added: readonly HistoryEntry[]): void => {
      open = names
      history.push(...added)
      failures.keep()
    },
    /** An attempt has failed. */
    fail: failures.forget,
    /** Whether nothing that the run waits for is over yet. */
    isWaiting: (): boolean => {
      const waiting = openSteps()
      return waiting.length > 0 && waiting.length === open.length && !waiting.some(isDue)
    },
    /** Ends sleeps and waits whose time has come. The next execution of `main` tries a failed step again. */
    endDue: (): void => {
      for (const step of openSteps()) {
        const ended = endedIfDue(step)
        if (ended !== step) keep(ended)
      }
    },
    nextDueAt: (): number | null => {
      const dues = openSteps().flatMap(({ dueAt }) => dueAt ?? [])
      return dues.length === 0 ? null : Math.min(...dues)
    },
    /** Ends every wait for the event, and keeps it for a wait that begins later. @returns how many it ended */
    deliver: (event: TestEvent): number => {
      const sent = { ...event, at: now() }
      events.push(sent)
      const woken = inOrder().filter((step) => step.status === 'running' && isFor(sent, step.event))
      for (const step of woken) receive(step, sent)
      return woken.length
    },
    /** As a server lists them: sleeps and waits whose time is over have ended, and so have all steps of a run that has. */
    steps: (hasEnded: boolean): readonly TestedStep[] =>
      inOrder()
        .map(endedIfDue)
        .map(hasEnded ? cutShort : (step) => step)
        .map(toTested),
    waits: (): readonly TestedWait[] => openSteps().map(toWait),
  }
}

export type TestJournal = ReturnType<typeof createTestJournal>
