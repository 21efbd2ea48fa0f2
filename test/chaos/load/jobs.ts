/** Callers of jobs, with what they were promised, and whether an ended job ever changed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { ACTIONS, MAX_FAILURES } from '../app.ts'
import type { Chance } from '../random.ts'
import type { Caller, Heard } from './caller.ts'

/** The end of a job as a caller received it. */
export type HeardEnd = Readonly<{ status: string; result: string }>

export type JobLedger = Readonly<{
  /** Ids of acknowledged jobs, by the number that they carry. */
  acknowledged: ReadonlyMap<number, string>
  /** Numbers that were sent with an idempotency key, several times at once, until a response came. */
  keyed: ReadonlySet<number>
  heard: ReadonlyMap<string, HeardEnd>
}>

export type JobLoadOptions = Readonly<{
  caller: Caller
  chance: Chance
  callers: number
  /** Milliseconds that each caller rests between two calls. */
  restMs: number
  isOver: () => boolean
  /** Whether callers must rest; checked before each call. */
  mustRest: () => boolean
  /** Whether too many jobs of this action wait. */
  isFull: (action: string) => boolean
}>

/** Number of values of the concurrency key. */
const KEYS = 4

/** Number of short jobs in one request. */
const BATCH = 10
const BATCH_EVERY_MS = 500
/** Enough that one of two workers gets one of them. */
const PROVOKED = 4
/** Milliseconds after which callers that hold back check one of their jobs. */
const HELD_BACK_MS = 200

const accepted = z.object({ job_id: z.string() })
const acceptedBatch = z.object({ job_ids: z.array(z.string()) })
const ended = z.object({
  status: z.enum(['success', 'failure', 'canceled']),
  result: z.unknown(),
})

/**
 * Quick jobs cause most acknowledgements. Of the others, those that are most likely in progress when
 * late writes of earlier attempts arrive come twice. The one that fails and is retried comes three
 * times, because a late write of it counts only while its successor runs.
 */
const DEALT_ACTIONS = [
  ...ACTIONS,
  'slow',
  'stumble',
  'stumble',
  ...Array<'quick'>(10).fill('quick'),
] as const
const OUTLASTING: readonly string[] = ['slow', 'stumble']

/** Milliseconds of work. Some jobs outlast the lease, and a few also outlast a whole pause of their worker. */
const pickMs = (chance: Chance, action: string): number => {
  const kind = OUTLASTING.includes(action) ? chance.below(12) : 12
  if (kind === 0) return chance.between(9_000, 12_000)
  const long = action === 'stumble' ? 9 : 5
  return kind < long ? chance.between(1_500, 4_500) : chance.between(1, 300)
}

