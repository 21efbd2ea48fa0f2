/**
 * Limits the memory of bodies whose requests wait for their jobs and flow runs. A request keeps its body in several forms until it
 * is answered, and a workspace may have thousands that wait for half a minute each.
 */
import { createTally } from '#core/fairness/tally.ts'
import { limit } from '#core/limit.ts'

const MAX_BYTES = limit(
  'job.waiting_bodies',
  64 * 1_024 * 1_024,
  'bytes',
  'Bodies of the requests of a workspace that wait for their jobs and flow runs on one server. A request beyond them waits for nothing and answers the id at once.',
)

export type WaitingBody = Readonly<{ ws: string; bytes: number; timeoutMs: number }>

/** It is module state because the bodies share the memory of the process. */
const held = createTally()

/** Counts the body while its request waits. @param wait gets how long it may wait, which is 0 if the workspace has no room left */
export const waitWithBody = async <T>(
  { ws, bytes, timeoutMs }: WaitingBody,
  wait: (timeoutMs: number) => Promise<T>,
): Promise<T> => {
  const others = held.of(ws)
  if (others > 0 && others + bytes > MAX_BYTES) return wait(0)
  held.add(ws, bytes)
  try {
    return await wait(timeoutMs)
  } finally {
    held.add(ws, -bytes)
  }
}
