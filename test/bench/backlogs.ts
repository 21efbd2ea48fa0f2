/** Rows that wait in addition to the job that a claim takes: of other workspaces, other tags and full concurrency keys. */
import type { Deps } from '#service/deps.ts'
import type { Statement } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { type Differences, fillQueue } from './fill.ts'

type BacklogDeps = Pick<Deps, 'db' | 'newId'>

/** `plain`: all jobs are in one workspace, under the served tag. */
export const BACKLOGS = [
  'plain',
  'workspaces',
  'other-tag',
  'distinct-keys',
  'full-keys',
  'many-keys',
  'tenant-keys',
] as const
export type Backlog = (typeof BACKLOGS)[number]

export const toBacklog = (text: string | undefined): Backlog => {
  const found = BACKLOGS.find((known) => known === text)
  if (found === undefined) throw new Error(`No such backlog: ${text}`)
  return found
}

const WORKSPACES = 1_000
/** Keys of all workspaces together. */
const KEYS = 10_000
/** Jobs of another tenant, from which the measured claims take. */
const SERVED = 1_000

const makeWorkspaces = (): Statement =>
  sql`INSERT INTO workspaces (id, name, wrapped_key, created_at)
     SELECT format('tenant-%04d', each.value), 'Tenant', w.wrapped_key, 0
     FROM json_each(${JSON.stringify(Array.from({ length: WORKSPACES }, (_, at) => at))}) each CROSS JOIN (SELECT wrapped_key FROM workspaces LIMIT 1) w`

/** One workspace after the other, each with equally many jobs: rows and indexes grow at their ends. */
const workspaceOf = (size: number): Statement =>
  sql`format('tenant-%04d', place / ${Math.ceil(size / WORKSPACES)})`

/** Each key has equally many jobs; workspaces share no keys. */
const keyOf = (size: number): Statement =>
  sql`format('tenant-%04d/bench/%d', place / ${Math.ceil(size / WORKSPACES)}, place % ${KEYS / WORKSPACES})`

const DIFFERENCES: Readonly<Partial<Record<Backlog, (size: number) => Differences>>> = {
  workspaces: (size) => ({ ws: workspaceOf(size) }),
  'other-tag': (size) => ({ ws: workspaceOf(size), tag: sql`'unserved'` }),
  'many-keys': (size) => ({ ws: workspaceOf(size), concurrencyKey: keyOf(size) }),
  'tenant-keys': () => ({
    ws: sql`'tenant-0001'`,
    concurrencyKey: sql`format('tenant-0001/bench/%d', place % ${KEYS})`,
  }),
}

/** Gives each queued job its own key, in one noisy workspace. */
const giveKeys = (tag: string): Statement =>
  sql`UPDATE jobs SET ws = 'tenant-0001', tag = ${tag}, concurrency_key = 'tenant-0001/bench/' || id, concurrency_limit = 1
     WHERE status = 'queued'`

/** Adds a running job with the same key for each queued job. */
const fillKeys = (): Statement =>
  sql`INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, crash_limit, trigger_kind, created_by,
       permissioned_as, created_at, attempt, concurrency_key, concurrency_limit, lease_until, claim_id, worker, started_at)
     SELECT ws, id || '-running', app, action, deployment_id, 'running', tag, run_at, crash_limit, trigger_kind,
       created_by, permissioned_as, created_at, 1, concurrency_key, 1, 4102444800000, 'other', 'other', run_at
     FROM jobs WHERE status = 'queued'`

/**
 * Fills the queue, and adds SERVED jobs of another workspace to claim, except if all jobs of the backlog can be claimed.
 * @param enqueue queues one plain job under the served tag
 */
export const fillBacklog = async (
  deps: BacklogDeps,
  enqueue: () => Promise<string>,
  { backlog, size }: Readonly<{ backlog: Backlog; size: number }>,
): Promise<void> => {
  if (backlog !== 'plain') await deps.db.write([makeWorkspaces()])
  await fillQueue(deps, await enqueue(), size, DIFFERENCES[backlog]?.(size))
  if (backlog === 'plain' || backlog === 'workspaces') return
  if (backlog === 'distinct-keys') await deps.db.write([giveKeys('unserved')])
  // the state of queued jobs whose key is full (store/jobs/insert.ts)
  if (backlog === 'full-keys') {
    await deps.db.write([
      giveKeys('default'),
      fillKeys(),
      sql`UPDATE jobs SET blocked = 1 WHERE status = 'queued'`,
    ])
  }
  await fillQueue(deps, await enqueue(), SERVED)
}
