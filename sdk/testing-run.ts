/** Runs an action once from the top, with the guest's own code, against a journal in memory. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createCancelSignal } from '../internal/sandbox/guest/cancel-signal.ts'
import { createContext } from '../internal/sandbox/guest/context.ts'
import { createDurable, type DurableRun } from '../internal/sandbox/guest/durable.ts'
import { describeThrown, type Failure } from '../internal/sandbox/guest/failure.ts'
import { accessOf, type CallHost } from '../internal/sandbox/guest/host-access.ts'
import { createGuestJob, type GuestJob } from '../internal/sandbox/guest/job.ts'
import { toResult } from '../internal/sandbox/guest/result.ts'
import type { StepScope } from '../internal/sandbox/guest/step-records.ts'
import type { ActionContext, Main } from './mod.ts'
import type { TestJournal } from './testing-journal.ts'
import { countTimers } from './testing-timers.ts'
import type { TestDurableOptions } from './testing-types.ts'
import { formatValues, MAX_BYTES, type TestWorld } from './testing-world.ts'

/** How one execution of `main` ended. */
export type End = Readonly<
  | { kind: 'ended'; json: string }
  | { kind: 'failed'; failure: Failure }
  /** It was suspended, or its worker was lost. */
  | { kind: 'suspended' | 'lost' }
>

export type Stretch<Input> = Readonly<{
  main: Main<Input>
  options: TestDurableOptions
  journal: TestJournal
  world: TestWorld
  log: string[]
  /** Names of steps after which the worker is lost. */
  crashes: Set<string>
  clock: () => number
  attempt: number
}>

const never = (): Promise<never> => new Promise(() => undefined)
// saved before a test can replace it
const { setImmediate } = globalThis
/** Resolves after the code that is ready to run. */
const turn = (): Promise<void> => new Promise((go) => setImmediate(go))

/** @param onLost called after a step in `crashes` is recorded; the worker gets no answer */
const callOf = (
  { world, crashes }: Pick<Stretch<never>, 'world' | 'crashes'>,
  job: GuestJob,
  onLost: () => void,
): CallHost => {
  const isLostAfter = (operation: string, head: object): boolean =>
    (operation === 'recordStep' || operation === 'beginStep') &&
    crashes.delete(String(Reflect.get(head, 'name')))
  return async (request) => {
    // code that still runs after the end changes nothing
    if (job.ended) return never()
    const end = job.activity.begin()
    try {
      const answer = await world.answer(request)
      if (!isLostAfter(request.operation, request.head))
        return { t: 'answer', run: 1, id: 1, ...answer }
    } finally {
      end()
    }
    onLost()
    return never()
  }
}

const countedFetch =
  (fetch: typeof globalThis.fetch, { activity }: GuestJob): typeof globalThis.fetch =>
  async (...request) => {
    const end = activity.beginRequest()
    try {
      return await fetch(...request)
    } finally {
      end()
    }
  }

const contextOf = <Input>(
  { options, log, attempt }: Stretch<Input>,
  job: GuestJob,
  parts: Pick<Parameters<typeof createContext>[1], 'host' | 'durable' | 'cancelSignal'>,
): ActionContext<Input> => {
  const {
    input = {},
    trigger = { kind: 'api' },
    flow = {},
    variables = {},
    resources = {},
    fetch,
  } = options
  const message = {
    t: 'run',
    run: job.run,
    hash: '',
    resultBytes: MAX_BYTES,
    logBytes: MAX_BYTES,
    job: { id: 'test', app: 'test', action: 'test', commit: 'test', attempt },
    trigger: structuredClone(trigger),
    variables: { ...variables },
    resources: { ...resources },
    flow: structuredClone(flow),
    traceparent: null,
    durable: null,
    input: JSON.parse(JSON.stringify(input)),
  } as const
  const context: unknown = Object.assign(
    createContext(message, {
      ...parts,
      log: (...values) => void log.push(formatValues(values)),
      part: () => undefined,
    }),
    fetch === undefined ? {} : { fetch: countedFetch(fetch, job) },
  )
  // the durable calls accept unknown arguments and check them
  return context as ActionContext<Input>
}

/** Runs `main` from the top until it ends, suspends, or loses its worker. */
export const runStretch = <Input>(stretch: Stretch<Input>): Promise<End> => {
  const { main, journal, log, clock } = stretch
  const job = createGuestJob(1, MAX_BYTES)
  const { activity } = job
  let resolveEnd: (end: End) => void = () => undefined
  const ended = new Promise<End>((resolve) => {
    resolveEnd = resolve
  })
  const steps = new AsyncLocalStorage<StepScope>()
  const stop = (end: End): void => {
    job.ended = true
    resolveEnd(end)
  }
  const access = accessOf(
    job,
    callOf(stretch, job, () => stop({ kind: 'lost' })),
    {
      maxInputBytes: MAX_BYTES,
      stepOf: () => steps.getStore(),
      saveDraws: () => durable.saveDraws(),
    },
  )
  const { durable: host, ...others } = access
  const cancelSignal = createCancelSignal(() => undefined)
  const durable: DurableRun = createDurable({
    cancelSignal,
    journal: journal.read(),
    host,
    activity,
    scope: { get: () => steps.getStore(), run: (value, act) => steps.run(value, act) },
    describe: (thrown) => describeThrown(thrown, formatValues),
    warn: (text) => void log.push(text),
    clock,
    pause: async () => undefined,
    onSuspend: ({ steps: names, history }) => {
      if (job.ended) return
      journal.suspend(names, history)
      stop({ kind: 'suspended' })
    },
  })
  const run = async (): Promise<End> => {
    const parts = { host: others, durable: durable.calls, cancelSignal }
    const returned = await main(contextOf(stretch, job, parts))
    durable.close()
    const result = toResult(returned, MAX_BYTES)
    // calls that the action does not wait for
    await turn()
    return 'json' in result
      ? { kind: 'ended', json: result.json }
      : { kind: 'failed', failure: result.failure }
  }
  const release = countTimers(job, () => {
    Promise.race([run(), job.failed]).then(stop, (thrown: unknown) => {
      activity.onIdle = null
      stop({ kind: 'failed', failure: describeThrown(thrown, formatValues) })
    })
  })
  return ended.finally(release)
}
