/** Labels of jobs, on both databases [jobs 20]. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enqueueBatch } from '#service/queue/enqueue-batch.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { type JobFilter, listJobs } from '#store/jobs/list.ts'
import { findJob } from '#store/jobs/read.ts'
import { sql } from '#store/sql.ts'
import { deleteEndedJobs } from '#store/sweeps.ts'
import { completeJob } from '../support/complete-job.ts'
import { APP, BY, openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const LABELS = ['customer:${input.customer}', 'order:${input.order}']
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const ACTIONS = [
  { key: 'greet' },
  { key: 'ship', labels: LABELS },
  { key: 'sync', labels: LABELS, debounce: { key: 'all', quietS: 1, maxS: 5 } },
]
const ANY: JobFilter = {
  statuses: [],
  app: null,
  action: null,
  triggerKind: null,
  since: null,
  until: null,
}

describe.each(QUEUE_BACKENDS)('labels on %s', (_, openDatabase) => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await openDatabase()
    queue = await openQueue(opened.db)
    await queue.deploy(...ACTIONS)
    return opened.close
  })
  beforeEach(() => queue.db.write([sql`DELETE FROM jobs`, sql`DELETE FROM job_labels`]))

  const ship = (input: object) => queue.enqueue({ action: 'ship', input: { ...input } })
  const labelsOf = async (id: string) => (await findJob(queue.db, WS, id))?.labels
  const find = async (label: string, filter: Partial<JobFilter> = {}, page = {}) => {
    const jobs = await listJobs(queue.db, WS, {
      ...ANY,
      ...filter,
      label,
      beforeId: null,
      limit: 10,
      ...page,
    })
    return jobs.map(({ id }) => id)
  }
  const finish = (job: ClaimedJob) =>
    completeJob(queue.deps, {
      job,
      outcome: { kind: 'success', resultJson: '1' },
      retry: null,
      logs: [],
    })

  it('come from the input', async () => {
    expect(await labelsOf(await ship({ customer: 'acme', order: 7 }))).toEqual([
      'customer:acme',
      'order:7',
    ])
    expect(await labelsOf(await ship({ order: null }))).toEqual([])
    expect(await labelsOf(await queue.enqueue())).toEqual([])
  })

  it('find jobs, newest first, page by page and with other filters', async () => {
    const ids = [await ship({ customer: 'a' }), await ship({ customer: 'a' })]
    await ship({ customer: 'b' })
    const last = await ship({ customer: 'a' })
    expect(await find('customer:a')).toEqual([last, ids[1], ids[0]])
    expect(await find('customer:a', {}, { limit: 1, beforeId: last })).toEqual([ids[1]])
    expect(await find('customer:a', { action: 'sync' })).toEqual([])
    expect(await find('customer:a', { statuses: ['queued'], app: APP })).toHaveLength(3)
    expect(await find('customer:a', { ids: ids.slice(0, 1) })).toEqual([ids[0]])
    expect(await find('customer:a', { since: Date.now() + 60_000 })).toEqual([])
    expect(await find('customer:')).toEqual([])
  })

  it('are stored with the jobs of a batch', async () => {
    const request = { ws: WS, app: APP, action: 'ship', triggerKind: 'api' } as const
    const items = ['x', 'y'].map((customer) => ({
      ...request,
      inputJson: JSON.stringify({ customer }),
      input: { customer },
      createdBy: BY,
      permissionedAs: BY,
    }))
    const { ids } = await enqueueBatch(enqueueDepsOf(queue.deps), WS, items)
    expect(await Promise.all(ids.map(labelsOf))).toEqual([['customer:x'], ['customer:y']])
    expect(await queue.claim(10)).toMatchObject([{ inputJson: '{"customer":"x"}' }, {}])
  })

  it('are those of the last request of a debounced job', async () => {
    const sync = (input: object) =>
      queue.enqueue({ action: 'sync', input: { ...input }, mayDebounce: true })
    const id = await sync({ customer: 'a', order: 1 })
    expect(await sync({ customer: 'b' })).toBe(id)
    expect(await labelsOf(id)).toEqual(['customer:b'])
    expect(await find('customer:a')).toEqual([])
    await sync({})
    expect(await labelsOf(id)).toEqual([])
  })

  it('do not change when a request comes after the start of a debounced job', async () => {
    const sync = (customer: string) =>
      queue.enqueue({ action: 'sync', input: { customer }, mayDebounce: true })
    const id = await sync('a')
    await queue.makeDue(id)
    expect((await queue.claim(1)).map((job) => job.id)).toEqual([id])
    const next = await sync('b')
    expect(next).not.toBe(id)
    expect(await Promise.all([id, next].map(labelsOf))).toEqual([['customer:a'], ['customer:b']])
  })

  it('are deleted with their job, and not before it has ended', async () => {
    const id = await ship({ customer: 'a' })
    await queue.db.write(deleteEndedJobs(WS, [id]))
    expect(await labelsOf(id)).toEqual(['customer:a'])
    for (const job of await queue.claim(1)) await finish(job)
    await queue.db.write(deleteEndedJobs(WS, [id]))
    expect(await queue.db.all(sql`SELECT * FROM job_labels`)).toEqual([])
  })

  it('are read by an index, whatever else the list is filtered by', async () => {
    const plan = await queue.db.all(sql`EXPLAIN QUERY PLAN SELECT jobs.id
      FROM job_labels m INDEXED BY job_labels_found CROSS JOIN jobs ON jobs.ws = m.ws AND jobs.id = m.job_id
      WHERE jobs.ws = ${WS} AND m.ws = ${WS} AND m.label = 'x' ORDER BY m.job_id DESC LIMIT 10`)
    const text = JSON.stringify(plan)
    expect(text).toContain('job_labels_found (ws=? AND label=?)')
    expect(text).not.toContain('TEMP B-TREE')
  })
})
