/**
 * Measures how many bytes a workspace stores: inputs, results, logs, durable steps, events, flow data, state, function
 * logs, drafts, pushed repositories, deployments and versions of functions. Contents that workspaces share count in each.
 * The number is computed from the rows in portions with pauses, and cached for at least MIN_AGE_MS, and so long that measuring takes at
 * most 1/COST_SHARE of the time. Until the next measurement a workspace may exceed its quota by what it writes.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import QuickLRU from 'quick-lru'
import { MIB } from '#core/byte-units.ts'
import { AppError } from '#core/error.ts'
import type { Reader } from '#store/database.ts'
import {
  readStoragePortion,
  STORAGE_SOURCES,
  type StoragePosition,
} from '#store/workspaces/storage-use.ts'
import { createDeploymentUse } from './deployment-use.ts'

export type StorageUse = Readonly<{
  bytes: number
  /** Milliseconds since 1970, by this machine's clock. */
  measuredAt: number
}>

export interface StorageMeter {
  /** Returns the cached number, or measures if it is missing or old. */
  measure(ws: string): Promise<StorageUse>
  /**
   * Enforces the quota; without one it reads nothing.
   * @param adding returns the bytes that a request adds, counted no further than the room that is left. @default 0
   * @throws {AppError} rate_limited `storage_full`
   */
  pass(ws: string, adding?: (room: number) => Promise<number>): Promise<void>
  /** Whether the workspace has reached the quota; false without one. */
  isFull(ws: string): Promise<boolean>
}

export type StorageMeterDeps = Readonly<{
  reads: Reader
  now: () => number
  /** Milliseconds of a clock that never jumps. @default the monotonic clock */
  steadyNow?: () => number
  /** Bytes; 0 for no quota. */
  quotaBytes: number
}>

const PORTION = 500
const MIN_AGE_MS = 30_000
const COST_SHARE = 20
const MAX_WORKSPACES = 10_000
const RETRY_AFTER_S = 60

const sumOfRows = async (reads: Reader, ws: string): Promise<number> => {
  let bytes = 0
  for (const source of STORAGE_SOURCES) {
    let after: StoragePosition = null
    do {
      const portion = await readStoragePortion(reads, { ws, source, after, limit: PORTION })
      bytes += portion.bytes
      after = portion.next
      await nextTurn()
    } while (after !== null)
  }
  return bytes
}

type Measured = StorageUse &
  Readonly<{
    /** By the steady clock. */
    freshUntil: number
  }>

/** Creates the meter of one process. */
export const createStorageMeter = ({
  reads,
  now,
  steadyNow = () => performance.now(),
  quotaBytes,
}: StorageMeterDeps): StorageMeter => {
  const measured = new QuickLRU<string, Measured>({ maxSize: MAX_WORKSPACES })
  const underWay = new Map<string, Promise<Measured>>()
  const deploymentUse = createDeploymentUse(reads)

  const measureNow = async (ws: string): Promise<Measured> => {
    const startedAt = steadyNow()
    const bytes = (await sumOfRows(reads, ws)) + (await deploymentUse(ws))
    const endedAt = steadyNow()
    const freshUntil = endedAt + Math.max(MIN_AGE_MS, (endedAt - startedAt) * COST_SHARE)
    const use = { bytes, measuredAt: now(), freshUntil }
    measured.set(ws, use)
    return use
  }
  const measureOnce = (ws: string): Promise<Measured> => {
    const measuring = underWay.get(ws) ?? measureNow(ws).finally(() => underWay.delete(ws))
    underWay.set(ws, measuring)
    return measuring
  }
  const measure = (ws: string): Promise<Measured> => {
    const latest = measured.get(ws)
    return latest === undefined || latest.freshUntil <= steadyNow()
      ? measureOnce(ws)
      : Promise.resolve(latest)
  }

  return {
    measure,
    isFull: async (ws) => quotaBytes > 0 && (await measure(ws)).bytes >= quotaBytes,
    pass: async (ws, adding = async () => 0) => {
      if (quotaBytes === 0) return
      const { bytes } = await measure(ws)
      const room = quotaBytes - bytes
      if (room > 0 && (await adding(room)) < room) return
      const tooLittle = room > 0 ? ', which leaves too little room for this request' : ''
      throw new AppError(
        'rate_limited',
        `This workspace stores ${Math.ceil(bytes / MIB)} MiB of ${quotaBytes / MIB} MiB (SVC_WORKSPACE_MAX_STORED_MB)${tooLittle}. Ended jobs and former deployments free their space when retention deletes them. Delete state, drafts and apps that are no longer needed, or ask the operator for more.`,
        { code: 'storage_full', retryAfterS: RETRY_AFTER_S },
      )
    },
  }
}
