/**
 * Kills nodes (kill -9) while a flow run undoes its steps: each undo succeeds once, in
 * reverse order, and the run ends [flows 15.2].
 */
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

/** What a saga has done in the end: its steps, then their undo from the last step on, then the failure module. */
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
  const passes = [17, 18, 20, 22, 24, 26, 28, 30]
  // one claim may take the jobs of two runs
  const passesOf = (point: string): readonly number[] =>
    point === 'claim_committed' ? passes.map((pass) => Math.ceil(pass / 2)) : passes
  const all = points.flatMap((point) => passesOf(point).map((pass) => [point, pass] as const))
  // the short form covers each point once, each at a different depth of the undo
  const few = points.map((point, at) => [point, passesOf(point)[2 + at] ?? 20] as const)
  test.each(isLong ? all : few)('at %s, pass %i', async (point, pass) => {
    await withCopyOf(template, async (folder) => {
      const doomed = await folder.start({ env: { ...CRASHES, SVC_FAULT: `${point}:${pass}` } })
      const sent = await Promise.all(
        Array.from({ length: RUNS }, (_, id) => tryFlow(doomed, folder, 'saga', { id })),
      )
      // on a busy machine claims take more jobs at once, so all may have ended before that many claims
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
  })

  // a run of 25 jobs, in 9 nested runs: about half of the passes are those of undo
  const depths = [14, 20, 26, 32, 38, 44]
  const nested = points.flatMap((point) => depths.map((pass) => [point, pass] as const))
  const someNested = points.map((point, at) => [point, depths[1 + at] ?? 20] as const)
  test.each(isLong ? nested : someNested)('of subflows, at %s, pass %i', async (point, pass) => {
    await withCopyOf(template, async (folder) => {
      const doomed = await folder.start({ env: { ...CRASHES, SVC_FAULT: `${point}:${pass}` } })
      await tryFlow(doomed, folder, 'nested', { id: 1 })
      const end = await Promise.race([doomed.process.ended, untilAllEnded(folder, 60_000)])
      if (end === undefined) await doomed.process.stop()
      const healthy = await folder.start({ env: CRASHES })
      await untilAllEnded(folder)
      await healthy.process.stop()
      await expectNestedUndone(folder)
    })
  })
})

type Row = Readonly<Record<string, unknown>>

/** Expects that every successful step was undone once, from the last on, and after the subflow runs [flows 15.1, 15.8]. */
const expectNestedUndone = async ({ databaseUrl }: Folder): Promise<void> => {
  const db = await openDatabase({ url: databaseUrl })
  try {
    const runs = await db.all(sql`SELECT id, flow, status, parent_run_id FROM flow_runs`)
    const steps = await db.all(
      sql`SELECT run_id, step_index, status, started_at, completed_at FROM flow_steps ORDER BY step_index`,
    )
    const jobs = await db.all(
      sql`SELECT flow_run_id, flow_index FROM jobs WHERE status = 'success' ORDER BY created_at, id`,
    )
    for (const run of runs) {
      const count = { nested: 2, middle: 2, waits: 3, saga: 4 }[String(run.flow)] ?? 0
      const own = steps.filter(({ run_id: id }) => id === run.id)
      const done = own.filter(
        (step) =>
          Number(step.step_index) < count &&
          step.status === 'success' &&
          !(run.flow === 'saga' && step.step_index === 3),
      )
      const undo = jobs.filter(
        (job) => job.flow_run_id === run.id && Number(job.flow_index) > count,
      )
      const wanted = done.map((step) => 2 * count - Number(step.step_index)).toReversed()
      expect(undo.map((job) => job.flow_index)).toEqual(wanted)
      expectAfterThoseBelow(run, own, { runs, steps, count })
    }
    expect(runs.find(({ flow }) => flow === 'nested')).toMatchObject({ status: 'failed' })
  } finally {
    await db.close()
  }
}

const expectAfterThoseBelow = (
  run: Row,
  own: readonly Row[],
  { runs, steps, count }: Readonly<{ runs: readonly Row[]; steps: readonly Row[]; count: number }>,
): void => {
  const isUndo = (step: Row): boolean => Number(step.step_index) > count
  const first = Math.min(...own.filter(isUndo).map((step) => Number(step.started_at)))
  const below = runs.filter(({ parent_run_id: parent }) => parent === run.id)
  for (const { id } of below) {
    for (const step of steps.filter(({ run_id: of }) => of === id)) {
      expect(Number(step.completed_at)).toBeLessThanOrEqual(first)
    }
  }
}