export const createJobLoad = (options: JobLoadOptions) => {
  const { caller, chance, callers, restMs, isOver, mustRest, isFull } = options
  const acknowledged = new Map<number, string>()
  const keyed = new Set<number>()
  const heard = new Map<string, HeardEnd>()
  /** Ids in the order of their acknowledgement. */
  const latest: string[] = []
  let numbers = 0

  const listen = (id: string, json: unknown): void => {
    const answer = ended.safeParse(json)
    if (!answer.success) return
    const now = { status: answer.data.status, result: JSON.stringify(answer.data.result) }
    const before = heard.get(id)
    heard.set(id, now)
    if (before !== undefined && (before.status !== now.status || before.result !== now.result)) {
      caller.fault(`${id} was ${JSON.stringify(before)} and became ${JSON.stringify(now)}`)
    }
  }
  /** @returns whether the job was acknowledged */
  const note = (number: number, { status, json }: Heard): boolean => {
    const answer = accepted.safeParse(json)
    if (status === 0 || status >= 300 || !answer.success) return false
    const id = answer.data.job_id
    const before = acknowledged.get(number)
    if (before !== undefined && before !== id) {
      caller.fault(`The request ${number} was acknowledged as ${before} and as ${id}.`)
    }
    acknowledged.set(number, id)
    if (before === undefined) latest.push(id)
    if (status === 200) listen(id, json)
    return true
  }
  const send = async (number: number, path: string, init: object): Promise<boolean> => {
    const node = await caller.pickServer()
    if (node === null) return false
    const answer = await caller.call(node, `/api/w/${caller.ws}/jobs${path}`, {
      method: 'POST',
      ...init,
    })
    return note(number, answer)
  }
  /** Sends the request to all servers at once, as impatient callers do. */
  const sendTwice = async (number: number, path: string, body: string): Promise<void> => {
    keyed.add(number)
    const init = { body, headers: { 'idempotency-key': `n${number}` } }
    for (;;) {
      const sent = await Promise.all([send(number, path, init), send(number, path, init)])
      if (sent.includes(true)) return
      await sleep(50)
    }
  }

  const runOne = async (): Promise<void> => {
    numbers += 1
    const number = numbers
    const dealt = chance.pick(DEALT_ACTIONS)
    const action = isFull(dealt) ? 'quick' : dealt
    const hasKey = chance.below(3) === 0
    const waits = !hasKey && chance.below(4) === 0
    const body = JSON.stringify({
      id: number,
      ms: pickMs(chance, action),
      key: `k${chance.below(KEYS)}`,
      fails: chance.below(4) === 0,
      failures: chance.between(1, MAX_FAILURES),
    })
    const path = `/run/chaos/${action}${waits ? '/wait?timeout_ms=3000' : ''}`
    if (hasKey) await sendTwice(number, path, body)
    // repeating the request would create a second job
    else await send(number, path, { body })
  }
  /** Each item has a key, so that repeating the request creates no further jobs. */
  const runBatch = async (): Promise<void> => {
    const batch = Array.from({ length: BATCH }, () => {
      numbers += 1
      keyed.add(numbers)
      return numbers
    })
    const items = batch.map((id) => ({
      app: 'chaos',
      action: 'quick',
      input: { id },
      idempotency_key: `b${id}`,
    }))
    while (!isOver()) {
      const node = await caller.pickServer()
      if (node === null) continue
      const path = `/api/w/${caller.ws}/jobs/batch`
      const { status, json } = await caller.call(node, path, {
        method: 'POST',
        body: JSON.stringify({ items }),
      })
      const answer = acceptedBatch.safeParse(json)
      if (status === 201 && answer.success) {
        for (const [at, id] of answer.data.job_ids.entries()) {
          note(batch[at] ?? 0, { status, json: { job_id: id } })
        }
        return
      }
      await sleep(50)
    }
  }
  const beBatcher = async (): Promise<void> => {
    while (!isOver()) {
      if (!mustRest()) await runBatch()
      await sleep(BATCH_EVERY_MS)
    }
  }
  /** Sends jobs whose first attempt fails and whose second one outlasts a lease, with the highest priority. */
  const provokeFailures = (): void => {
    for (let at = 0; at < PROVOKED; at += 1) {
      numbers += 1
      const input = { id: numbers, ms: chance.between(3_000, 4_500), failures: 1 }
      void send(numbers, '/run/chaos/stumble?priority=100', { body: JSON.stringify(input) })
    }
  }
  const askAgain = async (): Promise<void> => {
    const id = latest.at(-chance.between(1, 200))
    const node = await caller.pickServer()
    if (id === undefined || node === null) return
    const { status, json } = await caller.call(node, `/api/w/${caller.ws}/jobs/${id}/result`)
    if (status === 200) listen(id, json)
  }
  const beCaller = async (): Promise<void> => {
    while (!isOver()) {
      const isHeldBack = mustRest()
      await (isHeldBack || chance.below(5) === 0 ? askAgain() : runOne())
      await sleep(isHeldBack ? HELD_BACK_MS : restMs)
    }
  }
  const ledger: JobLedger = { acknowledged, keyed, heard }
  const run = async (): Promise<void> => {
    await Promise.all([beBatcher(), ...Array.from({ length: callers }, beCaller)])
  }
  return { ledger, run, provokeFailures }
}
