/**
 * Durable jobs of a chaos run, and the events that they wait for. An event is sent before the wait, at the moment when the
 * wait begins so that event and suspension meet, when the wait is about to time out, or never.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { EVENT_NAME, keyOfEvent } from '../app.ts'
import type { Chance } from '../random.ts'
import type { Sighting, Witness } from '../witness.ts'
import type { Caller } from './caller.ts'

/**
 * `early` and `sent`: the event comes, and the wait takes up to an hour; `close`: it
 * comes about when the wait times out; `never`: it does not come.
 */
export const EVENT_KINDS = ['early', 'sent', 'close', 'never'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** Whether the job must receive its event, however late it continues. */
export const mustHear = (kind: EventKind): boolean => kind === 'early' || kind === 'sent'

export type DurableJob = Readonly<{ kind: EventKind; napMs: number }>

export type DurableLedger = Readonly<{
  /** Requested jobs by the number that they carry. */
  requested: ReadonlyMap<number, DurableJob>
  /** Ids of acknowledged jobs by their number. */
  acknowledged: ReadonlyMap<number, string>
  /** Numbers of jobs whose event was acknowledged. */
  sent: ReadonlySet<number>
}>

export type DurableLoadOptions = Readonly<{
  caller: Pick<Caller, 'pickServer' | 'call' | 'ws'>
  chance: Chance
  witness: Pick<Witness, 'steps'>
  everyMs: number
  isOver: () => boolean
  /** Events are sent until the jobs have ended. */
  isSettled: () => boolean
}>

/** Numbers of durable jobs, distinct from those of others. */
export const FIRST_DURABLE_NUMBER = 2_000_000

const accepted = z.object({ job_id: z.string() })
const DEALT_KINDS = ['early', 'sent', 'sent', 'sent', 'close', 'never'] as const
const LONG_S = 3_600
const SHORT_S = 1
const MAX_STEP_MS = 400
const MAX_LINGER_MS = 80
const LOOK_EVERY_MS = 10
const AGAIN_MS = 50

export const createDurableLoad = (options: DurableLoadOptions) => {
  const { caller, chance, witness, everyMs, isOver, isSettled } = options
  const requested = new Map<number, DurableJob>()
  const acknowledged = new Map<number, string>()
  const sent = new Set<number>()
  let numbers = FIRST_DURABLE_NUMBER

  /** Sends a request to one server after another until it is acknowledged. */
  const post = async (path: string, body: object, key?: string): Promise<unknown> => {
    while (!isSettled()) {
      const node = await caller.pickServer()
      if (node === null) continue
      const { status, json } = await caller.call(node, `/api/w/${caller.ws}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
      })
      if (status >= 200 && status < 300) return json
      await sleep(AGAIN_MS)
    }
    return null
  }
  const start = async (): Promise<void> => {
    numbers += 1
    const number = numbers
    const kind = chance.pick(DEALT_KINDS)
    const napMs = chance.between(1, 1_500)
    requested.set(number, { kind, napMs })
    const timeoutS = mustHear(kind) ? LONG_S : SHORT_S
    // long enough for a worker to be stopped within a step and to lose its job meanwhile
    const stepMs = chance.between(1, MAX_STEP_MS)
    // gives events time to come between the wait and the suspension
    const lingerMs = chance.between(0, MAX_LINGER_MS)
    const stumbles = chance.below(5) === 0
    const body = { id: number, napMs, stepMs, lingerMs, timeoutS, stumbles }
    const answer = accepted.safeParse(await post('/jobs/run/chaos/durable', body, `u${number}`))
    if (answer.success) acknowledged.set(number, answer.data.job_id)
  }
  const delayOf = (kind: EventKind): number => {
    if (kind === 'early') return 0
    if (kind === 'close') return chance.between(900, 1_300)
    return chance.below(4) === 0 ? chance.between(0, 3_000) : chance.between(0, 40)
  }
  const isTime = ({ number, step }: Sighting): boolean =>
    step === (requested.get(number)?.kind === 'early' ? 'one' : 'mark')
  const send = async (number: number): Promise<void> => {
    const kind = requested.get(number)?.kind
    if (kind === undefined || kind === 'never') return
    await sleep(delayOf(kind))
    const event = { name: EVENT_NAME, key: keyOfEvent(number), data: number, id: `e${number}` }
    if ((await post('/events', event)) !== null) sent.add(number)
  }
  /** Sends the event of each job long before its wait, or when the witness first sees that the wait is about to begin. */
  const answer = async (): Promise<void> => {
    const underWay: Promise<void>[] = []
    const begun = new Set<number>()
    for (let at = 0; !isSettled(); await sleep(LOOK_EVERY_MS)) {
      for (; at < witness.steps.length; at += 1) {
        const seen = witness.steps[at]
        if (seen === undefined || !isTime(seen) || begun.has(seen.number)) continue
        begun.add(seen.number)
        underWay.push(send(seen.number))
      }
    }
    await Promise.all(underWay)
  }
  const ask = async (): Promise<void> => {
    const underWay: Promise<void>[] = []
    while (!isOver()) {
      underWay.push(start())
      await sleep(everyMs)
    }
    await Promise.all(underWay)
  }
  const ledger: DurableLedger = { requested, acknowledged, sent }
  return { ledger, ask, answer }
}
