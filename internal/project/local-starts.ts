/**
 * `ctx.run` and `ctx.startFlow` without a server: actions and flows of the same folder, started at once whatever their delay,
 * and awaited by the command.
 */
import { v7 } from 'uuid'
import { AppError, notFound } from '#core/error.ts'
import type { ChildOutcome } from '#core/flow/run.ts'
import {
  keyMismatch,
  nextChainDepth,
  readStartInput,
  readStartOptions,
  readTarget,
  type StartCall,
  type StartTarget,
  targetText,
} from '#core/job/start-call.ts'
import type { JsonObject } from '#core/json.ts'

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
    input: JsonObject,
  ) => Promise<(chainDepth: number) => Promise<Pick<LocalStarted, 'outcome' | 'log' | 'ms'>>>
  onEnded: (started: LocalStarted) => void
}>

export type LocalStarts = Readonly<{
  /** @param chainDepth of the caller; null for a function. @returns an id @throws {AppError} it was refused */
  start: (call: StartCall, chainDepth: number | null) => Promise<string>
  /** Resolves when all that was started has ended. */
  settled: () => Promise<void>
}>

const MAX_INPUT_BYTES = 1_048_576

const toFailure = (error: unknown): ChildOutcome => {
  if (!(error instanceof AppError)) throw error
  return { kind: 'failure', error: { name: 'Error', message: error.message } }
}

export const createLocalStarts = ({ app, prepare, onEnded }: LocalTargets): LocalStarts => {
  const running = new Set<Promise<void>>()
  const keys = new Map<string, Readonly<{ id: string; target: string }>>()

  const start = async (call: StartCall, chainDepth: number | null): Promise<string> => {
    const target = readTarget(call, app)
    const { idempotencyKey } = readStartOptions(call.kind, call.options)
    const text = targetText(target)
    const first = idempotencyKey === undefined ? undefined : keys.get(idempotencyKey)
    if (first !== undefined) {
      if (first.target === text) return first.id
      throw keyMismatch()
    }
    const depth = chainDepth === null ? 0 : nextChainDepth(chainDepth)
    const input = readStartInput(call.inputJson, MAX_INPUT_BYTES)
    if (target.app !== app) throw notFound(`App "${target.app}"`, { code: 'app_not_found' })
    const act = await prepare(target, input)
    const id = v7()
    if (idempotencyKey !== undefined) keys.set(idempotencyKey, { id, target: text })
    const end = act(depth)
      .catch((error: unknown) => ({ outcome: toFailure(error), log: '', ms: 0 }))
      .then((ended) => {
        running.delete(end)
        onEnded({ id, what: `${target.kind} ${target.key}`, ...ended })
      })
    running.add(end)
    return id
  }

  return {
    start,
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
