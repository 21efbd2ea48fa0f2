/**
 * Kills nodes (kill -9) around `ctx.run` and `ctx.startFlow`: the next attempt starts what
 * is missing, and nothing twice [jobs 15.8].
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asNumber } from '#store/column.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { type Folder, makeTemplate, tryRun, untilAllEnded, withCopyOf } from './durable-node.ts'

/** The started jobs wait, so that only the one that starts them passes the points. */
const ONE_AT_A_TIME = ['start', '--concurrency', '1']

let template: Folder
beforeAll(async () => {
  template = await makeTemplate()
})
afterAll(() => template.remove())

const countOf = async ({ databaseUrl }: Folder) => {
  const db = await openDatabase({ url: databaseUrl })
  try {
    const row = await db.one(sql`SELECT
      (SELECT count(*) FROM jobs WHERE action = 'starts' AND status = 'success' AND attempt > 1) AS parents,
      (SELECT count(*) FROM jobs WHERE trigger_kind = 'job' AND flow_run_id IS NULL) AS jobs,
      (SELECT count(*) FROM flow_runs) AS runs,
      (SELECT count(*) FROM job_starts) AS starts,
      (SELECT count(*) FROM jobs WHERE status <> 'success') AS others`)
    return Object.fromEntries(Object.entries(row ?? {}).map(([key, n]) => [key, asNumber(n)]))
  } finally {
    await db.close()
  }
}

describe.concurrent('kill -9', { timeout: 90_000 }, () => {
  test.each([
    // the first pass is the request that queues the job, which then starts two jobs and a flow run
    'enqueue_before_commit:2',
    'enqueue_committed:2',
    'enqueue_before_commit:3',
    'enqueue_committed:3',
    'flow_before_commit:1',
    'flow_committed:1',
    'run_ended:1',
  ])('at %s', async (fault) => {
    await withCopyOf(template, async (folder) => {
      const doomed = await folder.start({ env: { SVC_FAULT: fault }, args: ONE_AT_A_TIME })
      await tryRun(doomed, folder, 'starts', {})
      expect(await doomed.process.ended).toBeNull()
      const healthy = await folder.start()
      await untilAllEnded(folder)
      await healthy.process.stop()
      expect(await countOf(folder)).toEqual({ parents: 1, jobs: 2, runs: 1, starts: 3, others: 0 })
    })
  })
})
