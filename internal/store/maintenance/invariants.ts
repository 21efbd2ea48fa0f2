/**
 * The invariants of a database of svc, each as a query for the rows that break it. docs/reliability.md lists the invariants;
 * those that only a running svc can show (I8 to I11) have no query.
 *
 * A query returns one row, with the column `found`, for each fault. It reads each table a bounded number of times. It must not
 * find faults in a database whose rows were removed by retention or that was created by an older svc.
 */
import { DAY_MS } from '#core/time-units.ts'
import { KEY_KEPT_MS } from '../idempotency-keys.ts'
import { RUN_PREFIX } from '../jobs/called-runs.ts'
import { TABLES_OF_FLOW_RUNS, TABLES_OF_JOBS, TABLES_OF_OWNERS } from '../sweeps.ts'

export type Invariant = Readonly<{
  /** Its number in docs/reliability.md. */
  id: string
  /** The condition that must be true. */
  rule: string
  query: string
}>

/** Version of the migration that added the records of attempts. */
const ATTEMPTS_SINCE = 8

/** Queries for rows of these tables whose job or flow run is missing, which the column `id` names. */
const leftOf = (
  owner: 'job' | 'flow run' | 'job or flow run',
  tables: readonly string[],
  id: string,
): string => {
  const owners = {
    job: 'SELECT id FROM jobs',
    'flow run': 'SELECT id FROM flow_runs',
    'job or flow run': 'SELECT id FROM jobs UNION ALL SELECT id FROM flow_runs',
  }[owner]
  return tables
    .map(
      (table) => `SELECT DISTINCT 'rows of ${table} are left of ${owner} ' || ${id} FROM ${table}
        WHERE ${id} NOT IN (${owners})`,
    )
    .join(' UNION ALL ')
}

