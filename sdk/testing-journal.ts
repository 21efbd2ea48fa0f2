/** The journal of one durable run in memory, in place of the server's database. */
import type { RecordedStep, StepKind } from '../internal/core/durable/step.ts'
import type { Activity } from '../internal/sandbox/guest/activity.ts'
import type { HistoryEntry } from '../internal/sandbox/guest/deliveries.ts'
import type {
  Begun,
  DurableHost,
  Journal,
  StepBegin,
} from '../internal/sandbox/guest/step-records.ts'
import type { TestAction, TestedStep, TestedWait } from './testing-types.ts'

type Step = Omit<RecordedStep, 'dueInMs'> &
  Readonly<{
    /** Milliseconds since 1970. */
    dueAt: number | null
    event: Readonly<{ name: string; key: string | null }> | null
  }>

type TestEvent = Readonly<{ name: string; key: string | null; data: unknown }>

type JournalOptions = Readonly<{
  now: () => number
  actions: Readonly<Record<string, TestAction>>
}>

type HostOptions = Readonly<{
  activity: Activity
  /** Whether the worker is lost after this step is recorded. */
  isLostAfter: (name: string) => boolean
  onLost: () => void
}>

const never = (): Promise<never> => new Promise(() => undefined)

const asObject = (input: unknown): Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null ? { ...input } : {}

const errorOf = (thrown: unknown) =>
  thrown instanceof Error
    ? { name: thrown.name, message: thrown.message }
    : { name: 'Error', message: String(thrown) }

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

/** Runs the called action to its end at once. */
const callAction = async (
  actions: JournalOptions['actions'],
  step: Step,
  { target, input }: Extract<StepBegin, { kind: 'job' }>,
) => {
  const action = actions[String(target)]
  if (action === undefined) {
    const message = `Action "${String(target)}" not found. Name it in the actions of the test.`
    return {
      ...step,
      status: 'failure',
      error: { name: 'Error', message, code: 'action_not_found' },
    } as const
  }
  try {
    const value: unknown = await action(asObject(input))
    return { ...step, status: 'success', value: value ?? null } as const
  } catch (thrown) {
    return { ...step, status: 'failure', error: errorOf(thrown) } as const
  }
}

const beginStep = async ({ now, actions }: JournalOptions, given: StepBegin): Promise<Step> => {
  const step = newStep(given.name, given.position, given.kind)
  if (given.kind === 'job') return callAction(actions, step, given)
  const ms = given.kind === 'sleep' ? given.ms : given.timeoutMs
  const event = given.kind === 'event' ? { name: given.event, key: given.key } : null
  return { ...step, dueAt: ms === null ? null : now() + ms, event }
}

type Rows = Readonly<{
  options: JournalOptions
  history: HistoryEntry[]
  keep: (step: Step) => void
  toRecorded: (step: Step) => RecordedStep
}>

const createHost = (
  { keep, history, toRecorded, options }: Rows,
  { activity, isLostAfter, onLost }: HostOptions,
): DurableHost => {
  let isLost = false
  /** Drops writes of a lost worker, and never answers them. */
  const write = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    if (isLost) return never()
    const end = activity.begin()
    try {
      const value = await act()
      if (!isLostAfter(name)) return value
    } finally {
      end()
    }
    isLost = true
    onLost()
    return never()
  }
  return {
    page: () => Promise.resolve({ steps: [], hasMore: false }),
    record: ({ name, position, tries, status, valueJson, error, delayMs, history: added }) =>
      write(name, async () => {
        history.push(...added)
        const value: unknown = valueJson === undefined ? null : JSON.parse(valueJson)
        const dueAt = delayMs === undefined ? null : options.now() + delayMs
        const step = newStep(name, position, 'step')
        keep({ ...step, tries, status, value, error: error ?? null, dueAt })
      }),
    begin: (given) =>
      write(given.name, async (): Promise<Begun> => {
        history.push(...given.history)
        const step = await beginStep(options, given)
        keep(step)
        return toRecorded(step)
      }),
  }
}

export const createTestJournal = (options: JournalOptions) => {
  const { now } = options
  const steps = new Map<string, Step>()
  const history: HistoryEntry[] = []
  let open: readonly string[] = []
  let events = 0

  const keep = (step: Step): void => void steps.set(step.name, step)
  const openSteps = (): readonly Step[] =>
    open.flatMap((name) => steps.get(name) ?? []).filter(({ status }) => status === 'running')
  const isDue = ({ dueAt }: Step): boolean => dueAt !== null && dueAt <= now()
  const toRecorded = ({ dueAt, event, ...step }: Step): RecordedStep => ({
    ...step,
    dueInMs: dueAt === null ? null : dueAt - now(),
  })

  return {
    /** The host for one execution of `main`. */
    hostOf: (hostOptions: HostOptions): DurableHost =>
      createHost({ options, history, keep, toRecorded }, hostOptions),
    read: (): Journal => ({
      steps: [...steps.values()].toSorted((a, b) => a.position - b.position).map(toRecorded),
      hasMore: false,
      history: [...history],
    }),
    suspend: (names: readonly string[], added: readonly HistoryEntry[]): void => {
      open = names
      history.push(...added)
      for (const step of steps.values())
        if (step.status === 'failure') keep({ ...step, isCaught: true })
    },
    /** Whether nothing that the run waits for is over yet. */
    isWaiting: (): boolean => {
      const waiting = openSteps()
      return waiting.length > 0 && waiting.length === open.length && !waiting.some(isDue)
    },
    /** Ends sleeps and waits whose time has come. The next execution of `main` tries a failed step again. */
    endDue: (): void => {
      for (const step of openSteps()) {
        if (step.kind !== 'step' && isDue(step)) keep({ ...step, status: 'success', dueAt: null })
      }
    },
    nextDueAt: (): number | null => {
      const dues = openSteps().flatMap(({ dueAt }) => dueAt ?? [])
      return dues.length === 0 ? null : Math.min(...dues)
    },
    deliver: ({ name, key, data }: TestEvent): number => {
      const woken = openSteps().filter(
        ({ event }) => event !== null && event.name === name && event.key === key,
      )
      events += 1
      const value = { id: `event-${events}`, name, key, data, at: new Date(now()).toISOString() }
      for (const step of woken) keep({ ...step, status: 'success', dueAt: null, value })
      return woken.length
    },
    steps: (): readonly TestedStep[] =>
      [...steps.values()]
        .toSorted((a, b) => a.position - b.position)
        .map(({ name, kind, status, tries, value, error }) => ({
          name,
          kind,
          status,
          tries,
          value,
          error: error === null ? null : { name: error.name, message: error.message },
        })),
    waits: (): readonly TestedWait[] =>
      openSteps().map(({ name, kind, event, dueAt }) => ({
        name,
        kind,
        event,
        until: dueAt === null ? null : new Date(dueAt),
      })),
  }
}
