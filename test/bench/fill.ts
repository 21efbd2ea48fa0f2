/** Creates many jobs at once: the rows of one job, as svc writes them, are copied with new ids. */
import type { Deps } from '#service/deps.ts'
import type { Statement } from '#store/database.ts'
import { raw, sql } from '#store/sql.ts'

const BATCH = 20_000

type FillDeps = Pick<Deps, 'db' | 'newId'>

/** @returns their ids, oldest first */
const copy = async (
  { db, newId }: FillDeps,
  count: number,
  toStatements: (ids: string, made: number) => readonly Statement[],
): Promise<readonly string[]> => {
  const all: string[] = []
  for (let made = 0; made < count; made += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - made) }, () => newId())
    await db.write(toStatements(JSON.stringify(ids), made))
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
const COPIED = COLUMNS.filter((name) => name !== 'tag')

/** Columns that differ from the model, computed from `place`: the number of the copy, from 0. */
export type Differences = Readonly<{
  ws?: Statement
  tag?: Statement
  /** The limit of the key is one. */
  concurrencyKey?: Statement
}>

/** Inserts rows in their final form, because a later UPDATE of a million rows would write all their indexes again. */
const copyJob = (
  modelId: string,
  ids: string,
  {
    made = 0,
    ws = raw('model.ws'),
    tag = raw('model.tag'),
    concurrencyKey,
  }: Differences & Readonly<{ made?: number }> = {},
): readonly Statement[] => [
  sql`INSERT INTO jobs (ws, id, tag, concurrency_key, concurrency_limit, ${raw(COPIED.join(', '))})
     SELECT ${ws}, each.id, ${tag}, ${concurrencyKey ?? raw('NULL')}, ${concurrencyKey === undefined ? null : 1},
       ${raw(COPIED.map((name) => `model.${name}`).join(', '))}
     FROM (SELECT value AS id, key + ${made} AS place FROM json_each(${ids})) each JOIN jobs model ON model.id = ${modelId}`,
  sql`INSERT INTO job_inputs (job_id, input) SELECT value, '{"id":"x"}' FROM json_each(${ids})`,
]

/** Copies a job until `size` jobs are queued, including the model. */
export const fillQueue = async (
  deps: FillDeps,
  modelId: string,
  size: number,
  differences: Differences = {},
): Promise<void> => {
  await copy(deps, size - 1, (ids, made) => copyJob(modelId, ids, { made, ...differences }))
}

/** Copies a job that has ended, with its billing row. @returns their ids, oldest first */
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

const SUSPENDED_COLUMNS = [
  'ready',
  'began_at',
  'suspended_kind',
  'suspended_name',
  'suspended_until',
]

const copySuspended = (modelId: string, ids: string): readonly Statement[] => [
  sql`INSERT INTO jobs (ws, id, ${raw([...COLUMNS, ...SUSPENDED_COLUMNS].join(', '))})
     SELECT model.ws, each.value, ${raw([...COLUMNS, ...SUSPENDED_COLUMNS].map((name) => `model.${name}`).join(', '))}
     FROM json_each(${ids}) each JOIN jobs model ON model.id = ${modelId}`,
  sql`INSERT INTO job_inputs (job_id, input) SELECT value, '{"id":"x"}' FROM json_each(${ids})`,
  sql`INSERT INTO job_steps (job_id, name, position, kind, status, attempts, started_at, due_at)
     SELECT each.value, s.name, s.position, s.kind, s.status, s.attempts, s.started_at, s.due_at
     FROM json_each(${ids}) each JOIN job_steps s ON s.job_id = ${modelId} AND s.status = 'running'`,
  sql`INSERT INTO event_waits (id, ws, name, key, owner_kind, owner_id, step, position, began_at, timeout_at, created_at)
     SELECT each.value, w.ws, w.name, each.value, w.owner_kind, each.value, w.step, w.position, w.began_at, w.timeout_at, w.created_at
     FROM json_each(${ids}) each JOIN event_waits w ON w.owner_id = ${modelId}`,
]

/** Copies a suspended job, with the step and the event that it waits for. Each copy has its own key. */
export const fillSuspended = (
  deps: FillDeps,
  modelId: string,
  size: number,
): Promise<readonly string[]> => copy(deps, size, (ids) => copySuspended(modelId, ids))
