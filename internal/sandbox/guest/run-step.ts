/** Runs the function of a durable step, with its tries, and records how it ended [durable 1.3, 2]. */
import { MAX_STEP_RESULT_BYTES } from '#core/durable/limits.ts'
import { afterThrow, type HistoryEntry, type RetryPolicy } from '#core/durable/step.ts'
import type { Activity } from './activity.ts'
import type { SaveDraws } from './draw-saver.ts'
import { codeOf, type Failure } from './failure.ts'
import type { Scope } from './io/guest-io.ts'
import type { Place } from './journal.ts'
import type { OpenWaits } from './open-waits.ts'
import { type Frame, named, type StepNames } from './step-names.ts'
import type { DurableHost, StepEnd, StepScope } from './step-records.ts'
import { isLargerThan } from './text-size.ts'

export type StepRequest = Readonly<{
  place: Place
  act: () => unknown
  retry: RetryPolicy | null
  /** The caller's stack. */
  frame: Frame
}>

export type StepRunnerOptions = Readonly<{
  host: Pick<DurableHost, 'record'>
  activity: Activity
  scope: Scope<StepScope>
  takeDeliveries: () => readonly HistoryEntry[]
  saveDraws: SaveDraws
  names: StepNames
  waits: OpenWaits
  describe: (thrown: unknown) => Failure
  /** Whether the job has ended, after which no function of a step is called. */
  isOver: () => boolean
  /** Aborts when the job is canceled, after which no function is called again. */
  cancelSignal: () => AbortSignal
  /** Waits for the given milliseconds. @default by the clock of the machine */
  pause?: ((ms: number) => Promise<void>) | undefined
}>

/** Runs the function until it succeeds. @throws what it threw, once it has failed for good */
export type RunStep = (request: StepRequest, firstTry: number) => Promise<unknown>

const { parse, stringify } = JSON
const { random } = Math
// saved before user code can replace it
const { setTimeout } = globalThis
const monotonic = performance.now.bind(performance)

const pauseHere = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** Resolves when the signal aborts, or after the wait. */
const endOrAbort = (wait: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    wait.then(end, reject)
  })

const stringifyResult = (value: unknown): string | undefined => {
  try {
    return stringify(value)
  } catch (error) {
    throw named('InvalidResult', `A step must return what JSON can hold: ${String(error)}`)
  }
}

/** @throws {Error} InvalidResult, StepResultTooLarge */
const toJson = (value: unknown): string => {
  const json = value === undefined ? 'null' : stringifyResult(value)
  if (json === undefined) {
    throw named(
      'InvalidResult',
      `A step must return what JSON can hold, not a value of type ${typeof value}.`,
    )
  }
  if (!isLargerThan(json, MAX_STEP_RESULT_BYTES)) return json
  throw named(
    'StepResultTooLarge',
    'The result of a step holds at most 4 MiB as JSON. Return less, or store it and return where it is.',
  )
}

/** Errors of svc itself that would occur again at another try. */
const FINAL: ReadonlySet<string> = new Set(['InvalidResult', 'StepResultTooLarge'])

type Tried = Readonly<{ json: string } | { thrown: unknown }>
type Next = Readonly<{ value: unknown } | { delayMs: number }>

/** Creates the runner of one attempt. */
export const createStepRunner = (options: StepRunnerOptions): RunStep => {
  const { host, activity, scope, takeDeliveries, saveDraws, names, waits, describe } = options
  const { isOver, cancelSignal, pause = pauseHere } = options

  const attempt = async ({ place, act }: StepRequest): Promise<Tried> => {
    try {
      const value = await scope.run({ name: place.name, starts: 0 }, async () => await act())
      return { json: toJson(value) }
    } catch (thrown) {
      return { thrown }
    }
  }

  const isCanceledWithin = async (delayMs: number): Promise<boolean> => {
    const signal = cancelSignal()
    if (!signal.aborted) await endOrAbort(pause(delayMs), signal)
    return signal.aborted
  }

  const tryOnce = async (request: StepRequest, tries: number): Promise<Next> => {
    const { place, retry, frame } = request
    await saveDraws()
    // the timer of a delay goes on while the process runs its next job
    if (isOver()) return await new Promise<never>(() => undefined)
    const startedAt = monotonic()
    const tried = await attempt(request)
    names.compare(place, frame)
    const tookMs = Math.round(monotonic() - startedAt)
    const record = (
      end: Pick<StepEnd, 'status' | 'valueJson' | 'error' | 'delayMs'>,
    ): Promise<void> => host.record({ ...place, tries, tookMs, history: takeDeliveries(), ...end })
    if ('json' in tried) {
      await record({ status: 'success', valueJson: tried.json })
      const value: unknown = parse(tried.json)
      return { value }
    }
    const { isFinal = FINAL.has(describe(tried.thrown).name), ...said } = describe(tried.thrown)
    const error = { ...said, ...codeOf(tried.thrown) }
    const next = afterThrow(retry, { failures: tries, error, isFinal, random: random() })
    if (next.kind === 'delay') {
      const { delayMs } = next
      await record({ status: 'running', error, delayMs })
      return { delayMs }
    }
    const goesOn = next.kind === 'hold' && !(await isCanceledWithin(next.delayMs))
    if (goesOn) return { delayMs: 0 }
    // refused with `Canceled` when the job was canceled
    await record({ status: 'failure', error })
    throw tried.thrown
  }

  return async (request, firstTry) => {
    for (let tries = firstTry; ; tries += 1) {
      const end = activity.begin()
      const next = await tryOnce(request, tries).finally(end)
      if ('value' in next) return next.value
      // the attempt may be suspended here
      if (next.delayMs > 0) await waits.until(request.place, next.delayMs)
    }
  }
}
