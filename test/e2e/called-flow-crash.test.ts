/** Kills nodes (kill -9) around `ctx.callFlow`: the run starts once, and its end always reaches the job that waits [durable 3.9]. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import {
  type Folder,
  LONG_LEASE,
  makeTemplate,
  type Node,
  tryRun,
  untilAllEnded,
  withCopyOf,
} from './durable-node.ts'

/** So that the writes pass the points in one order. */
const ONE_AT_A_TIME = ['start', '--concurrency', '1']

let template: Folder
beforeAll(async () => {
  template = await makeTemplate()
})
afterAll(() => template.remove())

const rowsOf = async ({ databaseUrl }: Folder) => {
  const db = await openDatabase({ url: databaseUrl })
  try {
    return {
      callers: await db.all(sql`SELECT id, status, result FROM jobs WHERE action = 'calls'`),
      runs: await db.all(sql`SELECT id, status FROM flow_runs`),
      children: await db.all(sql`SELECT status FROM jobs WHERE action = 'quick'`),
      waiting: await db.all(sql`SELECT name FROM job_steps WHERE status = 'running'`),
    }
  } finally {
    await db.close()
  }
}

const stepPage = z.object({
  items: z.array(
    z.object({
      kind: z.string(),
      status: z.string(),
      child_job_id: z.null(),
      child_flow_run_id: z.string(),
      result: z.json(),
    }),
  ),
})

const listSteps = async ({ url }: Node, { token }: Folder, id: string) => {
  const answer = await fetch(`${url}/api/w/default/jobs/${id}/steps`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return stepPage.parse(await answer.json()).items
}

describe.concurrent('kill -9', { timeout: 90_000 }, () => {
  test.each([
    // the start of the run, the end of its first step, and its end, which comes before the caller resumes
    'flow_before_commit:1',
    'flow_committed:1',
    'flow_before_commit:2',
    'flow_before_commit:3',
    'flow_committed:3',
  ])('at %s', async (fault) => {
    await withCopyOf(template, async (folder) => {
      const doomed = await folder.start({ env: { SVC_FAULT: fault }, args: ONE_AT_A_TIME })
      const id = await tryRun(doomed, folder, 'calls', { id: 5 })
      expect(await doomed.process.ended).toBeNull()
      const healthy = await folder.start({ env: LONG_LEASE })
      await untilAllEnded(folder)
      const { callers, runs, children, waiting } = await rowsOf(folder)
      expect(callers).toMatchObject([{ id, status: 'success' }])
      expect(JSON.parse(String(callers[0]?.result))).toMatchObject({ got: { id: 5 } })
      expect(runs).toEqual([{ id: expect.any(String), status: 'completed' }])
      expect(children).toEqual([{ status: 'success' }, { status: 'success' }])
      expect(waiting).toEqual([])
      expect(await listSteps(healthy, folder, String(id))).toMatchObject([
        { kind: 'job', status: 'success', child_flow_run_id: runs[0]?.id, result: { id: 5 } },
      ])
      await healthy.process.stop()
    })
  })
})
