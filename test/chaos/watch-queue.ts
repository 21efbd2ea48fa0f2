/** Watches the queue of a chaos run all the time: its length, and what runs at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { PARKED_TAG } from './setting.ts'
import type { Tenant } from './tenant.ts'

/** Callers rest while more jobs wait, so that each job still passes through all its states on a busy machine. */
const MAX_WAITING = 20
const MAX_WALLED = 6

/** Polls the queue often. It records the most jobs and flow runs of one concurrency key at once, and how many jobs wait. */
export const watchQueue = ({ urls }: Pick<Tenant, 'urls'>) => {
  let most = 0
  let mostRuns = 0
  let waiting = 0
  let walled = 0
  let isOver = false
  const look = (db: Database) =>
    db.one(
      sql`SELECT (SELECT MAX(n) FROM (SELECT count(*) AS n FROM jobs
           WHERE status = 'running' AND concurrency_key IS NOT NULL GROUP BY concurrency_key)) AS most,
         (SELECT MAX(n) FROM (SELECT count(*) AS n FROM flow_runs WHERE concurrency_key IS NOT NULL
           AND step_index >= 0 AND completed_at IS NULL GROUP BY concurrency_key)) AS runs,
         (SELECT count(*) FROM jobs WHERE status = 'queued' AND ready = 1 AND blocked = 0
           AND tag NOT IN (${PARKED_TAG}, 'walled')) AS waiting,
         (SELECT count(*) FROM jobs WHERE status = 'queued' AND tag = 'walled') AS walled`,
    )
  const watch = async (): Promise<void> => {
    const databases = await Promise.all(urls.map((url) => openDatabase({ url })))
    while (!isOver) {
      const rows = await Promise.all(databases.map(look)).catch(() => [])
      // the rows of a workspace that moves are in two databases for a while
      const largest = (name: string): number =>
        Math.max(0, ...rows.map((row) => Number(row?.[name] ?? 0)))
      most = Math.max(most, largest('most'))
      mostRuns = Math.max(mostRuns, largest('runs'))
      if (rows.length > 0) {
        waiting = largest('waiting')
        walled = largest('walled')
      }
      await sleep(50)
    }
    await Promise.all(databases.map((db) => db.close()))
  }
  const watching = watch()
  return {
    most: () => most,
    mostRuns: () => mostRuns,
    /** Whether callers must hold back: the run tests what happens to jobs, not how long a queue may grow. */
    isLong: () => waiting > MAX_WAITING,
    /** Only one worker serves the action, in a sandbox that starts slowly. */
    isFull: (action: string) => action === 'walled' && walled > MAX_WALLED,
    stop: async (): Promise<void> => {
      isOver = true
      await watching
    },
  }
}
