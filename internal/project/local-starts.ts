/**
 * `ctx.run`, `ctx.startFlow` and `ctx.sendEvent` without a server: actions and flows of the same folder, started at once
 * whatever their delay, and awaited by the command. An event starts what the folder's app.yaml names for it.
 */
import { v7 } from 'uuid'
import { AppError, notFound } from '#core/error.ts'
import type { ChildOutcome } from '#core/flow/run.ts'
import {
  keyMismatch,
  nextChainDepth,
  readEventCall,
  readStartInput,
  readStartOptions,
  readTarget,
  type StartCall,
  type StartTarget,
  targetText,
} from '#core/job/start-call.ts'
import type { JsonValue } from '#core/json.ts'
import type { LocalEvent } from './local-waits.ts'

/** A job or flow run that was started, when it has ended. */
export type LocalStarted = Readonly<{
  id: string
  /** `action greet` or `flow report`. */
  what: string
  outcome: ChildOutcome
  log: string
  ms: number
}>

export type LocalTargets = Readonly<{
  /** The key of the app of this folder. */
  app: string
  /**
   * Finds what to run. @throws {AppError} not_found; invalid: the input does not fit
   */
  prepare: (
    target: StartTarget,
    input: JsonValue,
  ) => Promise<(chainDepth: number) => Promise<Pick<LocalStarted, 'outcome' | 'log' | 'ms'>>>
  /** What an event of this name starts. */
  targetsOf: (eventName: string) => readonly StartTarget[]
  /** Called with each event that is sent. */
  onSent: (event: LocalEvent) => void
  onEnded: (started: LocalStarted) => void
}>

export type LocalStarts = Readonly<{
  /** @param chainDepth of the caller; null for a function. @returns an id @throws {AppError} it was refused */
  start: (call: StartCall, chainDepth: number | null) => Promise<string>
  /** Starts a job for `ctx.call`. @returns what waits for its end @throws {AppError} it was refused */
  call: (call: StartCall, chainDepth: number) => Promise<() => Promise<ChildOutcome>>
  /** Resolves when all that was started has ended. */
  settled: () => Promise<void>
}>

const MAX_INPUT_BYTES = 1_048_576

const toFailure = (error: unknown): ChildOutcome => {
  if (!(error instanceof AppError)) throw error
  return { kind: 'failure', error: { name: 'Error', message: error.message } }
}

export const createLocalStarts = ({
  app,
  prepare,
  targetsOf,
  onSent,
  onEnded,
}: LocalTargets): LocalStarts => {
  const running = new Set<Promise<ChildOutcome>>()
  const sent = new Set<string>()
  const outcomes = new Map<string, Promise<ChildOutcome>>()
  const keys = new Map<string, Readonly<{ id: string; target: string }>>()

  const begin = async (
    target: StartTarget,
    input: JsonValue,
    chainDepth: number,
  ): Promise<string> => {
    const act = await prepare(target, input)
    const id = v7()
    const end = act(chainDepth)
      .catch((error: unknown) => ({ outcome: toFailure(error), log: '', ms: 0 }))
      .then((ended) => {
        running.delete(end)
        onEnded({ id, what: `${target.kind} ${target.key}`, ...ended })
        return ended.outcome
      })
    running.add(end)
    outcomes.set(id, end)
    return id
  }

  const send = async (call: StartCall, chainDepth: number): Promise<string> => {
    const { name, key = null, id = v7(), data } = readEventCall(call, MAX_INPUT_BYTES)
    if (sent.has(id)) return id
    sent.add(id)
    onSent({ name, key, data })
    for (const target of targetsOf(name)) await begin(target, data, chainDepth)
    return id
  }

  const start = async (call: StartCall, callerDepth: number | null): Promise<string> => {
    const { kind } = call
    const chainDepth = callerDepth === null ? 0 : nextChainDepth(callerDepth)
    if (kind === 'event') return send(call, chainDepth)
    const target = readTarget({ ...call, kind }, app)
    const { idempotencyKey } = readStartOptions(kind, call.options)
    const text = targetText(target)
    const first = idempotencyKey === undefined ? undefined : keys.get(idempotencyKey)
    if (first !== undefined) {
      if (first.target === text) return first.id
      throw keyMismatch()
    }
    const input = readStartInput(call.inputJson, MAX_INPUT_BYTES)
    if (target.app !== app) throw notFound(`App "${target.app}"`, { code: 'app_not_found' })
    const id = await begin(target, input, chainDepth)
    if (idempotencyKey !== undefined) keys.set(idempotencyKey, { id, target: text })
    return id
  }

  return {
    start,
    call: async (call, chainDepth) => {
      const outcome = outcomes.get(await start(call, chainDepth))
      if (outcome === undefined) throw new Error('The called job was not started.')
      return () => outcome
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
