/**
 * `ctx.run`, `ctx.startFlow`, `ctx.sendEvent` and `ctx.cancel` without a server: actions and flows of the same folder start at
 * once, whatever their delay, and the command waits for them. An event starts the targets that the folder's app.yaml names for it.
 */
import { v7 } from 'uuid'
import { AppError } from '#core/error.ts'
import type { ChildOutcome } from '#core/flow/run.ts'
import { type CancelCall, nothingToCancel } from '#core/job/cancel-call.ts'
import {
  keyMismatch,
  nextChainDepth,
  readEventCall,
  readStartOptions,
  refuseCancelWithJob,
  type StartCall,
  type StartOptions,
  type WorkCall,
} from '#core/job/start-call.ts'
import { readTarget, requireInput, type StartTarget, targetText } from '#core/job/start-target.ts'
import type { JsonValue } from '#core/json/value.ts'
import { appNotFound } from '#core/target-not-found.ts'
import type { SandboxRun } from '#sandbox/sandbox.ts'
import { readCallJson } from '#service/portions/read-json.ts'
import type { LocalEvent } from './local-waits.ts'

/** A job or flow run that was started and has ended. */
export type LocalStarted = Readonly<{
  id: string
  /** For example `action greet` or `flow report`. */
  what: string
  outcome: ChildOutcome
  log: string
  ms: number
}>

/** The value of `ctx.trigger`. */
export type LocalTrigger = SandboxRun['trigger']

/** The job that starts something. */
export type LocalCaller = Readonly<{
  /** The job whose id numbers the calls. They count once, however often its code runs from the top [jobs 15.3]. */
  callsOf: string
  chainDepth: number
  /** Aborted when it is canceled. */
  canceled?: AbortSignal | undefined
}>

/** Why a job or run starts. */
export type LocalCause = Readonly<{ chainDepth: number; trigger: LocalTrigger }>

/** Aborted when the job or run is canceled. */
export type LocalBeginning = LocalCause & Readonly<{ id: string; canceled: AbortSignal }>

/** A running job or flow run. */
export type LocalBegun = Readonly<{ id: string; ended: Promise<ChildOutcome> }>

export type LocalTargets = Readonly<{
  /** The key of the app of this folder. */
  app: string
  /** Finds the target to run. @throws {AppError} not_found; invalid: the input does not fit */
  prepare: (
    target: StartTarget,
    input: JsonValue,
  ) => Promise<(beginning: LocalBeginning) => Promise<Pick<LocalStarted, 'outcome' | 'log' | 'ms'>>>
  /** The targets that an event of this name starts. */
  targetsOf: (eventName: string) => readonly StartTarget[]
  /** Called with each event that is sent. @returns the number of waits that it ended */
  onSent: (event: LocalEvent) => number
  onEnded: (started: LocalStarted) => void
}>

export type LocalStarts = Readonly<{
  /** @param caller null for a function. @returns an id @throws {AppError} the start was refused */
  start: (call: StartCall, caller: LocalCaller | null) => Promise<string>
  /** @returns false if it has ended @throws {AppError} nothing here has the id */
  cancel: (call: CancelCall) => Promise<boolean>
  /**
   * Starts a job for `ctx.call`, or a flow run for `ctx.callFlow`.
   * @returns a function that waits for its end
   * @throws {AppError} the start was refused
   */
  call: (
    call: WorkCall,
    caller: Omit<LocalCaller, 'callsOf'>,
  ) => Promise<() => Promise<ChildOutcome>>
  /** Starts a target as webhooks and schedules do. @throws {AppError} not_found; invalid: the input does not fit */
  begin: (
    target: Pick<StartTarget, 'kind' | 'key'>,
    input: JsonValue,
    trigger: LocalTrigger,
  ) => Promise<LocalBegun>
  /** Sends an event from outside. */
  send: (event: SentEvent) => Promise<LocalDelivery>
  /** Resolves when everything that was started has ended. */
  settled: () => Promise<void>
}>

export type LocalDelivery = Readonly<{
  id: string
  /** How many waits it ended and targets it started; 0 for a repeated id. */
  delivered: number
  /** The ids of its targets, including those that refused it, and not of what these start. */
  targets: readonly string[]
}>

/** An event as `POST /events` takes it. */
export type SentEvent = Readonly<{
  name: string
  key?: string | null | undefined
  id?: string | undefined
  data: JsonValue
}>

const MAX_INPUT_BYTES = 1_048_576

const whatOf = ({ kind, key }: Pick<StartTarget, 'kind' | 'key'>): string => `${kind} ${key}`

/** The key of a call that its caller did not name. */
const ownKey = ({ step, number }: StartCall, caller: LocalCaller | null): string | undefined => {
  if (caller === null) return undefined
  return step === undefined
    ? `${caller.callsOf}/${number}`
    : `${caller.callsOf}/step/${step}/${number}`
}

/** @throws {AppError} invalid */
const optionsOf = (
  kind: StartTarget['kind'],
  call: StartCall,
  caller: LocalCaller | null,
): StartOptions => {
  const options = readStartOptions(kind, call.options)
  if (caller === null) refuseCancelWithJob(options)
  return options
}

const toFailure = (error: unknown): ChildOutcome => {
  if (!(error instanceof AppError)) throw error
  return { kind: 'failure', error: { name: 'Error', message: error.message } }
}

const toFailedEnd = (error: unknown) => ({ outcome: toFailure(error), log: '', ms: 0 })

/** What calls with a key have started. */
const createKeyedCalls = () => {
  const first = new Map<string, Readonly<{ id: string; target: string }>>()
  return {
    /** @throws {AppError} conflict: a call with this key has started another target */
    find: (key: string | undefined, target: string): string | undefined => {
      const found = key === undefined ? undefined : first.get(key)
      if (found !== undefined && found.target !== target) throw keyMismatch()
      return found?.id
    },
    keep: (key: string | undefined, target: string, id: string): string => {
      if (key !== undefined) first.set(key, { id, target })
      return id
    },
  }
}