export const INVARIANTS: readonly Invariant[] = [
  {
    id: 'I1',
    rule: 'each ended job is on the ledger with the outcome that it has, and no other job is',
    query: `SELECT 'job ' || j.id || ' is ' || j.status || ', the ledger says ' || COALESCE(l.outcome, 'nothing') AS found
      FROM jobs j LEFT JOIN ledger l ON l.job_id = j.id
      WHERE (j.completed_at IS NOT NULL AND l.outcome IS NOT j.status)
        OR (j.completed_at IS NULL AND l.job_id IS NOT NULL)`,
  },
  {
    id: 'I2',
    rule: 'something is under way for each flow run that runs',
    query: `SELECT 'nothing is under way for flow run ' || r.id || ' at step ' || r.step_index AS found
      FROM flow_runs r
      WHERE r.status = 'running' AND r.awaits_room = 0 AND r.wait_until IS NULL AND r.concurrency_state IS NOT 'waiting'
        AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.flow_run_id = r.id AND j.completed_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM flow_runs c WHERE c.parent_run_id = r.id AND c.completed_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM event_waits w WHERE w.owner_id = r.id AND w.status = 'open')`,
  },
  {
    id: 'I2',
    rule: 'a flow run that has ended has no open step',
    query: `SELECT 'step ' || s.step_index || ' of flow run ' || r.id || ' is ' || s.status || ', the run is ' || r.status AS found
      FROM flow_runs r JOIN flow_steps s ON s.run_id = r.id
      WHERE r.completed_at IS NOT NULL AND s.completed_at IS NULL`,
  },
  {
    id: 'I2',
    rule: 'an open job of a flow belongs to a flow run that is there',
    query: `SELECT 'job ' || j.id || ' is of flow run ' || j.flow_run_id || ', which is missing' AS found
      FROM jobs j LEFT JOIN flow_runs r ON r.ws = j.ws AND r.id = j.flow_run_id
      WHERE j.flow_run_id IS NOT NULL AND j.completed_at IS NULL AND r.id IS NULL`,
  },
  {
    id: 'I3',
    rule: 'lost workers and failures are counted by the attempts on record, of jobs that did not end by one',
    query: `SELECT 'job ' || id || ' counts ' || crash_count || ' lost workers and ' || failure_count || ' failures, on record are '
        || lost || ' and ' || failed AS found
      FROM (SELECT j.id, j.crash_count, j.failure_count,
          (SELECT count(*) FROM job_attempts a WHERE a.job_id = j.id AND a.outcome = 'worker_lost') AS lost,
          (SELECT count(*) FROM job_attempts a WHERE a.job_id = j.id AND a.outcome = 'failure') AS failed
        FROM jobs j
        WHERE (j.completed_at IS NULL OR j.status = 'success')
          AND j.created_at > (SELECT applied_at FROM schema_migrations WHERE version = ${ATTEMPTS_SINCE}))
      WHERE crash_count <> lost OR failure_count <> failed`,
  },
  {
    id: 'I4',
    rule: 'the counts of the queue are those of its rows',
    query: `SELECT 'the queue of workspace ' || ws || ', tag ' || tag || ', app ' || app || ' has ' || sum(rows) || ' rows and counts '
        || sum(counted) AS found
      FROM (
        SELECT ws, tag, app, CASE WHEN ready = 0 AND suspended_kind IS NOT NULL THEN 2 ELSE ready END AS kind,
          1 AS rows, 0 AS counted FROM jobs WHERE status = 'queued'
        UNION ALL
        SELECT ws, tag, app, ready, 0, n FROM queue_counts)
      GROUP BY ws, tag, app, kind HAVING sum(rows) <> sum(counted)`,
  },
  {
    id: 'I4',
    rule: 'no more jobs of a concurrency key run than its limit',
    query: `SELECT count(*) || ' jobs of concurrency key ' || concurrency_key || ' run, its limit is ' || max(concurrency_limit) AS found
      FROM jobs WHERE status = 'running' AND concurrency_key IS NOT NULL
      GROUP BY ws, concurrency_key HAVING count(*) > max(concurrency_limit)`,
  },
  {
    id: 'I4',
    rule: 'no more flow runs of a concurrency key hold a slot than its limit',
    query: `SELECT count(*) || ' flow runs of concurrency key ' || concurrency_key || ' hold a slot, its limit is ' || max(concurrency_limit) AS found
      FROM flow_runs WHERE concurrency_state = 'holding' AND completed_at IS NULL
      GROUP BY ws, concurrency_key HAVING count(*) > max(concurrency_limit)`,
  },
  {
    id: 'I4',
    // a run that has a slot and has not begun gives further slots when it begins
    rule: 'no flow run waits for a slot of its concurrency key while one is free and none is about to begin',
    query: `SELECT 'flow run ' || id || ' waits although slots of concurrency key ' || concurrency_key || ' are free' AS found
      FROM (SELECT ws, id, concurrency_key, concurrency_limit,
          row_number() OVER (PARTITION BY ws, concurrency_key ORDER BY priority DESC, id) AS turn
        FROM flow_runs WHERE concurrency_state = 'waiting' AND completed_at IS NULL) w
      WHERE turn = 1 AND concurrency_limit > (SELECT count(*) FROM flow_runs h INDEXED BY flow_runs_concurrent
        WHERE h.ws = w.ws AND h.concurrency_key = w.concurrency_key AND h.concurrency_state = 'holding' AND h.completed_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM flow_runs h INDEXED BY flow_runs_concurrent WHERE h.ws = w.ws
          AND h.concurrency_key = w.concurrency_key AND h.concurrency_state = 'holding' AND h.completed_at IS NULL AND h.step_index = -1)`,
  },
  {
    id: 'I5',
    rule: 'each fire time that fired has its one job or flow run',
    query: `SELECT 'fire time ' || s.slot || ' of schedule ' || s.schedule_id || ' started nothing' AS found
      FROM schedule_slots s WHERE s.outcome = 'fired' AND s.job_id IS NULL AND s.flow_run_id IS NULL
      UNION ALL
      SELECT 'job ' || job_id || ' was started by ' || count(*) || ' fire times'
      FROM schedule_slots WHERE job_id IS NOT NULL GROUP BY job_id HAVING count(*) > 1
      UNION ALL
      SELECT 'job ' || s.job_id || ' of schedule ' || s.schedule_id || ' is gone and never ended'
      FROM schedule_slots s LEFT JOIN ledger l ON l.job_id = s.job_id
      WHERE s.job_id IS NOT NULL AND l.job_id IS NULL AND s.job_id NOT IN (SELECT id FROM jobs)`,
  },
  {
    id: 'I6',
    rule: 'each skipped fire time is on record with its reason',
    query: `SELECT 'fire time ' || slot || ' of schedule ' || schedule_id || ' was skipped for no reason' AS found
      FROM schedule_slots WHERE outcome = 'skipped' AND (reason IS NULL OR count < 1)`,
  },
  {
    id: 'I7',
    rule: 'approvals are of steps that were reached, and decide them',
    query: `SELECT 'the answer of ' || a.approver || ' is to step ' || a.step_index || ' of flow run ' || r.id || ', which is '
        || COALESCE(s.status, 'missing') AS found
      FROM flow_runs r JOIN approvals a ON a.run_id = r.id
        LEFT JOIN flow_steps s ON s.run_id = a.run_id AND s.step_index = a.step_index
      WHERE s.status IS NULL OR s.status = 'skipped'
      UNION ALL
      SELECT 'step ' || s.step_index || ' of flow run ' || s.run_id || ' is rejected, and no rejection is on record'
      FROM flow_steps s WHERE s.status = 'rejected' AND s.is_kept = 0 AND NOT EXISTS (SELECT 1 FROM approvals a
        WHERE a.run_id = s.run_id AND a.step_index = s.step_index AND a.decision = 'reject')`,
  },
  {
    id: 'I12',
    rule: 'the file gives space back, and nothing is left of jobs and flow runs that were deleted',
    query: `SELECT 'the file keeps the space of deleted rows: auto_vacuum is off' AS found
      FROM pragma_auto_vacuum WHERE auto_vacuum = 0
      UNION ALL ${leftOf('job', Object.values(TABLES_OF_JOBS).flat(), 'job_id')}
      UNION ALL ${leftOf('flow run', Object.values(TABLES_OF_FLOW_RUNS).flat(), 'run_id')}
      UNION ALL ${leftOf('job or flow run', TABLES_OF_OWNERS, 'owner_id')}`,
  },
  {
    id: 'I13',
    rule: 'what was acknowledged is there: what idempotency keys made, inputs of open jobs, deployments of open work',
    query: `SELECT 'job ' || k.job_id || ' of an idempotency key is gone and never ended' AS found
      FROM idempotency_keys k LEFT JOIN ledger l ON l.job_id = k.job_id
      WHERE k.created_at > CAST(unixepoch('subsec') * 1000 AS INTEGER) - ${KEY_KEPT_MS}
        AND l.job_id IS NULL AND k.job_id NOT IN (SELECT id FROM jobs) AND k.job_id NOT IN (SELECT id FROM flow_runs)
        AND k.job_id NOT IN (SELECT id FROM credit_entries) AND k.job_id NOT IN (SELECT id FROM operations)
      UNION ALL
      SELECT 'job ' || j.id || ' is ' || j.status || ' and has no input' FROM jobs j LEFT JOIN job_inputs i ON i.job_id = j.id
      WHERE j.completed_at IS NULL AND i.job_id IS NULL
      UNION ALL
      SELECT what || ' ' || id || ' has not ended, and its deployment is gone' FROM (
        SELECT 'job' AS what, ws, id, deployment_id FROM jobs WHERE completed_at IS NULL
        UNION ALL SELECT 'flow run', ws, id, deployment_id FROM flow_runs WHERE completed_at IS NULL) o
      WHERE NOT EXISTS (SELECT 1 FROM deployments d WHERE d.ws = o.ws AND d.id = o.deployment_id)`,
  },
  {
    id: 'I13',
    rule: 'each repository that was pushed has all of its packs',
    query: `SELECT 'pack ' || p.name || ' of repository ' || p.repository_id || ' has not all of its ' || p.bytes || ' bytes' AS found
      FROM git_packs p WHERE p.push_id IS NOT NULL AND p.bytes <> COALESCE((SELECT sum(octet_length(c.content))
        FROM git_pack_chunks c WHERE c.ws = p.ws AND c.repository_id = p.repository_id AND c.name = p.name), 0)
      UNION ALL
      SELECT 'the repository of app ' || r.app || ' has no pack' FROM git_repositories r
      WHERE NOT EXISTS (SELECT 1 FROM git_packs p WHERE p.ws = r.ws AND p.repository_id = r.id AND p.push_id IS NOT NULL)`,
  },
  {
    id: 'I14',
    // leases are shorter than a day with any settings
    rule: 'no lease lasts beyond what a clock explains',
    query: `SELECT 'job ' || id || ' is held by ' || COALESCE(worker, 'a worker') || ' for days to come' AS found
      FROM jobs WHERE status = 'running'
        AND lease_until > CAST(unixepoch('subsec') * 1000 AS INTEGER) + ${DAY_MS}`,
  },
  {
    id: 'I17',
    rule: 'no durable step waits for a called job or flow run that has ended',
    query: `SELECT 'step ' || s.name || ' of job ' || s.job_id || ' waits for ' || s.child_id || ', which has ended' AS found
      FROM job_steps s JOIN jobs j ON j.id = s.job_id
      WHERE s.kind = 'job' AND s.status = 'running' AND j.completed_at IS NULL
        AND (EXISTS (SELECT 1 FROM jobs c WHERE c.ws = j.ws AND c.id = s.child_id AND c.completed_at IS NOT NULL)
          OR s.child_id GLOB '${RUN_PREFIX}*' AND EXISTS (SELECT 1 FROM flow_runs r
            WHERE r.ws = j.ws AND r.id = substr(s.child_id, ${RUN_PREFIX.length + 1}) AND r.completed_at IS NOT NULL))`,
  },
]
