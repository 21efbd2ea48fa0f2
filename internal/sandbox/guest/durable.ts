/**
 * Durable steps of one attempt [durable 1 to 3], by the rules of core/durable and what the host has recorded. A
 * step that has ended takes its result from the journal. Any other is recorded before its promise resolves.
 */
import { readDuration, readStepRetry, readWait } from '#core/durable/options.ts'
import {
  type CalledKind,
  type HistoryEntry,
  type Meeting,
  meetStep,
  type StepError,
  type StepKind,
} from '#core/durable/step.ts'
import type { Activity } from './activity.ts'
import { createDeliveries, foldHistory } from './deliveries.ts'
import { createDrawSaver, type SaveDraws } from './draw-saver.ts'
import { createDraws } from './draws.ts'
import type { Failure } from './failure.ts'
import type { Scope } from './io/guest-io.ts'
import { type Place, readJournal } from './journal.ts'
import { createOpenWaits } from './open-waits.ts'
import { createStepRunner } from './run-step.ts'
import { createStepNames, type Frame, named, stepMismatch } from './step-names.ts'
import type { DurableHost, Head, Journal, StepBegin, StepScope } from './step-records.ts'

export type DurableOptions = Readonly<{
  journal: Journal
  host: DurableHost
  activity: Activity
  scope: Scope<StepScope>
  describe: (thrown: unknown) => Failure
  warn: (text: string) => void
  /** The clock of `ctx.now()`. @default the clock of the machine */
  clock?: () => number
  /** Whether the job has ended. @default never */
  isOver?: () => boolean
  /** Aborts when the job is canceled. */
  cancelSignal: () => AbortSignal
  /** Waits between two tries of a step while the process stays. @default by the clock of the machine */
  pause?: (ms: number) => Promise<void>
  /** Called when the attempt cannot go on before one of these steps ends. */
  onSuspend: (
    suspension: Readonly<{ steps: readonly string[]; history: readonly HistoryEntry[] }>,
  ) => void
}>

type Call = (name: unknown, target: unknown, input?: unknown, options?: unknown) => Promise<unknown>

/** The durable members of `ctx`. */
export type DurableCalls = Readonly<{
  step: (name: unknown, act: unknown, options?: unknown) => Promise<unknown>
  sleep: (name: unknown, duration: unknown) => Promise<void>
  waitForEvent: (name: unknown, options: unknown) => Promise<unknown>
  call: Call
  callFlow: Call
  now: () => number
  random: () => number
  uuid: () => string
}>

export type DurableRun = Readonly<{
  calls: DurableCalls
  /** Call it when the script has returned. */
  close: () => void
  saveDraws: SaveDraws
}>

const toError = ({ name, message, ...known }: StepError): Error =>
  Object.assign(named(name, message), known)

const isFunction = (act: unknown): act is () => unknown => typeof act === 'function'

/** The stack of the script's call, for a warning. */
const frameOf =
  (error: Error): Frame =>
  () =>
    (error.stack ?? '').split('\n').slice(2).join('\n')

/** The request of a call to the host, and the stack of the script's call. */
type Asked = Readonly<{ begin: (head: Head) => StepBegin; frame: Frame }>
type WaitKind = Exclude<StepKind, 'step'>
type Ended = Readonly<{ value: unknown }>
/** A step that has not ended, and what to do with it. */
type Open = Readonly<{
  meeting: Exclude<Meeting, Readonly<{ kind: 'return' | 'throw' | 'mismatch' }>>
  tries: number
}>

type Wait = (given: unknown, kind: WaitKind, asked: Asked) => Promise<unknown>

/** Creates `ctx.call` or `ctx.callFlow`. The error with which a call ends names the action or flow. */
const callOf =
  (wait: Wait, calls: CalledKind): Call =>
  async (given, target, input, options) => {
    const frame = frameOf(new Error('step'))
    const begin = (head: Head): StepBegin => ({
      ...head,
      kind: 'job',
      calls,
      ...{ target, input, options },
    })
    try {
      return await wait(given, 'job', { frame, begin })
    } catch (error) {
      throw error instanceof Error ? Object.assign(error, { [calls]: target }) : error
    }
  }

type WaitCalls = Pick<DurableCalls, 'sleep' | 'waitForEvent' | 'call' | 'callFlow'>

