/** How many runs of a flow are under way at once, for each key [flows 17]. */
import {
  type ConcurrencyLimit,
  type ConcurrencyPolicy,
  resolveKey,
} from '../action/concurrency-key.ts'
import { inputText } from '../action/input-text-field.ts'
import type { AppAddress } from '../app-address.ts'
import type { JsonValue } from '../json/value.ts'
import { mapping, wholeNumber } from '../manifest/fields.ts'
import { isRunOver, type RunStatus } from './run.ts'

export const flowConcurrency = mapping(
  { limit: wholeNumber(1, 10_000), key: inputText.default('all') },
  '{ limit: 1 }',
)

/**
 * What a run with a concurrency key has of its key: it waits for its time (`delayed`), then for a concurrency slot (`waiting`), and
 * holds the slot from before its first step until it is over (`holding`).
 */
export const CONCURRENCY_STATES = ['delayed', 'waiting', 'holding'] as const
export type ConcurrencyState = (typeof CONCURRENCY_STATES)[number]

type LimitedRun = Readonly<{
  concurrencyState: ConcurrencyState | null
  concurrencyLimit: number | null
  status: RunStatus
}>

/** Returns why a run has not begun although its time has come; null if it waits for no slot. */
export const waitingForSlot = ({
  concurrencyState,
  concurrencyLimit,
  status,
}: LimitedRun): Readonly<{ reason: 'concurrency'; detail: string }> | null => {
  if (isRunOver(status) || concurrencyState !== 'waiting') return null
  const detail = `It waits for the end of a run of its concurrency key, of which at most ${concurrencyLimit} may be under way.`
  return { reason: 'concurrency', detail }
}

type Limited = Readonly<{
  key: string
  concurrency?: Pick<ConcurrencyPolicy, 'limit' | 'key'> | undefined
}>

/**
 * Returns the limit that holds for a run with this input. Keys of a flow never equal those of another flow.
 * @returns null if the flow has none
 * @throws {AppError} invalid: the input lacks what the key refers to, or the key grows too long
 */
export const flowLimitOf = (
  { ws, app }: AppAddress,
  { key: flow, concurrency }: Limited,
  input: JsonValue,
): ConcurrencyLimit | null => {
  if (concurrency === undefined) return null
  const group = `${ws}/${app}/${flow}`
  const key = resolveKey('concurrency', { group, key: concurrency.key, of: 'flow' }, input)
  return { key, limit: concurrency.limit }
}
