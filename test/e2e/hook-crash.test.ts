/**
 * Kills a node (kill -9) while it accepts a delivery of a webhook: the sender repeats it,
 * and it starts one job or flow run [webhooks 4.4].
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { type Folder, makeTemplate, type Node, untilAllEnded, withCopyOf } from './durable-node.ts'

let template: Folder
beforeAll(async () => {
  template = await makeTemplate()
})
afterAll(() => template.remove())

const accepted = z.object({
  job_id: z.string().optional(),
  flow_run_id: z.string().optional(),
})

/** @returns the id of the started job or run, or null if the node died during the request */
const deliver = async ({ url }: Node, key: string): Promise<string | null> => {
  try {
    const answer = await fetch(`${url}/hook/default/crash/${key}`, {
      method: 'POST',
      body: '{"id":"evt_1"}',
    })
    if (answer.status === 503) return null
    expect(answer.status).toBe(202)
    const { job_id, flow_run_id } = accepted.parse(await answer.json())
    return job_id ?? flow_run_id ?? null
  } catch (error) {
    // the request failed because the node died
    if (error instanceof TypeError) return null
    throw error
  }
}

const startedIn = async ({ databaseUrl }: Folder) => {
  const db = await openDatabase({ url: databaseUrl })
  try {
    return await db.all(
      sql`SELECT id FROM jobs WHERE flow_run_id IS NULL UNION ALL SELECT id FROM flow_runs`,
    )
  } finally {
    await db.close()
  }
}

describe.concurrent('kill -9', { timeout: 90_000 }, () => {
  test.each([
    ['enqueue_before_commit', 'job'],
    ['enqueue_committed', 'job'],
    ['flow_before_commit', 'flow'],
    ['flow_committed', 'flow'],
  ] as const)('at %s loses no delivery to a %s and starts nothing twice', async (point, key) => {
    await withCopyOf(template, async (folder) => {
      const doomed = await folder.start({ env: { SVC_FAULT: `${point}:1` } })
      expect(await deliver(doomed, key)).toBeNull()
      expect(await doomed.process.ended).toBeNull()
      const healthy = await folder.start()
      const first = await deliver(healthy, key)
      expect(first).not.toBeNull()
      expect(await deliver(healthy, key)).toBe(first)
      await untilAllEnded(folder)
      await healthy.process.stop()
      expect(await startedIn(folder)).toEqual([{ id: first }])
    })
  })
})
