/** Random lives of many jobs under several workers: the queue behaves like its model in every order of events. */

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { isTerminal } from '#core/job/transitions.ts'
import { cancelJob } from '#service/queue/cancel-job.ts'
import type { RunOutcome } from '#service/queue/complete-job.ts'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import { renewLeases } from '#service/queue/renew-leases.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { BY, openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'
import { memberSession } from '../support/principals.ts'
import { runs } from '../support/runs.ts'
import * as model from './queue-model.ts'

const RETRY_NOW = { maxAttempts: 2, delayMs: 0, backoffFactor: 1 }
const RETRY_LATER = { ...RETRY_NOW, delayMs: 3_600_000 }
const CONCURRENCY = { limit: model.KEY_LIMIT, key: `\${input.customer}` }

/** The kinds of jobs. Each is an action. */
const KINDS = [
  { key: 'plain', retry: null },
  { key: 'fragile', retry: null, onWorkerLost: 'fail' },
  { key: 'again', retry: RETRY_NOW },
  { key: 'later', retry: RETRY_LATER },
  { key: 'keyed', retry: null, concurrency: CONCURRENCY },
  { key: 'keyed-again', retry: RETRY_NOW, concurrency: CONCURRENCY },
] as const
type Kind = (typeof KINDS)[number]
const KEYED = KINDS.filter((kind) => 'concurrency' in kind)

