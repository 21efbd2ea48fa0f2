/** One heartbeat for all jobs that a worker holds. */
import type { Database } from '#store/database.ts'
import { type Held, renewLeases as renewStatement } from '#store/job-queue.ts'

export type LeaseAnswer = Readonly<{
  renewed: readonly Held[]
  /** Another attempt has the job, or it ended. */
  lost: readonly Held[]
  /** Still held, and somebody asked to cancel it. */
  canceled: readonly Held[]
}>

const toKey = (held: Held): string => `${held.id}:${held.attempt}`

/** @throws {DatabaseError} nothing is known of the leases */
export const renewLeases = async (
  db: Database,
  held: readonly Held[],
  leaseMs: number,
): Promise<LeaseAnswer> => {
  const results = await db.write([renewStatement(held, leaseMs)], { retry: true })
  const rows = results[0]?.rows ?? []
  const answered = new Map(rows.map((row) => [`${row.id}:${row.attempt}`, row.canceled === 1]))
  return {
    renewed: held.filter((job) => answered.has(toKey(job))),
    lost: held.filter((job) => !answered.has(toKey(job))),
    canceled: held.filter((job) => answered.get(toKey(job)) === true),
  }
}
