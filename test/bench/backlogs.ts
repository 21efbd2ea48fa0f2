/** The jobs that wait in addition to the one that a claim takes: rows of other workspaces, other tags and full concurrency keys. */
import type { Deps } from '#service/deps.ts'
import type { Statement } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { type Differences, fillQueue } from './fill.ts'

type BacklogDeps = Pick<Deps, 'db' | 'newId'>

/** `plain`: all of them are in one workspace, with the tag that is served. */
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
/** The number of keys of all workspaces together. */
const KEYS = 10_000
/** The number of jobs of another tenant, which the measured claims take. */
const SERVED = 1_000

const makeWorkspaces = (): Statement =>
  sql`INSERT INTO workspaces (id, name, wrapped_key, created_at)
     SELECT format('tenant-%04d', each.value), 'Tenant', w.wrapped_key, 0
     FROM json_each(${JSON.stringify(Array.from({ length: WORKSPACES }, (_, at) => at))}) each CROSS JOIN (SELECT wrapped_key FROM workspaces LIMIT 1) w`

/** Fills one workspace after the other with equally many jobs, so that rows and indexes grow at their ends. */
const workspaceOf = (size: number): Statement =>
  sql`format('tenant-%04d', place / ${Math.ceil(size / WORKSPACES)})`

/** Equally many jobs for each key. Each workspace has its own keys. */
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

/** Gives each job its own key, in the workspace `noisy`. */
const giveKeys = (tag: string): Statement =>
  sql`UPDATE jobs SET ws = 'tenant-0001', tag = ${tag}, concurrency_key = 'tenant-0001/bench/' || id, concurrency_limit = 1
     WHERE status = 'queued'`

/** Adds to each queued job a running one with the same key. */
const fillKeys = (): Statement =>
  sql`INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, crash_limit, trigger_kind, created_by,
       permissioned_as, created_at, attempt, concurrency_key, concurrency_limit, lease_until, claim_id, worker, started_at)
     SELECT ws, id || '-running', app, action, deployment_id, 'running', tag, run_at, crash_limit, trigger_kind,
       created_by, permissioned_as, created_at, 1, concurrency_key, 1, 4102444800000, 'other', 'other', run_at
     FROM jobs WHERE status = 'queued'`

/**
 * Fills the queue, and leaves SERVED jobs of another workspace to be claimed, unless all jobs wait to be claimed.
 * @param enqueue queues one plain job with the served tag
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
