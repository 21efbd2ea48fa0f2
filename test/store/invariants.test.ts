/** What `svc db check` finds: each invariant, broken by hand, and nothing in a healthy database. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkInvariants } from '#store/maintenance/check-invariants.ts'
import { INVARIANTS } from '#store/maintenance/invariants.ts'
import { openTemporaryDatabase, type TemporaryDatabase } from '../support/temporary-database.ts'

const NOW = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`

const job = (
  id: string,
  status: string,
  columns: Readonly<Record<string, string>> = {},
): string => {
  const values = {
    ws: `'sales'`,
    id: `'${id}'`,
    app: `'shop'`,
    action: `'sell'`,
    deployment_id: `'d'`,
    status: `'${status}'`,
    tag: `'default'`,
    run_at: '1',
    crash_limit: '3',
    trigger_kind: `'api'`,
    created_by: `'ada'`,
    permissioned_as: `'ada'`,
    created_at: NOW,
    ...(status === 'running' ? { lease_until: `${NOW} + 10000`, started_at: NOW } : {}),
    ...(['queued', 'running'].includes(status) ? {} : { completed_at: NOW }),
    ...columns,
  }
  return `INSERT INTO jobs (${Object.keys(values)}) VALUES (${Object.values(values)});`
}
const input = (id: string): string =>
  `INSERT INTO job_inputs (job_id, input) VALUES ('${id}', '{}');`
const billed = (id: string, outcome: string): string =>
  `INSERT INTO ledger VALUES ('${id}', 'sales', NULL, 'shop', 'sell', '${outcome}', 1, 1);`
const run = (id: string, status: string, completedAt = 'NULL'): string =>
  `INSERT INTO flow_runs (ws, id, app, flow, deployment_id, status, trigger_kind, input, created_by, permissioned_as,
    step_index, transition, created_at, completed_at)
    VALUES ('sales', '${id}', 'shop', 'sell', 'd', '${status}', 'api', '', 'ada', 'ada', 0, 't', 1, ${completedAt});`
const place = (id: string, state: 'holding' | 'waiting'): string =>
  `UPDATE flow_runs SET concurrency_key = 'k', concurrency_limit = 1, concurrency_state = '${state}' WHERE id = '${id}';`
const step = (id: string, status: string, completedAt = 'NULL'): string =>
  `INSERT INTO flow_steps (run_id, step_index, key, status, started_at, completed_at)
    VALUES ('${id}', 0, 's', '${status}', 1, ${completedAt});`
const answer = (id: string, decision: string): string =>
  `INSERT INTO approvals VALUES ('${id}', 0, 'ada', '${decision}', NULL, NULL, 'session', 1);`
const called = (id: string, child: string): string =>
  `INSERT INTO job_steps (job_id, name, position, kind, status, started_at, child_id)
    VALUES ('${id}', 'call', 0, 'job', 'running', 1, '${child}');`
const WORKSPACE = `INSERT INTO workspaces (id, name, wrapped_key, created_at) VALUES ('sales', 'sales', '', 1);
  INSERT INTO deployments (id, ws, app, commit_id, source, manifest, created_by, created_at)
  VALUES ('d', 'sales', 'shop', 'c', 'upload', '{}', 'ada', 1);`
const SCHEDULE = `INSERT INTO schedules (id, ws, app, action, cron, timezone, input, enabled, next_fire_at, created_by, created_at, updated_at)
  VALUES ('s', 'sales', 'shop', 'sell', '@hourly', 'UTC', '{}', 1, 9, 'ada', 1, 1);`
const slot = (
  at: number,
  outcome: string,
  columns: Readonly<Record<string, string>> = {},
): string => {
  const values = {
    schedule_id: `'s'`,
    slot: String(at),
    outcome: `'${outcome}'`,
    at: '1',
    ...columns,
  }
  return `INSERT INTO schedule_slots (${Object.keys(values)}) VALUES (${Object.values(values)});`
}

/** Everything that a healthy database may contain: work in each state, and what retention has left of older work. */
const WELL = [
  job('queued', 'queued') + input('queued'),
  job('limited', 'running', { concurrency_key: `'k'`, concurrency_limit: '1', attempt: '1' }) +
    input('limited'),
  job('ended', 'success') +
    input('ended') +
    billed('ended', 'success') +
    billed('long-gone', 'failure'),
  // the attempt by which it ended is stored in the job itself
  job('given-up', 'failure', { crash_count: '1', attempt: '1' }),
  input('given-up') + billed('given-up', 'failure'),
  job('lost', 'failure', { crash_count: '1', attempt: '2' }) +
    input('lost') +
    billed('lost', 'failure'),
  `INSERT INTO job_attempts VALUES ('lost', 1, 'worker_lost', 'w', 1, 2, NULL);`,
  run('busy', 'running') + step('busy', 'running') + input('child'),
  job('child', 'queued', { flow_run_id: `'busy'`, flow_index: '0', flow_slot: '0' }),
  run('asks', 'waiting_approval') + step('asks', 'waiting_approval') + answer('asks', 'approve'),
  place('asks', 'holding') + run('in-line', 'running') + place('in-line', 'waiting'),
  run('refused', 'failed', '2') + step('refused', 'rejected', '2') + answer('refused', 'reject'),
  WORKSPACE +
    SCHEDULE +
    slot(1, 'fired', { job_id: `'long-gone'` }) +
    slot(2, 'fired', { job_id: `'ended'` }),
  slot(3, 'skipped', { reason: `'late'`, last_slot: '4', count: '2' }),
  `INSERT INTO idempotency_keys VALUES ('sales', 'c', 'r', 'k', '', 'queued', ${NOW}), ('sales', 'c', 'r', 'l', '', 'busy', ${NOW}),
    ('sales', 'c', 'r', 'm', '', 'swept', 1);`,
].join('\n')

