/** The keys under which a job is paced, debounced and takes turns, from its action and input [jobs 18]. */

import {
  type ConcurrencyLimit,
  concurrencyLimitOf,
  groupOf,
  resolveKey,
} from '../action/concurrency-key.ts'
import type { ActionDefinition } from '../action/definition.ts'
import type { JsonValue } from '../json/value.ts'
import { SECOND_MS } from '../time-units.ts'

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
  /** Within which jobs take turns: the action, or the key of its rate (`hasTurnsOfRate`). */
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

/** @throws {AppError} invalid: the input lacks what a key refers to, or a key grows too long */
export const flowControlOf = (target: Target, input: JsonValue): FlowControl => {
  const { ws, app, action, customerId = '' } = target
  const { rate, debounce, fairKey } = action
  const group = `${ws}/${app}/${action.key}`
  const groupOfRate = groupOf(target, rate ?? {})
  const paced = rate && {
    key: resolveKey('rate', { group: groupOfRate, key: rate.key }, input),
    limit: rate.limit,
    windowMs: Math.round(rate.perS * SECOND_MS),
  }
  return {
    concurrency: concurrencyLimitOf(target, input),
    rate: paced,
    debounce: debounce && {
      key: resolveKey('debounce', { group: `${group}/${customerId}`, key: debounce.key }, input),
      quietMs: Math.round(debounce.quietS * SECOND_MS),
      maxMs: Math.round(debounce.maxS * SECOND_MS),
    },
    fair:
      fairKey === null
        ? null
        : {
            group: paced !== null && hasTurnsOfRate(action) ? paced.key : group,
            // a tenant takes its turn once among the actions that share the rate
            key: resolveKey('fair', { group: groupOfRate, key: fairKey }, input),
          },
  }
}

/**
 * Returns whether each key of a rate has rounds of its own, because it has jobs of several fair keys or actions. With rounds of the
 * whole action, a tenant that is new to a slow rate would join a round that a fast one has reached, behind all who wait there.
 */
const hasTurnsOfRate = ({ rate, fairKey }: Controlled): boolean => {
  if (rate?.name !== undefined) return true
  const rateKey = rate?.key ?? ''
  const references = fairKey?.match(/\$\{[^}]*\}/g) ?? []
  return rateKey.includes('${') && references.some((each) => !rateKey.includes(each))
}