/** The calls that begin something and wait for its end. */
const waitCalls = (wait: Wait): WaitCalls => ({
  sleep: async (given, duration) => {
    const frame = frameOf(new Error('step'))
    const ms = Math.max(0, readDuration(duration))
    await wait(given, 'sleep', { frame, begin: (head) => ({ ...head, kind: 'sleep', ms }) })
  },
  waitForEvent: async (given, waitOptions) => {
    const frame = frameOf(new Error('step'))
    const { name: event, ...rest } = readWait(waitOptions)
    const begin = (head: Head): StepBegin => ({ ...head, kind: 'event', event, ...rest })
    return await wait(given, 'event', { frame, begin })
  },
  call: callOf(wait, 'action'),
  callFlow: callOf(wait, 'flow'),
})

/** Creates the durable steps of one attempt. */
export const createDurable = (options: DurableOptions): DurableRun => {
  const { journal, host, activity, scope, warn, isOver = () => false } = options
  const steps = readJournal(journal, host.page)
  const { delivered, drawn } = foldHistory(journal.history)
  const draws = createDraws(drawn, () => scope.get() !== undefined, options.clock)
  const deliveries = createDeliveries(delivered, { activity, cutDraws: draws.cut })
  const takeHistory = (): readonly HistoryEntry[] => [
    ...deliveries.take(),
    ...draws.take().map((value) => [value] as const),
  ]
  const drawSaver = createDrawSaver((isOwed) =>
    isOwed || draws.hasPending() ? host.recordHistory(takeHistory()) : null,
  )
  const names = createStepNames(steps, { outer: () => scope.get()?.name, warn })
  const waits = createOpenWaits(activity, (open) => {
    deliveries.close()
    names.finish()
    options.onSuspend({ steps: open, history: takeHistory() })
  })
  const runStep = createStepRunner({
    ...options,
    isOver,
    takeDeliveries: deliveries.take,
    saveDraws: drawSaver.save,
    names,
    waits,
  })

  /** Runs a call, and delivers its result to the script in its turn. */
  const inTurn = async (
    given: unknown,
    act: (place: Place) => Promise<unknown>,
  ): Promise<unknown> => {
    const place = names.meet(given)
    deliveries.open(place.position)
    try {
      return await act(place)
    } finally {
      await deliveries.turn(place.position)
    }
  }

  /** @throws the recorded error of the step */
  const meet = async (place: Place, kind: StepKind): Promise<Ended | Open> => {
    const recorded = await steps.take(place.name)
    const meeting = meetStep(recorded, kind)
    if (meeting.kind === 'return') return { value: meeting.value }
    if (meeting.kind === 'throw') throw toError(meeting.error)
    if (meeting.kind === 'mismatch') throw stepMismatch(place.name, kind, meeting.recorded)
    return { meeting, tries: recorded?.tries ?? 0 }
  }

  const step = async (given: unknown, act: unknown, stepOptions?: unknown): Promise<unknown> => {
    const frame = frameOf(new Error('step'))
    if (!isFunction(act)) throw new TypeError('ctx.step takes a name and a function.')
    const retry = readStepRetry(stepOptions)
    return await inTurn(given, async (place) => {
      const met = await meet(place, 'step')
      if ('value' in met) return met.value
      const { meeting, tries } = met
      if (meeting.kind === 'wait') await waits.until(place, meeting.dueInMs)
      const firstTry = meeting.kind === 'run' ? meeting.tries : tries + 1
      return await runStep({ place, act, retry, frame }, firstTry)
    })
  }

  /** Runs a sleep, a wait or a call. Only a sleep can end in the attempt that began it, or in one that meets it before it is due. */
  const takeWait = async (
    place: Place,
    kind: WaitKind,
    { begin, frame }: Asked,
  ): Promise<unknown> => {
    const met = await meet(place, kind)
    if ('value' in met) return met.value
    const { meeting } = met
    let dueInMs = meeting.kind === 'wait' ? meeting.dueInMs : null
    if (meeting.kind !== 'wait') {
      names.compare(place, frame)
      const begun = await drawSaver.watch(host.begin(begin({ ...place, history: takeHistory() })))
      if (begun.status === 'success') return begun.value
      if (begun.status === 'failure') throw toError(begun.error ?? { name: 'Error', message: '' })
      dueInMs = begun.dueInMs
    }
    await waits.until(place, kind === 'sleep' ? dueInMs : null)
    return null
  }
  const wait: Wait = (given, kind, asked) => inTurn(given, (place) => takeWait(place, kind, asked))

  return {
    close: () => {
      waits.close()
      deliveries.close()
      names.finish()
    },
    saveDraws: drawSaver.save,
    calls: {
      step,
      ...waitCalls(wait),
      now: draws.now,
      random: draws.random,
      uuid: draws.uuid,
    },
  }
}
