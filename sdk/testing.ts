/**
 * `@svc/sdk/testing`: runs a durable action in the process of a unit test, with the same rules and code
 * as svc. The clock moves only when the test moves it.
 *
 *     const run = await testDurable(main, { input: { order: 'o1' } })
 *     await run.sendEvent('order.paid', { key: 'o1', data: { amount: 20 } })
 *     await run.advance({ days: 2 })
 *     assert.deepEqual(run.result, { shipped: true })
 */
import { readDuration } from '../internal/core/durable/options.ts'
import type { EventOptions, Json, Main, SleepDuration } from './mod.ts'
import { createTestJournal } from './testing-journal.ts'
import { runStretch } from './testing-run.ts'
import type {
  TestDurableOptions,
  TestedCancel,
  TestedStart,
  TestedStep,
  TestedWait,
} from './testing-types.ts'
import { createTestWorld } from './testing-world.ts'

export type {
  TestAction,
  TestDurableOptions,
  TestedCancel,
  TestedStart,
  TestedStep,
  TestedWait,
} from './testing-types.ts'

export interface DurableTest {
  readonly status: 'waiting' | 'success' | 'failure' | 'canceled'
  /** The JSON form of the value that `main` returned. @throws {Error} the run has failed, was canceled or has not ended */
  readonly result: unknown
  /** Why it failed or was canceled; else null. */
  readonly error: Readonly<{ name: string; message: string }> | null
  readonly steps: readonly TestedStep[]
  readonly waitingFor: readonly TestedWait[]
  readonly started: readonly TestedStart[]
  readonly canceled: readonly TestedCancel[]
  /** The lines written with `ctx.log`. */
  readonly log: readonly string[]
  readonly state: ReadonlyMap<string, Json>
  /** How often `main` was started from the top. */
  readonly stretches: number
  readonly now: Date
  /**
   * Ends every wait for the name and key, and continues until the run waits or ends. An event that comes before its wait
   * is kept for an hour.
   * @returns how many waits it ended
   */
  sendEvent(name: string, event?: Pick<EventOptions, 'key' | 'data'>): Promise<number>
  /** Moves the clock. The run continues at each time limit that passes, with the clock at that time. */
  advance(duration: SleepDuration): Promise<void>
  /**
   * Cancels the run while it waits, as a person or `ctx.cancel` cancels a job. No code of the action runs any more: it starts
   * from the top only to continue, so a `finally` around a wait does not run either.
   * @returns false if the run has ended
   */
  cancel(options?: { reason?: string }): Promise<boolean>
}

const START = Date.UTC(2026, 0, 1)

const ADVANCE_FORM =
  'advance takes { days, hours, minutes, seconds }, at least one of them, 0 to 366 days.'

/** @throws {TypeError} */
const toMs = (duration: SleepDuration): number => {
  try {
    const ms = readDuration(duration)
    if (ms >= 0) return ms
  } catch (cause) {
    throw new TypeError(ADVANCE_FORM, { cause })
  }
  throw new TypeError(ADVANCE_FORM)
}

/**
 * Starts a durable action, and continues until it waits or ends.
 * @param main the function that the action exports
 */
export const testDurable = async <Input = Json>(
  main: Main<Input>,
  options: TestDurableOptions = {},
): Promise<DurableTest> => {
  const { startAt, maxAttempts = 1 } = options
  let now = startAt?.getTime() ?? START
  let failures = 0
  let crashed = 0
  let stretches = 0
  let status: DurableTest['status'] = 'waiting'
  let result: unknown = null
  let error: DurableTest['error'] = null
  const crashes = new Set(options.crashAfter ?? [])
  const log: string[] = []
  const journal = createTestJournal(() => now)
  const world = createTestWorld(options, journal)
  const parts = { main, options, journal, world, log, crashes, clock: () => now }
  let events = 0

  /** Runs `main` again until the run ends, or still waits for everything that it awaits. */
  const goOn = async (): Promise<void> => {
    do {
      stretches += 1
      const end = await runStretch({ ...parts, attempt: 1 + failures + crashed })
      if (end.kind === 'ended') {
        status = 'success'
        result = JSON.parse(end.json)
      } else if (end.kind === 'failed') {
        const { isFinal, ...failure } = end.failure
        failures += 1
        journal.fail()
        if (isFinal === true || failures >= maxAttempts) {
          status = 'failure'
          error = failure
        }
      } else if (end.kind === 'lost') crashed += 1
    } while (status === 'waiting' && !journal.isWaiting())
    const [unmet] = crashes
    if (status === 'success' && unmet !== undefined) {
      throw new Error(`The run has ended without the step "${unmet}" of crashAfter.`)
    }
  }

  await goOn()
  return {
    get status() {
      return status
    },
    get result() {
      if (status === 'success') return result
      throw new Error(
        error === null ? 'The run has not ended: it waits.' : `${error.name}: ${error.message}`,
      )
    },
    get error() {
      return error
    },
    get steps() {
      return journal.steps(status !== 'waiting')
    },
    get waitingFor() {
      return status === 'waiting' ? journal.waits() : []
    },
    get stretches() {
      return stretches
    },
    get now() {
      return new Date(now)
    },
    started: world.started,
    canceled: world.canceled,
    log,
    state: world.state,
    sendEvent: async (name, { key, data = null } = {}) => {
      if (status !== 'waiting') return 0
      events += 1
      const event = { id: `event-of-test-${events}`, name, key: key ?? null, data }
      const woken = journal.deliver(JSON.parse(JSON.stringify(event)))
      if (woken > 0) await goOn()
      return woken
    },
    advance: async (duration) => {
      const end = now + toMs(duration)
      for (;;) {
        const due = status === 'waiting' ? journal.nextDueAt() : null
        if (due === null || due > end) break
        now = Math.max(now, due)
        journal.endDue()
        await goOn()
      }
      now = end
    },
    cancel: async ({ reason } = {}) => {
      if (status !== 'waiting') return false
      status = 'canceled'
      error = { name: 'Canceled', message: reason ?? 'The job was canceled.' }
      return true
    },
  }
}
