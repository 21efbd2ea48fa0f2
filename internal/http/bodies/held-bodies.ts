/**
 * Limits the memory of bodies, from their heads on. A request keeps its body in several forms until it is answered. A workspace may
 * have thousands of requests that wait for half a minute each, and may send bodies faster than the disk takes them.
 */
import { AppError } from '#core/error.ts'
import { createRoom, type Holder } from '#core/fairness/room.ts'
import { limit } from '#core/limit.ts'

const MAX_HELD_BYTES = limit(
  'workspace.held_bodies',
  128 * 1_024 * 1_024,
  'bytes',
  'Bodies of the requests of a workspace that one server has begun and not yet answered, a quarter of them for one customer. More: 429.',
)
const MAX_WAITING_BYTES = limit(
  'job.waiting_bodies',
  64 * 1_024 * 1_024,
  'bytes',
  'Bodies of the requests of a workspace that wait for their jobs and flow runs on one server, a quarter of them for one customer. A request beyond them waits for nothing and answers the id at once.',
)
const RETRY_AFTER_S = 1

export type HeldBody = Holder & Readonly<{ bytes: number }>
export type WaitingBody = HeldBody & Readonly<{ timeoutMs: number }>

/** They are module state because the bodies share the memory of the process. */
const held = createRoom(MAX_HELD_BYTES)
const waiting = createRoom(MAX_WAITING_BYTES)

/** Counts the body until its request is answered. @throws {AppError} rate_limited `too_many_bodies` */
export const runWithBody = async <T>(body: HeldBody, run: () => Promise<T>): Promise<T> => {
  const leave = held.take(body, body.bytes)
  if (leave === null) {
    throw new AppError(
      'rate_limited',
      'This server still works on large requests of this workspace. Send fewer at a time.',
      { code: 'too_many_bodies', retryAfterS: RETRY_AFTER_S },
    )
  }
  try {
    return await run()
  } finally {
    leave()
  }
}

/** Counts the body while its request waits. @param wait gets how long it may wait, which is 0 if there is no room left */
export const waitWithBody = async <T>(
  { timeoutMs, ...body }: WaitingBody,
  wait: (timeoutMs: number) => Promise<T>,
): Promise<T> => {
  const leave = waiting.take(body, body.bytes)
  if (leave === null) return wait(0)
  try {
    return await wait(timeoutMs)
  } finally {
    leave()
  }
}
