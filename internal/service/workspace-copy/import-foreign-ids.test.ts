/** A forged file names rows of another workspace by their ids: it neither uses nor deletes them. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashBundle } from '#bundle/bundle-hash.ts'
import { runSteps } from '#bundle/steps.ts'
import { insertBundle } from '#store/apps/bundles.ts'
import type { Statement } from '#store/database.ts'
import { raw, sql } from '#store/sql.ts'
import { deployActions } from '../../../test/support/deploy-action.ts'
import { insertJobs } from '../../../test/support/insert-job.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { openTestWorkspace, type TestWorkspace } from '../../../test/support/test-workspace.ts'
import { createWorkspace } from '../workspaces/create-workspace.ts'
import { discardImport } from './discard-import.ts'
import { exportWorkspace } from './export-workspace.ts'
import { importWorkspace } from './import-workspace.ts'
import type { OpenLines } from './read-file.ts'

const PASSPHRASE = 'correct horse battery staple'
const FORGER = 'forger'

let from: TestWorkspace
let to: TestWorkspace
let own: Readonly<{ deploymentId: string; jobId: string }>
/** Rows of another workspace, in the database into which the file is imported. */
let foreign: typeof own

const BUNDLE = { code: 'export const main = () => 1', sourceMap: '{}' }

/** Deploys an app and ends a job of it. */
const fill = async ({ deps, db }: TestWorkspace, ws: string): Promise<typeof own> => {
  const deploymentId = await deployActions(deps, [{ ws, app: 'shop', key: 'greet' }])
  const hash = runSteps(hashBundle(BUNDLE))
  await db.write([
    // a file may only have bundles with the hash of their content
    insertBundle(hash, BUNDLE),
    sql`UPDATE deployment_actions SET bundle_hash = ${hash} WHERE deployment_id = ${deploymentId}`,
  ])
  const job = { ws, deploymentId, app: 'shop', action: 'greet', status: 'queued' } as const
  const [jobId = ''] = await insertJobs(db, [job])
  return { deploymentId, jobId }
}

beforeEach(async () => {
  from = await openTestWorkspace()
  to = await openTestWorkspace()
  await createWorkspace(from.deps, { id: FORGER, name: FORGER })
  own = await fill(from, FORGER)
  foreign = await fill(to, WS)
})
afterEach(() => Promise.all([from.close(), to.close()]))

const importForged = async (...forge: readonly Statement[]): Promise<unknown> => {
  await from.db.write(forge)
  let file = ''
  const request = { ws: FORGER, passphrase: PASSPHRASE, version: 'test' }
  for await (const block of exportWorkspace(from.deps, from.db, request)) file += block
  const open: OpenLines = async function* () {
    yield* file.split('\n').slice(0, -1)
  }
  return importWorkspace(to.deps, { open, passphrase: PASSPHRASE })
}

test('a file without them is imported', async () => {
  await expect(importForged()).resolves.toMatchObject({ ws: FORGER })
})

test('the inputs of a job of another workspace stay when the import is discarded', async () => {
  const input = sql`SELECT count(*) AS n FROM job_inputs WHERE job_id = ${foreign.jobId}`
  expect(await to.db.one(input)).toEqual({ n: 1 })
  const forged = importForged(
    sql`UPDATE jobs SET id = ${foreign.jobId} WHERE id = ${own.jobId}`,
    sql`DELETE FROM job_inputs WHERE job_id = ${own.jobId}`,
  )
  await expect(forged).rejects.toMatchObject({ code: 'import_differs' })
  await discardImport(to.deps, FORGER)
  expect(await to.db.one(input)).toEqual({ n: 1 })
})

test.each(['apps', 'jobs'])(
  'a row of %s with a deployment of another workspace is refused',
  async (table) => {
    const forged = importForged(
      sql`UPDATE ${raw(table)} SET deployment_id = ${foreign.deploymentId}`,
    )
    await expect(forged).rejects.toMatchObject({ code: 'import_differs' })
  },
)

test.each([
  ['jobs', 'rate_key'],
  ['jobs', 'debounce_key'],
  ['jobs', 'fair_group'],
])(
  'a row of %s with a %s of another workspace is refused before the first write',
  async (table, column) => {
    const key = `${WS}/shop/greet`
    const forged = importForged(sql`UPDATE ${raw(table)} SET ${raw(column)} = ${key}`)
    await expect(forged).rejects.toMatchObject({ code: 'workspace_file_unreadable' })
    expect(await to.db.all(sql`SELECT id FROM jobs WHERE ws = ${FORGER}`)).toEqual([])
  },
)

test('a job that waits for its rate with the own key is imported', async () => {
  const key = `${FORGER}/shop/greet`
  await expect(importForged(sql`UPDATE jobs SET rate_key = ${key}`)).resolves.toMatchObject({
    ws: FORGER,
  })
})

test.each(['called_by', 'flow_run_id'])(
  'an ended job that names a row of another workspace as its %s is refused',
  async (column) => {
    const runId = '01900000-0000-7000-8000-000000000001'
    await to.db.write([
      sql`INSERT INTO flow_runs (ws, id, app, flow, deployment_id, status, trigger_kind, trigger, input, created_by,
          permissioned_as, step_index, version, transition, created_at, completed_at)
        VALUES (${WS}, ${runId}, 'shop', 'f', ${foreign.deploymentId}, 'completed', 'api', '{}', '{}', 'x', 'x', 0, 1, 't', 1, 1)`,
    ])
    const id = column === 'called_by' ? foreign.jobId : runId
    const forged = importForged(
      sql`UPDATE jobs SET status = 'canceled', completed_at = 1, ready = 0, ${raw(column)} = ${id}`,
      sql`INSERT INTO ledger (job_id, ws, app, action, outcome, duration_ms, completed_at)
        SELECT id, ws, app, action, 'canceled', 0, 1 FROM jobs WHERE ws = ${FORGER}`,
    )
    await expect(forged).rejects.toThrow(`jobs.${column} names a row of another workspace`)
  },
)

test('a flow run that ends a durable step of another workspace is refused', async () => {
  const forged = importForged(
    sql`INSERT INTO flow_runs (ws, id, app, flow, deployment_id, status, trigger_kind, input, created_by, permissioned_as,
        step_index, version, transition, canceled_with, wait_until, created_at)
      VALUES (${FORGER}, '01900000-0000-7000-8000-000000000001', 'shop', 'f', ${own.deploymentId}, 'running', 'api', '{}', 'x', 'x',
        -1, 1, 't', ${foreign.jobId}, 1, 1)`,
  )
  await expect(forged).rejects.toThrow('flow_runs.canceled_with names a row of another workspace')
})
