/** Many jobs at once: the rows of one job, written as svc writes them, copied with new ids. */
import type { Deps } from '#service/deps.ts'
import type { Statement } from '#store/database.ts'
import { raw, sql } from '#store/sql.ts'

const BATCH = 20_000

type FillDeps = Pick<Deps, 'db' | 'newId'>

/** @returns their ids, oldest first */
const copy = async (
  { db, newId }: FillDeps,
  count: number,
  toStatements: (ids: string) => readonly Statement[],
): Promise<readonly string[]> => {
  const all: string[] = []
  for (let made = 0; made < count; made += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - made) }, () => newId())
    await db.write(toStatements(JSON.stringify(ids)))
    all.push(...ids)
  }
  return all
}

const COLUMNS = [
  'app',
  'action',
  'deployment_id',
  'status',
  'tag',
  'run_at',
  'crash_limit',
  'trigger_kind',
  'created_by',
  'permissioned_as',
  'created_at',
  'attempt',
  'worker',
  'started_at',
  'completed_at',
  'result',
]

const copyJob = (modelId: string, ids: string): readonly Statement[] => [
  sql`INSERT INTO jobs (ws, id, ${raw(COLUMNS.join(', '))})
     SELECT model.ws, each.value, ${raw(COLUMNS.map((name) => `model.${name}`).join(', '))}
     FROM json_each(${ids}) each JOIN jobs model ON model.id = ${modelId}`,
  sql`INSERT INTO job_inputs (job_id, input) SELECT value, '{"id":"x"}' FROM json_each(${ids})`,
]

/** Until `size` are queued, the model with them. */
export const fillQueue = async (deps: FillDeps, modelId: string, size: number): Promise<void> => {
  await copy(deps, size - 1, (ids) => copyJob(modelId, ids))
}

/** Of a job that has ended, with its billing row. @returns their ids, oldest first */
export const fillHistory = (
  deps: FillDeps,
  modelId: string,
  size: number,
): Promise<readonly string[]> =>
  copy(deps, size, (ids) => [
    ...copyJob(modelId, ids),
    sql`INSERT INTO ledger (job_id, ws, app, action, outcome, duration_ms, completed_at)
       SELECT each.value, model.ws, model.app, model.action, model.status, 1, model.completed_at
       FROM json_each(${ids}) each JOIN jobs model ON model.id = ${modelId}`,
  ])