const nth = fc.nat({ max: 999 })
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('enqueue' as const),
      // half of them have a key, so that keys fill up
      kind: fc.constantFrom(...KINDS, ...KEYED),
      customer: fc.constantFrom('a', 'b'),
      priority: fc.constantFrom(-1, 0, 0, 1),
      isLater: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      limit: fc.integer({ min: 1, max: 8 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      nth,
      kind: fc.constantFrom<model.EndKind[]>('success', 'failure', 'canceled'),
    }),
  },
  fc.record({ do: fc.constant('cancel' as const), nth }),
  fc.record({ do: fc.constant('hand_back' as const), nth, started: fc.boolean() }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lose' as const), nth }) },
  fc.record({ do: fc.constant('make_due' as const), nth }),
  fc.record({ do: fc.constant('renew' as const) }),
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

const outcomeOf = (kind: model.EndKind): RunOutcome => {
  if (kind === 'success') return { kind, resultJson: '1' }
  if (kind === 'canceled') return { kind }
  return { kind, error: { name: 'Oops', message: 'no' } }
}

type Token = Readonly<{ job: ClaimedJob; token: model.ModelToken; kind: Kind }>

/** Claims until nothing is left. One claim may return fewer jobs than may run when it meets a full key. */
const claimAll = async (queue: Queue, limit: number, tag: string): Promise<ClaimedJob[]> => {
  const claimed: ClaimedJob[] = []
  while (claimed.length < limit) {
    const more = await queue.claim(limit - claimed.length, [tag])
    if (more.length === 0) break
    claimed.push(...more)
  }
  return claimed
}

/** One random life: the queue next to its model. */
const createLife = (queue: Queue, tag: string) => {
  const jobs: model.ModelJob[] = []
  const kinds = new Map<string, Kind>()
  let tokens: Token[] = []
  /** One of the newest, so that the operations meet on the same jobs. */
  const pick = <T>(from: readonly T[], at: number): T | undefined => from.slice(-6)[at % 6]

  const runAtOf = async (id: string): Promise<number> => Number((await queue.row(id)).run_at)

  const enqueue = async (op: Extract<Operation, { do: 'enqueue' }>): Promise<void> => {
    const { kind, priority, isLater } = op
    const customer = `${tag}-${op.customer}`
    const id = await queue.enqueue({
      action: kind.key,
      tag,
      priority,
      input: { customer },
      ...(isLater ? { scheduledFor: Date.now() + 3_600_000 } : {}),
    })
    kinds.set(id, kind)
    jobs.push({
      id,
      priority,
      key: 'concurrency' in kind ? `${kind.key}/${customer}` : null,
      retries: kind.retry === null ? 0 : kind.retry.maxAttempts - 1,
      crashLimit: 'onWorkerLost' in kind ? 1 : 3,
      status: 'queued',
      ready: !isLater,
      runAt: await runAtOf(id),
      attempt: 0,
      crashes: 0,
      failures: 0,
      isMarked: false,
      token: null,
    })
  }

  const claim = async (limit: number): Promise<void> => {
    const expected = model.claim(jobs, limit)
    const claimed = await claimAll(queue, limit, tag)
    expect(claimed.map(({ id, attempt }) => [id, attempt])).toEqual(
      expected.map(({ job, attempt }) => [job.id, attempt]),
    )
    for (const [at, job] of claimed.entries()) {
      const token = expected[at]
      const kind = kinds.get(job.id)
      if (token !== undefined && kind !== undefined) tokens.push({ job, token, kind })
    }
  }

  const end = async ({ job, token, kind }: Token, how: model.EndKind): Promise<void> => {
    const { retry } = kind
    const expected = model.end(token, how, retry?.delayMs === 0)
    const ending = { job, outcome: outcomeOf(how), retry, logs: [] }
    expect(await completeJob(queue.deps, ending)).toBe(expected)
    if (expected === 'retrying') token.job.runAt = await runAtOf(job.id)
  }

  const handBack = async ({ job, token }: Token, started: boolean): Promise<void> => {
    model.handBack(token, started)
    await handBackJobs(queue.deps, { jobs: [{ claim: job, started }] })
    // a worker forgets jobs that it never started
    if (!started) tokens = tokens.filter((other) => other.token !== token)
  }

  const touch = async (op: Exclude<Operation, { do: 'enqueue' | 'claim' | 'renew' }>) => {
    const token = 'kind' in op || 'started' in op ? pick(tokens, op.nth) : undefined
    const job = pick(jobs, op.nth)
    if (op.do === 'end') return token && end(token, op.kind)
    if (op.do === 'hand_back') return token && handBack(token, op.started)
    if (job === undefined) return
    if (op.do === 'cancel') {
      const request = { ws: WS, id: job.id, caller: memberSession(BY), reason: null }
      expect(await cancelJob(queue.deps, request)).toEqual(model.cancel(job))
    } else if (op.do === 'lose' && job.status === 'running') {
      model.lose(job)
      await queue.expire(job.id)
      await rescueJobs(queue.deps)
    } else if (op.do === 'make_due' && job.status === 'queued' && !job.ready) {
      job.runAt = 1
      await queue.makeDue(job.id)
    }
  }

  return {
    apply: async (op: Operation): Promise<void> => {
      if (op.do === 'enqueue') await enqueue(op)
      else if (op.do === 'claim') await claim(op.limit)
      else if (op.do === 'renew') {
        const { renewed } = await renewLeases(
          queue.db,
          tokens.map(({ job }) => job),
          60_000,
        )
        const expected = model.renew(tokens.map(({ token }) => token)).map(({ job }) => job.id)
        expect(renewed.map(({ id }) => id)).toEqual(expected)
      } else await touch(op)
    },
    /** Checks that the rows equal the model and that each end has exactly one billing row. */
    compare: async (): Promise<void> => {
      const rows = await queue.db.all(
        sql`SELECT id, status, attempt, crash_count AS crashes, failure_count AS failures,
             (SELECT group_concat(outcome) FROM ledger WHERE job_id = jobs.id) AS bill
           FROM jobs WHERE tag = ${tag} ORDER BY id`,
      )
      const expected = jobs.map(({ id, status, attempt, crashes, failures }) => {
        const bill = isTerminal(status) ? status : null
        return { id, status, attempt, crashes, failures, bill }
      })
      expect(rows).toEqual(expected)
    },
  }
}

describe.each(QUEUE_BACKENDS)('the queue on %s', (name, openDatabase) => {
  const numRuns = name === 'a file' ? runs({ short: 80, long: 300 }) : runs({ short: 15, long: 40 })
  let queue: Queue
  let lives = 0
  beforeAll(async () => {
    const opened = await openDatabase()
    queue = await openQueue(opened.db)
    await queue.deploy(...KINDS)
    return opened.close
  })

  const forget = (tag: string) =>
    queue.db.write([sql`DELETE FROM jobs WHERE tag = ${tag} AND status IN ('queued', 'running')`])

  it('does what its model does', async () => {
    const operations = fc.array(operation, { minLength: 10, maxLength: 50 })
    const live = async (list: readonly Operation[]): Promise<void> => {
      const tag = `life-${lives++}`
      const life = createLife(queue, tag)
      try {
        for (const op of list) {
          await life.apply(op)
          await life.compare()
        }
      } finally {
        await forget(tag)
      }
    }
    await fc.assert(fc.asyncProperty(operations, live), { numRuns })
  }, 120_000)
})