/** A statement that breaks an invariant, and what the check finds then. */
const FAULTS: readonly (readonly [invariant: string, fault: string, found: RegExp])[] = [
  ['I1', 'PRAGMA foreign_keys = OFF; DROP TABLE job_inputs', /^the table job_inputs is missing/],
  ['I1', `DROP TRIGGER jobs_terminal_is_final`, /trigger jobs_terminal_is_final is missing/],
  [
    'I1',
    `DROP TRIGGER jobs_terminal_is_final; CREATE TRIGGER jobs_terminal_is_final BEFORE UPDATE ON jobs BEGIN SELECT 1; END`,
    /trigger jobs_terminal_is_final is another/,
  ],
  ['I1', job('x', 'success') + input('x'), /job x is success, the ledger says nothing/],
  ['I1', job('x', 'failure') + input('x') + billed('x', 'success'), /is failure, .* says success/],
  ['I1', billed('queued', 'success'), /job queued is queued, the ledger says success/],
  ['I2', run('x', 'running') + step('x', 'running'), /nothing is under way for flow run x/],
  ['I2', run('x', 'completed', '2') + step('x', 'running'), /step 0 of flow run x is running/],
  ['I2', job('x', 'queued', { flow_run_id: `'gone'` }) + input('x'), /of flow run gone, which is/],
  ['I3', job('x', 'queued', { crash_count: '1' }) + input('x'), /job x counts 1 lost workers/],
  ['I3', job('x', 'queued', { failure_count: '2' }) + input('x'), /and 2 failures, on record/],
  ['I4', `UPDATE queue_counts SET n = n + 1 WHERE ready = 1`, /has 2 rows and counts 3/],
  ['I4', `DELETE FROM queue_counts`, /has 2 rows and counts 0/],
  [
    'I4',
    job('x', 'running', { concurrency_key: `'k'`, concurrency_limit: '1' }) + input('x'),
    /2 jobs of concurrency key k run, its limit is 1/,
  ],
  [
    'I4',
    run('x', 'waiting_approval') + place('x', 'holding'),
    /2 flow runs of concurrency key k hold a slot, its limit is 1/,
  ],
  [
    'I4',
    `UPDATE flow_runs SET concurrency_key = 'other' WHERE id = 'asks'`,
    /flow run in-line waits although slots of concurrency key k are free/,
  ],
  ['I5', slot(9, 'fired'), /fire time 9 of schedule s started nothing/],
  ['I5', slot(9, 'fired', { job_id: `'ended'` }), /job ended was started by 2 fire times/],
  ['I5', slot(9, 'fired', { job_id: `'x'` }), /job x of schedule s is gone and never ended/],
  ['I6', slot(9, 'skipped'), /fire time 9 of schedule s was skipped for no reason/],
  ['I7', run('x', 'completed', '2') + answer('x', 'approve'), /step 0 of flow run x, .* missing/],
  [
    'I7',
    run('x', 'completed', '2') + step('x', 'skipped', '2') + answer('x', 'approve'),
    /step 0 of flow run x, which is skipped/,
  ],
  ['I7', run('x', 'failed', '2') + step('x', 'rejected', '2'), /no rejection is on record/],
  ['I12', `PRAGMA auto_vacuum = 0; VACUUM`, /auto_vacuum is off/],
  ['I12', input('x'), /rows of job_inputs are left of job x/],
  [
    'I13',
    `INSERT INTO idempotency_keys VALUES ('sales', 'c', 'r', 'n', '', 'x', ${NOW})`,
    /job x of an idempotency key is gone/,
  ],
  ['I13', job('x', 'queued'), /job x is queued and has no input/],
  [
    'I13',
    job('x', 'queued', { deployment_id: `'gone'` }) + input('x'),
    /job x has not ended, and its deployment is gone/,
  ],
  [
    'I13',
    `UPDATE flow_runs SET deployment_id = 'gone' WHERE id = 'asks'`,
    /flow run asks has not ended, and its deployment is gone/,
  ],
  [
    'I13',
    `INSERT INTO git_packs VALUES ('sales', 'r', 'n', 3, 'p', 1);
     INSERT INTO git_pack_chunks VALUES ('sales', 'r', 'n', 0, x'0102')`,
    /pack n of repository r has not all of its 3 bytes/,
  ],
  [
    'I13',
    `INSERT INTO git_repositories VALUES ('sales', 'shop', 'r', '{}', 'p', 1)`,
    /the repository of app shop has no pack/,
  ],
  [
    'I14',
    job('x', 'running', { lease_until: `${NOW} + 90000000`, worker: `'w'` }) + input('x'),
    /job x is held by w for days to come/,
  ],
  [
    'I17',
    job('x', 'queued') +
      input('x') +
      called('x', 'c') +
      job('c', 'success') +
      billed('c', 'success'),
    /step call of job x waits for c, which has ended/,
  ],
  [
    'I17',
    job('x', 'running') + input('x') + called('x', 'flow-run:r2') + run('r2', 'failed', '1'),
    /step call of job x waits for flow-run:r2, which has ended/,
  ],
]