/** What has begun, until it ends or is canceled. */
const createBegunWork = () => {
  const running = new Map<string, Promise<ChildOutcome>>()
  const cancels = new Map<string, AbortController>()
  return {
    run: (
      id: string,
      act: (canceled: AbortSignal) => Promise<ChildOutcome>,
    ): Promise<ChildOutcome> => {
      const cancel = new AbortController()
      const ended = act(cancel.signal).finally(() => running.delete(id))
      cancels.set(id, cancel)
      running.set(id, ended)
      return ended
    },
    cancel: async ({ id }: CancelCall): Promise<boolean> => {
      const cancel = cancels.get(id)
      if (cancel === undefined) throw nothingToCancel({ permissionedAs: 'you' })
      cancel.abort()
      return running.has(id)
    },
    /** Cancels it when the job that has started it is canceled, or at once if that was while it started. */
    cancelWith: (caller: Pick<LocalCaller, 'canceled'> | null, id: string): void => {
      const cancel = (): void => cancels.get(id)?.abort()
      if (caller?.canceled?.aborted === true) cancel()
      else caller?.canceled?.addEventListener('abort', cancel)
    },
    settled: async (): Promise<void> => {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}

export const createLocalStarts = ({
  app,
  prepare,
  targetsOf,
  onSent,
  onEnded,
}: LocalTargets): LocalStarts => {
  const begun = createBegunWork()
  const sent = new Set<string>()
  const keyed = createKeyedCalls()

  const begin = async (
    target: Pick<StartTarget, 'kind' | 'key'>,
    input: JsonValue,
    cause: LocalCause,
  ): Promise<LocalBegun> => {
    const act = await prepare({ ...target, app }, input)
    const id = v7()
    const run = async (canceled: AbortSignal): Promise<ChildOutcome> => {
      const end = await act({ ...cause, id, canceled }).catch(toFailedEnd)
      onEnded({ id, what: whatOf(target), ...end })
      return end.outcome
    }
    return { id, ended: begun.run(id, run) }
  }

  /** A target whose input does not fit is skipped, as on a server, and shown as a failure [events 3.3]. */
  const beginByEvent = async (
    target: StartTarget,
    { data, ...event }: NonNullable<LocalTrigger['event']> & Pick<LocalEvent, 'data'>,
    chainDepth: number,
  ): Promise<Readonly<{ id: string; isBegun: boolean }>> => {
    try {
      const { id } = await begin(target, data, { chainDepth, trigger: { kind: 'event', event } })
      return { id, isBegun: true }
    } catch (refusal) {
      const id = v7()
      onEnded({ id, what: whatOf(target), ...toFailedEnd(refusal) })
      return { id, isBegun: false }
    }
  }

  const send = async (
    { name, key = null, id = v7(), data }: SentEvent,
    chainDepth: number,
  ): Promise<LocalDelivery> => {
    if (sent.has(id)) return { id, delivered: 0, targets: [] }
    sent.add(id)
    const event = { id, name, key, data }
    let delivered = onSent(event)
    const targets: string[] = []
    for (const target of targetsOf(name)) {
      const tried = await beginByEvent(target, event, chainDepth)
      targets.push(tried.id)
      if (tried.isBegun) delivered += 1
    }
    return { id, delivered, targets }
  }

  const sendOnce = async (call: StartCall, caller: LocalCaller | null): Promise<string> => {
    const event = readEventCall(call)
    const key = event.id === undefined ? ownKey(call, caller) : undefined
    const target = `event ${event.name}`
    const first = keyed.find(key, target)
    if (first !== undefined) return first
    const data = await readCallJson(call.inputJson, 'data', MAX_INPUT_BYTES)
    const chainDepth = caller === null ? 0 : nextChainDepth(caller.chainDepth)
    const { id } = await send({ ...event, data }, chainDepth)
    return keyed.keep(key, target, id)
  }

  const beginCalled = async (
    call: StartCall,
    target: StartTarget,
    caller: Pick<LocalCaller, 'chainDepth'> | null,
  ): Promise<LocalBegun> => {
    const chainDepth = caller === null ? 0 : nextChainDepth(caller.chainDepth)
    const input = requireInput(await readCallJson(call.inputJson, 'input', MAX_INPUT_BYTES))
    if (target.app !== app) throw appNotFound(target.app)
    const trigger = { kind: caller === null ? 'function' : 'job' } as const
    return begin(target, input, { chainDepth, trigger })
  }

  const start = async (call: StartCall, caller: LocalCaller | null): Promise<string> => {
    const { kind } = call
    if (kind === 'event') return sendOnce(call, caller)
    const target = readTarget({ ...call, kind }, app)
    const { idempotencyKey = ownKey(call, caller), ...options } = optionsOf(kind, call, caller)
    const text = targetText(target)
    const first = keyed.find(idempotencyKey, text)
    if (first !== undefined) return first
    const { id } = await beginCalled(call, target, caller)
    if (options.cancelWithJob === true) begun.cancelWith(caller, id)
    return keyed.keep(idempotencyKey, text, id)
  }

  return {
    start,
    cancel: begun.cancel,
    call: async (call, caller) => {
      readStartOptions(call.kind, call.options)
      const { id, ended } = await beginCalled(call, readTarget(call, app), caller)
      begun.cancelWith(caller, id)
      return () => ended
    },
    begin: (target, input, trigger) => begin(target, input, { chainDepth: 0, trigger }),
    send: (event) => send(event, 0),
    settled: begun.settled,
  }
}
