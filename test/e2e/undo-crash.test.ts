/** kill -9 while a flow run undoes its steps: each undo succeeds once, in reverse order, and the run ends [flows 15.2]. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { isLong } from '../support/runs.ts'
import { type Folder, makeTemplate, tryFlow, untilAllEnded, withCopyOf } from './durable-node.ts'

let template: Folder
beforeAll(async () => {
  template = await makeTemplate()
})
afterAll(() => template.remove())

const RUNS = 4
const CRASHES = { SVC_JOB_MAX_CRASHES: '20' }

/** What a saga has done in the end: its steps, then undo from the last step on, then the failure module. */
const WHOLE = [0, 1, 2, 3, 6, 7, 8, 4]

const expectUndone = async (
  { databaseUrl }: Folder,
  acknowledged: readonly string[],
): Promise<void> => {
  const db = await openDatabase({ url: databaseUrl })
  try {
    const runs = await db.all(sql`SELECT id, status FROM flow_runs`)
    expect(runs.map(({ id }) => id)).toEqual(expect.arrayContaining([...acknowledged]))
    for (const { id, status } of runs) {
      expect(status).toBe('failed')
      const jobs = await db.all(
        sql`SELECT flow_index, status FROM jobs WHERE flow_run_id = ${String(id)} ORDER BY created_at, id`,
      )
      expect(jobs.map((job) => job.flow_index)).toEqual(WHOLE)
      expect(jobs.filter((job) => job.status !== 'success')).toMatchObject([{ flow_index: 3 }])
      const steps = await db.all(
        sql`SELECT step_index, status FROM flow_steps WHERE run_id = ${String(id)} ORDER BY step_index`,
      )
      expect(steps.map((step) => step.step_index)).toEqual(WHOLE.toSorted((a, b) => a - b))
      expect(steps.filter((step) => step.status !== 'success')).toMatchObject([{ step_index: 3 }])
    }
  } finally {
    await db.close()
  }
}

describe.concurrent('kill -9 in mid undo', { timeout: 90_000 }, () => {
  const points = ['flow_before_commit', 'flow_committed', 'claim_committed', 'run_ended']
  // a run passes each point 8 times, and the fifth pass is the first undo
  const passes = isLong ? [17, 18, 20, 22, 24, 26, 28, 30] : [20, 26]
  // one claim may take the jobs of two runs
  const passesOf = (point: string): readonly number[] =>
    point === 'claim_committed' ? passes.map((pass) => Math.ceil(pass / 2)) : passes
  test.each(points.flatMap((point) => passesOf(point).map((pass) => [point, pass] as const)))(
    'at %s, pass %i',
    async (point, pass) => {
      await withCopyOf(template, async (folder) => {
        const doomed = await folder.start({ env: { ...CRASHES, SVC_FAULT: `${point}:${pass}` } })
        const sent = await Promise.all(
          Array.from({ length: RUNS }, (_, id) => tryFlow(doomed, folder, 'saga', { id })),
        )
        // on a busy machine claims take more jobs at once, and all may have ended before so many claims
        const end = await Promise.race([doomed.process.ended, untilAllEnded(folder, 60_000)])
        if (end === undefined) await doomed.process.stop()
        else expect(end).toBeNull()
        const healthy = await folder.start({ env: CRASHES })
        await untilAllEnded(folder)
        await healthy.process.stop()
        await expectUndone(
          folder,
          sent.filter((id) => id !== null),
        )
      })
    },
  )
})
