/**
 * Limits the memory of bodies, from their heads on. A request keeps its body in several forms until it is answered. A workspace may
 * have thousands of requests that wait for half a minute each, and may send bodies faster than the disk takes them.
 */
import { AppError } from '#core/error.ts'
import { createTally } from '#core/fairness/tally.ts'
import { limit } from '#core/limit.ts'

const MAX_HELD_BYTES = limit(
  'workspace.held_bodies',
  128 * 1_024 * 1_024,
  'bytes',
  'Bodies of the requests of a workspace that one server has begun and not yet answered. More: 429.',
)
const MAX_WAITING_BYTES = limit(
  'job.waiting_bodies',
  64 * 1_024 * 1_024,
  'bytes',
  'Bodies of the requests of a workspace that wait for their jobs and flow runs on one server. A request beyond them waits for nothing and answers the id at once.',
)
const RETRY_AFTER_S = 1

export type HeldBody = Readonly<{ ws: string; bytes: number }>
export type WaitingBody = HeldBody & Readonly<{ timeoutMs: number }>

/** They are module state because the bodies share the memory of the process. */
const held = createTally()
const waiting = createTally()

/** A body may be larger than the limit if it is alone, and a request without a body takes no room. */
const hasRoom = (others: number, { bytes }: HeldBody, maxBytes: number): boolean =>
  bytes === 0 || others === 0 || others + bytes <= maxBytes

/** Counts the body until its request is answered. @throws {AppError} rate_limited `too_many_bodies` */
export const runWithBody = async <T>(body: HeldBody, run: () => Promise<T>): Promise<T> => {
  const { ws, bytes } = body
  if (!hasRoom(held.of(ws), body, MAX_HELD_BYTES)) {
    throw new AppError(
      'rate_limited',
      'This server still works on large requests of this workspace. Send fewer at a time.',
      { code: 'too_many_bodies', retryAfterS: RETRY_AFTER_S },
    )
  }
  held.add(ws, bytes)
  try {
    return await run()
  } finally {
    held.add(ws, -bytes)
  }
}

/** Counts the body while its request waits. @param wait gets how long it may wait, which is 0 if the workspace has no room left */
export const waitWithBody = async <T>(
  { timeoutMs, ...body }: WaitingBody,
  wait: (timeoutMs: number) => Promise<T>,
): Promise<T> => {
  const { ws, bytes } = body
  if (!hasRoom(waiting.of(ws), body, MAX_WAITING_BYTES)) return wait(0)
  waiting.add(ws, bytes)
  try {
    return await wait(timeoutMs)
  } finally {
    waiting.add(ws, -bytes)
  }
}
