/**
 * kill -9 at every point of a transition, and at any time: no acknowledged run is lost or
 * stuck, no step is done twice, and no part of one is missing [flows 7.6].
 */
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { isLong, runs } from '../support/runs.ts'
import {
  audit,
  type Folder,
  makeTemplate,
  type Node,
  tryFlow,
  untilAllEnded,
  withCopyOf,
} from './durable-node.ts'

let template: Folder
beforeAll(async () => {
  template = await makeTemplate()
})
afterAll(() => template.remove())

const ROUNDS = runs({ short: 2, long: 4 })
/** Acknowledged runs of a round before the kill is due. */
const SHARE = 4

/** How many children of a run of `long` succeed, by step. */
const PARTS: Readonly<Record<string, number>> = { first: 1, each: 4, below: 0, arms: 2 }

const auditRuns = async ({ databaseUrl }: Folder, acknowledged: readonly string[]) => {
  const db = await openDatabase({ url: databaseUrl })
  try {
    const runs = await db.all(sql`SELECT id, flow, status FROM flow_runs`)
    const ids = new Set(runs.map(({ id }) => id))
    for (const id of acknowledged) expect(ids.has(id), `${id} was lost`).toBe(true)
    expect(runs.filter(({ status }) => status !== 'completed')).toEqual([])
    const longs = runs.filter(({ flow }) => flow === 'long')
    expect(runs.length).toBe(longs.length * 2)
    for (const { id } of longs) {
      const steps = await db.all(
        sql`SELECT key, status, (SELECT count(*) FROM jobs WHERE flow_run_id = run_id AND flow_index = step_index
             AND status = 'success') AS parts FROM flow_steps WHERE run_id = ${String(id)} ORDER BY step_index`,
      )
      const found = Object.fromEntries(steps.map(({ key, parts }) => [key, parts]))
      expect(found).toEqual(PARTS)
      expect(steps.every(({ status }) => status === 'success')).toBe(true)
    }
    expect(await db.all(sql`SELECT * FROM flow_slots`)).toEqual([])
  } finally {
    await db.close()
  }
}

const sendSome = async (node: Node, folder: Folder): Promise<readonly string[]> => {
  const sent = Array.from({ length: 6 }, (_, id) => tryFlow(node, folder, 'long', { id }))
  return (await Promise.all(sent)).filter((id) => id !== null)
}

const expectAllWell = async (folder: Folder, acknowledged: readonly string[]): Promise<void> => {
  const env = { SVC_JOB_MAX_CRASHES: '20' }
  const healthy = await folder.start({ env })
  await untilAllEnded(folder)
  await healthy.process.stop()
  await auditRuns(folder, acknowledged)
  for (const job of (await audit(folder)).values()) {
    expect(job).toMatchObject({ status: 'success', bills: 1 })
  }
}

describe.concurrent('kill -9', { timeout: 90_000 }, () => {
  const points = ['flow_before_commit', 'flow_committed', 'claim_committed', 'run_ended']
  // at the first pass of a point nothing has happened yet; crash.test.ts and hook-crash.test.ts kill there
  const passes = isLong ? [1, 3, 8, 20] : [8]
  test.each(points.flatMap((point) => passes.map((pass) => [point, pass] as const)))(
    'at %s, pass %i',
    async (point, pass) => {
      await withCopyOf(template, async (folder) => {
        const env = { SVC_FAULT: `${point}:${pass}`, SVC_JOB_MAX_CRASHES: '20' }
        const doomed = await folder.start({ env })
        const acknowledged = await sendSome(doomed, folder)
        expect(await doomed.process.ended).toBeNull()
        await expectAllWell(folder, acknowledged)
      })
    },
  )

  test(`at any time, under load, ${ROUNDS} times`, async () => {
    const seed = Date.now() % 100_000
    let state = seed
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return state % below
    }
    process.stdout.write(`kill -9 of flows at any time: seed ${seed}\n`)
    await withCopyOf(template, async (folder) => {
      const acknowledged: string[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const node = await folder.start({ env: { SVC_JOB_MAX_CRASHES: '20' } })
        // a round starts once its share of the load is acknowledged, however long that takes on a slow machine
        const share = acknowledged.length + SHARE
        let isDue = false
        while (node.process.child.exitCode === null && node.process.child.signalCode === null) {
          acknowledged.push(...(await sendSome(node, folder)))
          if (isDue || acknowledged.length < share) continue
          isDue = true
          setTimeout(() => node.process.child.kill('SIGKILL'), random(1_200))
        }
      }
      expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * SHARE)
      await expectAllWell(folder, acknowledged)
    })
  })
})
