/** The keys under which a job is paced, debounced and takes turns, from its action and input [jobs 18]. */

import { type ConcurrencyLimit, concurrencyLimitOf, resolveKey } from '../action/concurrency-key.ts'
import type { ActionDefinition } from '../action/definition.ts'
import type { JsonValue } from '../json/value.ts'

export type RateLimit = Readonly<{
  key: string
  limit: number
  /** Length of the window in milliseconds. */
  windowMs: number
}>

export type DebounceWindow = Readonly<{
  key: string
  quietMs: number
  /** The latest time, in milliseconds after the first request. */
  maxMs: number
}>

export type FairTurn = Readonly<{
  /** The action, within which jobs take turns. */
  group: string
  key: string
}>

export type FlowControl = Readonly<{
  concurrency: ConcurrencyLimit | null
  rate: RateLimit | null
  debounce: DebounceWindow | null
  fair: FairTurn | null
}>

type Controlled = Pick<ActionDefinition, 'key' | 'concurrency' | 'rate' | 'debounce' | 'fairKey'>

type Target = Readonly<{
  ws: string
  app: string
  action: Controlled
  /** Requests of two customers are never merged into one job. */
  customerId?: string | undefined
}>

const MS_PER_S = 1_000

/** @throws {AppError} invalid: the input lacks what a key refers to, or a key grows too long */
export const flowControlOf = (target: Target, input: JsonValue): FlowControl => {
  const { ws, app, action, customerId = '' } = target
  const { rate, debounce, fairKey } = action
  const group = `${ws}/${app}/${action.key}`
  return {
    concurrency: concurrencyLimitOf(target, input),
    rate: rate && {
      key: resolveKey('rate', { group, key: rate.key }, input),
      limit: rate.limit,
      windowMs: Math.round(rate.perS * MS_PER_S),
    },
    debounce: debounce && {
      key: resolveKey('debounce', { group: `${group}/${customerId}`, key: debounce.key }, input),
      quietMs: Math.round(debounce.quietS * MS_PER_S),
      maxMs: Math.round(debounce.maxS * MS_PER_S),
    },
    fair:
      fairKey === null ? null : { group, key: resolveKey('fair', { group, key: fairKey }, input) },
  }
}
