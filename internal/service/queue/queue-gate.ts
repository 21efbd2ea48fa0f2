/**
 * Backpressure: the limit of queued jobs of a workspace (429) [jobs 9.8]. The database keeps the number next to the jobs
 * (store/jobs/count.ts). To save a read for each enqueue, the gate uses the last count and what this process has added since,
 * until the count is old. So several servers together may exceed the limit by what they add within COUNT_EVERY_MS.
 */
import QuickLRU from 'quick-lru'
import { AppError } from '#core/error.ts'
import type { Database } from '#store/database.ts'
import { countQueued } from '#store/jobs/count.ts'
import type { StorageMeter } from '../workspaces/storage-meter.ts'

const COUNT_EVERY_MS = 2_000
/** From this age, a count is made again while callers use the last one, if the queue is less than half full. */
const COUNT_AGAIN_MS = 1_500
/** At the limit, a count is used for a shorter time, so that callers are admitted again soon. */
const COUNT_FULL_EVERY_MS = 250
const RETRY_AFTER_S = 2
const MAX_WORKSPACES = 10_000

type Known = { count: number; at: number }

type GateDeps = Readonly<{
  db: Database
  now: () => number
  limits: Readonly<{ queueMax: number }>
  storage: Pick<StorageMeter, 'pass'>
}>

/** Gives back places of a request that have no job, at most those that it took. */
export type GiveBack = (places: number) => void

export interface QueueGate {
  /** Call it before each enqueue. @throws {AppError} rate_limited `queue_full`, `storage_full` */
  pass(ws: string): Promise<GiveBack>
  /** Call it before many jobs are queued together, all or none. @throws {AppError} rate_limited `queue_full`, `storage_full` */
  passMany(ws: string, jobs: number): Promise<GiveBack>
  /**
   * Call it before work whose jobs take their places with `take`. @throws {AppError} rate_limited `queue_full`, `storage_full`
   */
  check(ws: string): Promise<void>
  /** Returns how many more jobs the workspace may queue. */
  room(ws: string): Promise<number>
  /** Takes places for jobs that wait for room instead of being refused. @returns how many, at most `wanted` */
  take(ws: string, wanted: number): Promise<number>
}

/** Creates the gate of this process; it refuses when the queue of a workspace is full. */
export const createQueueGate = ({ db, now, limits, storage }: GateDeps): QueueGate => {
  const known = new QuickLRU<string, Known>({ maxSize: MAX_WORKSPACES })
  const underWay = new Map<string, Promise<Known>>()
  const max = limits.queueMax

  const isOld = ({ count, at }: Known): boolean => {
    const age = Math.abs(now() - at)
    return age > (count >= max ? COUNT_FULL_EVERY_MS : COUNT_EVERY_MS)
  }
  const isAging = ({ count, at }: Known): boolean => now() - at > COUNT_AGAIN_MS && count < max / 2
  const count = async (ws: string): Promise<Known> => {
    const fresh = { count: await countQueued(db, ws), at: now() }
    known.set(ws, fresh)
    return fresh
  }
  /** Concurrent callers share one count. */
  const countOnce = (ws: string): Promise<Known> => {
    const counting = underWay.get(ws) ?? count(ws).finally(() => underWay.delete(ws))
    underWay.set(ws, counting)
    return counting
  }

  const find = async (ws: string): Promise<Known> => {
    const entry = known.get(ws)
    if (entry === undefined || isOld(entry)) return await countOnce(ws)
    // the callers after COUNT_EVERY_MS find out why this count failed
    if (isAging(entry)) void countOnce(ws).catch(() => undefined)
    return entry
  }
  const take = async (ws: string, wanted: number): Promise<number> => {
    const entry = await find(ws)
    const taken = Math.max(Math.min(wanted, max - entry.count), 0)
    entry.count += taken
    return taken
  }
  const isFull = (): AppError =>
    new AppError(
      'rate_limited',
      `${max} jobs of this workspace are already queued. Start more workers, or try again later.`,
      { code: 'queue_full', retryAfterS: RETRY_AFTER_S },
    )
  const room = async (ws: string): Promise<number> => Math.max(max - (await find(ws)).count, 0)

  const passMany = async (ws: string, jobs: number): Promise<GiveBack> => {
    await storage.pass(ws)
    const taken = (await room(ws)) < jobs ? 0 : await take(ws, jobs)
    const entry = known.get(ws)
    // a count that is made meanwhile does not contain the places, and replaces the entry
    const giveBack: GiveBack = (places) => {
      if (entry !== undefined) entry.count -= places
    }
    if (taken === jobs) return giveBack
    giveBack(taken)
    throw isFull()
  }

  return {
    take,
    room,
    passMany,
    pass: (ws) => passMany(ws, 1),
    check: async (ws) => {
      await storage.pass(ws)
      if ((await room(ws)) === 0) throw isFull()
    },
  }
}
