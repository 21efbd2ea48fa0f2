/** Compares the statements that change the status of a job with core's state table. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  fromOf,
  INITIAL_STATUS,
  JOB_STATUSES,
  JOB_TRANSITIONS,
  type JobEvent,
  type JobStatus,
  toOf,
} from '#core/job/transitions.ts'
import { insertJobs } from '../../../test/support/insert-job.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../test/support/temporary-database.ts'
import { raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import { transition, transitionByCase } from './transition.ts'

const EVENTS = Object.keys(JOB_TRANSITIONS).filter(
  (name): name is JobEvent => name in JOB_TRANSITIONS,
)

let temporary: TemporaryDatabase
beforeAll(async () => {
  temporary = await openTemporaryDatabase()
})
afterAll(() => temporary.close())

const insert = async (status: JobStatus): Promise<string> => {
  const job = { ws: 'w', deploymentId: 'd', app: 'a', action: 'b', status }
  const [id = ''] = await insertJobs(temporary.db, [job])
  return id
}

const statusOf = async (id: string): Promise<unknown> =>
  (await temporary.db.one(sql`SELECT status FROM jobs WHERE ws = 'w' AND id = ${id}`))?.status

/** @returns how many rows the transition changed */
const run = async (event: JobEvent, id: string): Promise<number> => {
  const lease = event === 'claim' ? { lease_until: sql`${SQL_NOW} + ${1_000}` } : {}
  const marks = event === 'request_cancel' ? { cancel_by: sql`${'ada'}` } : {}
  const statement = transition(event, {
    set: { ...lease, ...marks },
    where: sql`ws = 'w' AND id = ${id}`,
  })
  const { only } = await temporary.db.write({ only: statement })
  return only.changes
}

describe('a transition', () => {
  it.each(EVENTS)('by %s changes jobs of its status, and no others', async (event) => {
    for (const status of JOB_STATUSES) {
      const id = await insert(status)
      const isAllowed = fromOf(event) === status
      expect(await run(event, id)).toBe(isAllowed ? 1 : 0)
      expect(await statusOf(id)).toBe(isAllowed ? toOf(event) : status)
    }
  })

  it('follows the state table through any series of events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...EVENTS), { maxLength: 12 }), async (events) => {
        const id = await insert(INITIAL_STATUS)
        let status: JobStatus = INITIAL_STATUS
        for (const event of events) {
          const isAllowed: boolean = fromOf(event) === status
          expect(await run(event, id)).toBe(isAllowed ? 1 : 0)
          if (isAllowed) status = toOf(event)
          expect(await statusOf(id)).toBe(status)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('chooses the first event whose condition holds, row by row', async () => {
    const ids = [await insert('queued'), await insert('queued'), await insert('running')]
    const [first = '', second = '', third = ''] = ids
    const choose = transitionByCase('queued', [
      { when: sql`id = ${first}`, event: 'cancel', set: { result: raw("'null'") } },
      { when: TRUE, event: null, set: { blocked: raw('1') } },
    ])
    const statement = choose({
      where: sql`ws = 'w' AND id IN (${first}, ${second}, ${third})`,
      returning: raw('id, blocked'),
    })
    const { only } = await temporary.db.write({ only: statement })
    expect(new Map(only.rows.map((row) => [row.id, row.blocked]))).toEqual(
      new Map([
        [first, 0],
        [second, 1],
      ]),
    )
    expect(await Promise.all(ids.map(statusOf))).toEqual(['canceled', 'queued', 'running'])
  })
})
