/** What may wait beside the job that a claim is to take: rows of other workspaces, other tags and full concurrency keys. */
import type { Deps } from '#service/deps.ts'
import type { Statement } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { fillQueue } from './fill.ts'

type BacklogDeps = Pick<Deps, 'db' | 'newId'>

/** `plain`: all of them in one workspace, under the tag that is served. */
export const BACKLOGS = ['plain', 'workspaces', 'other-tag', 'distinct-keys', 'full-keys'] as const
export type Backlog = (typeof BACKLOGS)[number]

export const toBacklog = (text: string | undefined): Backlog => {
  const found = BACKLOGS.find((known) => known === text)
  if (found === undefined) throw new Error(`No such backlog: ${text}`)
  return found
}

const WORKSPACES = 1_000
/** What another tenant has waiting, which the measured claims take from. */
const SERVED = 1_000

const makeWorkspaces = (): Statement =>
  sql`INSERT INTO workspaces (id, name, wrapped_key, created_at)
     SELECT format('tenant-%04d', each.value), 'Tenant', w.wrapped_key, 0
     FROM json_each(${JSON.stringify(Array.from({ length: WORKSPACES }, (_, at) => at))}) each CROSS JOIN (SELECT wrapped_key FROM workspaces LIMIT 1) w`

/** All but the model and its like, in turn over the workspaces. */
const spread = (): Statement =>
  sql`UPDATE jobs SET ws = format('tenant-%04d', place % ${WORKSPACES}) FROM (
       SELECT id AS at_id, row_number() OVER (ORDER BY id) AS place FROM jobs WHERE status = 'queued'
     ) WHERE id = at_id`

/** Each job under a key of its own, of the workspace `noisy`. */
const giveKeys = (tag: string): Statement =>
  sql`UPDATE jobs SET ws = 'tenant-0001', tag = ${tag}, concurrency_key = 'tenant-0001/bench/' || id, concurrency_limit = 1
     WHERE status = 'queued'`

/** Beside each queued job a running one of the same key. */
const fillKeys = (): Statement =>
  sql`INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, crash_limit, trigger_kind, created_by,
       permissioned_as, created_at, attempt, concurrency_key, concurrency_limit, lease_until, claim_id, worker, started_at)
     SELECT ws, id || '-running', app, action, deployment_id, 'running', tag, run_at, crash_limit, trigger_kind,
       created_by, permissioned_as, created_at, 1, concurrency_key, 1, 4102444800000, 'other', 'other', run_at
     FROM jobs WHERE status = 'queued'`

/**
 * Fills the queue, and leaves SERVED jobs of another workspace to be claimed, except where all wait to be claimed.
 * @param enqueue queues one plain job under the served tag
 */
export const fillBacklog = async (
  deps: BacklogDeps,
  enqueue: () => Promise<string>,
  { backlog, size }: Readonly<{ backlog: Backlog; size: number }>,
): Promise<void> => {
  await fillQueue(deps, await enqueue(), size)
  if (backlog === 'plain') return
  await deps.db.write([makeWorkspaces()])
  if (backlog === 'workspaces') {
    await deps.db.write([spread()])
    return
  }
  if (backlog === 'other-tag') {
    await deps.db.write([spread(), sql`UPDATE jobs SET tag = 'unserved' WHERE status = 'queued'`])
  }
  if (backlog === 'distinct-keys') await deps.db.write([giveKeys('unserved')])
  if (backlog === 'full-keys') await deps.db.write([giveKeys('default'), fillKeys()])
  await fillQueue(deps, await enqueue(), SERVED)
}
