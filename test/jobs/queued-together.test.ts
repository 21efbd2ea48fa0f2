/** Jobs that are queued at once, which sqld writes in one statement: each row is the same as when it is queued alone. */
import { beforeAll, describe, expect, test } from 'vitest'
import { insertJob, type NewJob } from '#store/jobs/insert.ts'
import { raw, sql, TRUE } from '#store/sql.ts'
import { openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'

const COLUMNS = `ws, app, action, deployment_id, status, tag, priority, ready, blocked, concurrency_key, concurrency_limit,
  max_attempts, crash_limit, min_level, trigger_kind, created_by, permissioned_as, customer_id, chain_depth, holds_apps_write,
  flow_run_id, replay_of, called_by, called_step, input, trigger`

const control = (key: string): NewJob['control'] => ({
  concurrency: { key: `${WS}/${key}`, limit: 1 },
  rate: null,
  debounce: null,
  fair: null,
})

describe.each(QUEUE_BACKENDS)('over %s', (_, open) => {
  let queue: Queue
  let model: NewJob
  beforeAll(async () => {
    const opened = await open()
    queue = await openQueue(opened.db)
    await queue.deploy({ key: 'greet' })
    const row = await queue.row(await queue.enqueue())
    model = {
      id: '',
      ws: WS,
      app: 'hello',
      action: 'greet',
      deploymentId: String(row.deployment_id),
      inputJson: '{"text":"\\"quoted\\" \\u0000 \\ud800 한글 😀"}',
      triggerJson: null,
      tag: null,
      manifestTag: null,
      priority: 0,
      due: { inMs: 0 },
      requestedAt: null,
      startTimeoutMs: null,
      control: { concurrency: null, rate: null, debounce: null, fair: null },
      labels: [],
      maxAttempts: 1,
      crashLimit: 3,
      minLevel: 0,
      triggerKind: 'api',
      createdBy: 'a@b',
      permissionedAs: 'a@b',
      customerId: null,
      chainDepth: 0,
      holdsAppsWrite: false,
      flow: null,
      replayOf: null,
      calledBy: null,
      isPinned: false,
    }
    return opened.close
  })

  const insert = (id: string, more: Partial<NewJob> = {}) => {
    const [job, input] = insertJob({ ...model, id, ...more }, TRUE)
    return queue.db.write({ job, input }, { retry: true })
  }
  const rowOf = (id: string) =>
    queue.db.one(
      sql`SELECT ${raw(COLUMNS)} FROM jobs JOIN job_inputs ON job_id = id WHERE id = ${id}`,
    )

  const kinds: readonly Partial<NewJob>[] = [
    {},
    { tag: 'gpu', priority: 5, manifestTag: 'other' },
    { manifestTag: 'of-manifest', minLevel: 2, maxAttempts: 7 },
    {
      control: control('k'),
      holdsAppsWrite: true,
      chainDepth: 4,
    },
    { control: control('full') },
    { calledBy: { jobId: 'caller', step: 'call' } },
    { triggerKind: 'webhook', triggerJson: '{"headers":{"a":"b"}}', customerId: null },
  ]

  test('they are the same rows, and each caller gets its own', async () => {
    await insert('running', { control: control('full') })
    await queue.claim(10)
    for (const [at, kind] of kinds.entries()) await insert(`alone-${at}`, kind)
    const results = await Promise.all(kinds.map((kind, at) => insert(`together-${at}`, kind)))
    for (const [at, { job, input }] of results.entries()) {
      expect(job.rows).toMatchObject([{ id: `together-${at}` }])
      expect([job.changes, input.changes]).toEqual([1, 1])
      expect(await rowOf(`together-${at}`)).toEqual(await rowOf(`alone-${at}`))
    }
    const blocked = await queue.db.all(sql`SELECT id FROM jobs WHERE blocked = 1 ORDER BY id`)
    expect(blocked.map(({ id }) => id)).toEqual(['alone-4', 'together-4'])
  })

  test('those whose deployment is no longer the current one are left out', async () => {
    const [first, stale, last] = await Promise.all([
      insert('first'),
      insert('stale', { deploymentId: 'another' }),
      insert('last'),
    ])
    expect([first, stale, last].map(({ job }) => job.rows.length)).toEqual([1, 0, 1])
    expect([stale.job.changes, stale.input.changes]).toEqual([0, 0])
    expect(await rowOf('stale')).toBeNull()
  })

  test('a job that is written again, as after a lost answer, is there once and keeps its input', async () => {
    await insert('again')
    const before = await rowOf('again')
    const results = await Promise.all(
      ['again', 'new', 'again'].map((id) => insert(id, { inputJson: '"changed"' })),
    )
    expect(results.map(({ job }) => job.rows.length)).toEqual([0, 1, 0])
    expect(await rowOf('again')).toEqual(before)
    await queue.db.write([sql`UPDATE jobs SET attempt = 1 WHERE id = 'again'`])
    await queue.db.write([sql`DELETE FROM job_inputs WHERE job_id = 'again'`])
    await Promise.all(['again', 'newer'].map((id) => insert(id)))
    expect(await rowOf('again')).toBeNull()
    expect(await rowOf('newer')).not.toBeNull()
  })

  test('one that the schema refuses fails alone', async () => {
    const results = await Promise.allSettled([
      insert('good'),
      insert('bad', { triggerKind: JSON.parse('"no kind"') }),
      insert('better'),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await rowOf('bad')).toBeNull()
    expect(await rowOf('better')).not.toBeNull()
  })
})
