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
  'Bodies of the requests of a workspace that one server has begun and not yet answered, a quarter of them for one customer. More: 429.',
)
const MAX_WAITING_BYTES = limit(
  'job.waiting_bodies',
  64 * 1_024 * 1_024,
  'bytes',
  'Bodies of the requests of a workspace that wait for their jobs and flow runs on one server, a quarter of them for one customer. A request beyond them waits for nothing and answers the id at once.',
)
const RETRY_AFTER_S = 1

/** A customer may hold this part of the room of its workspace, or it would leave none to the workspace and its other customers. */
const OF_CUSTOMER = 1 / 4

export type BodyHolder = Readonly<{
  ws: string
  /** The customer whose key the request has; null for other credentials. */
  customerId: string | null
}>
export type HeldBody = BodyHolder & Readonly<{ bytes: number }>
export type WaitingBody = HeldBody & Readonly<{ timeoutMs: number }>

/** Counts bytes of workspaces and, separately, of customers. A body may be larger than a limit if it is alone. */
const createRoom = (maxBytes: number) => {
  const ofWorkspaces = createTally()
  const ofCustomers = createTally()
  const hasRoom = (others: number, bytes: number, most: number): boolean =>
    others === 0 || others + bytes <= most
  return {
    /** Returns whether there is room. A request without a body takes none. */
    has: ({ ws, customerId, bytes }: HeldBody): boolean =>
      bytes === 0 ||
      (hasRoom(ofWorkspaces.of(ws), bytes, maxBytes) &&
        (customerId === null ||
          hasRoom(ofCustomers.of(customerId), bytes, maxBytes * OF_CUSTOMER))),
    /** Takes room while `act` runs. */
    during: async <T>({ ws, customerId, bytes }: HeldBody, act: () => Promise<T>): Promise<T> => {
      const add = (by: number): void => {
        ofWorkspaces.add(ws, by)
        if (customerId !== null) ofCustomers.add(customerId, by)
      }
      add(bytes)
      try {
        return await act()
      } finally {
        add(-bytes)
      }
    },
  }
}

/** They are module state because the bodies share the memory of the process. */
const held = createRoom(MAX_HELD_BYTES)
const waiting = createRoom(MAX_WAITING_BYTES)

/** Counts the body until its request is answered. @throws {AppError} rate_limited `too_many_bodies` */
export const runWithBody = async <T>(body: HeldBody, run: () => Promise<T>): Promise<T> => {
  if (held.has(body)) return held.during(body, run)
  throw new AppError(
    'rate_limited',
    'This server still works on large requests of this workspace. Send fewer at a time.',
    { code: 'too_many_bodies', retryAfterS: RETRY_AFTER_S },
  )
}

/** Counts the body while its request waits. @param wait gets how long it may wait, which is 0 if the workspace has no room left */
export const waitWithBody = async <T>(
  { timeoutMs, ...body }: WaitingBody,
  wait: (timeoutMs: number) => Promise<T>,
): Promise<T> => (waiting.has(body) ? waiting.during(body, () => wait(timeoutMs)) : wait(0))