/** Tables that rightly name jobs and flow runs that are gone: they record what happened, or end at a time of their own. */
const KEEP_NAMES = [
  'flow_link_uses',
  'idempotency_keys',
  'ledger',
  'operation_jobs',
  'schedule_slots',
  'webhook_deliveries',
]

/** A statement for each other table that names a job or flow run, which inserts a row of the missing one `x`. */
const LEFT_ROWS = `SELECT m.name, 'INSERT INTO ' || m.name || ' (' || group_concat(c.name) || ') VALUES ('
    || group_concat(CASE c.type WHEN 'TEXT' THEN '''x''' WHEN 'BLOB' THEN 'x''00''' ELSE '1' END) || ')' AS fault
  FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'
  GROUP BY m.name HAVING sum(c.name IN ('job_id', 'run_id', 'owner_id')) > 0`

describe('the invariants of a database', () => {
  let temporary: TemporaryDatabase
  const open = (name: string): string => join(temporary.directory, name)
  const write = (path: string, text: string): void => {
    const connection = new Libsql(path)
    connection.exec(text)
    connection.close()
  }

  beforeAll(async () => {
    temporary = await openTemporaryDatabase()
    await temporary.db.close()
    write(temporary.path, WELL)
    write(temporary.path, 'PRAGMA wal_checkpoint(TRUNCATE)')
  })
  afterAll(() => temporary.close())

  test('hold in a database that is well', () => {
    const findings = checkInvariants(temporary.path) ?? []
    expect(findings.filter(({ found }) => found.length > 0)).toEqual([])
    expect(findings).toHaveLength(INVARIANTS.length + 1)
  })

  test.each(FAULTS)('$0 is found broken: $2', (invariant, fault, found) => {
    const path = open(`fault-${FAULTS.findIndex(([, each]) => each === fault)}.db`)
    copyFileSync(temporary.path, path)
    write(path, fault)
    const broken = (checkInvariants(path) ?? []).filter((each) => each.found.length > 0)
    expect(broken.map((each) => each.invariant)).toEqual([invariant])
    expect(broken[0]?.found.join('\n')).toMatch(found)
  })

  test('are broken by what is left of a job or flow run in any table', () => {
    const connection = new Libsql(temporary.path, { readonly: true })
    const tables = z
      .array(z.object({ name: z.string(), fault: z.string() }))
      .parse(connection.prepare(LEFT_ROWS).all())
    connection.close()
    const missed = tables.filter(({ name, fault }) => {
      const path = open(`left-${name}.db`)
      copyFileSync(temporary.path, path)
      write(path, `PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; ${fault}`)
      return !(checkInvariants(path) ?? []).some(
        (each) =>
          each.invariant === 'I12' && each.found.some((text) => text.includes(` of ${name} `)),
      )
    })
    expect(missed.map(({ name }) => name)).toEqual(KEEP_NAMES)
  })

  test('are checked without a search of all jobs or flow runs of a workspace for each row', () => {
    const connection = new Libsql(temporary.path, { readonly: true })
    const plans = INVARIANTS.flatMap(({ id, query }) =>
      z
        .array(z.object({ detail: z.string() }))
        .parse(connection.prepare(`EXPLAIN QUERY PLAN ${query}`).all())
        .map(({ detail }) => `${id}: ${detail}`),
    )
    connection.close()
    expect(plans.filter((plan) => plan.endsWith('(ws=?)'))).toEqual([])
  })

  test('are each broken by a fault of this test', () => {
    const known = new Set(FAULTS.map(([invariant]) => invariant))
    expect([...new Set(INVARIANTS.map(({ id }) => id))].filter((id) => !known.has(id))).toEqual([])
  })

  test('are not judged in a database of another schema', () => {
    const path = open('older.db')
    copyFileSync(temporary.path, path)
    write(path, 'DELETE FROM schema_migrations WHERE version > 30')
    expect(checkInvariants(path)).toBeNull()
  })
})
