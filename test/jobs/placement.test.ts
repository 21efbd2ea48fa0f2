/** Which worker may claim which job [jobs 10]: by level, by workspace, and by the tags of a workspace. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type IsolationLevel, levelRank } from '#core/placement/isolation-level.ts'
import { readQueue } from '#service/queue/claim-jobs.ts'
import { claimJobs as claimStatements } from '#store/jobs/claim.ts'
import { sql } from '#store/sql.ts'
import { updateAllowedTags } from '#store/workspaces/workspaces.ts'
import { claimJobs, type TestClaim } from '../support/claim-jobs.ts'
import { copyWorkspace, openQueue, QUEUE_BACKENDS, type Queue } from '../support/open-queue.ts'

const TENANTS = ['ada', 'bob', 'cyd'] as const

describe.each(QUEUE_BACKENDS)('a claim on %s', (_, openDatabase) => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await openDatabase()
    queue = await openQueue(opened.db)
    await queue.deploy()
    await queue.db.write(TENANTS.map(copyWorkspace))
    return opened.close
  })
  beforeEach(async () => {
    await queue.db.write([
      sql`DELETE FROM jobs`,
      ...TENANTS.map((ws) => updateAllowedTags(ws, null)),
    ])
  })

  const enqueue = async (
    ws: string,
    { level = 'none', tag = 'default' }: { level?: IsolationLevel; tag?: string } = {},
  ): Promise<string> => {
    const id = await queue.enqueue({ tag })
    await queue.db.write([
      sql`UPDATE jobs SET ws = ${ws}, min_level = ${levelRank(level)} WHERE id = ${id}`,
    ])
    return id
  }
  type Reach = Pick<TestClaim, 'level' | 'workspaces'> & Readonly<{ tags?: readonly string[] }>
  const claim = async (reach: Reach, limit = 10, afterWs = ''): Promise<readonly string[]> => {
    const options = { worker: 'w', tags: ['default'], limit, leaseMs: 60_000, afterWs, ...reach }
    return (await claimJobs(queue.deps, options)).map(({ id }) => id)
  }
  const maySee = async ({ level = 'vm', workspaces = [], tags = ['default'] }: Reach) =>
    (await readQueue(queue.deps, { level, workspaces, tags })).mayClaim

  it('leaves jobs that ask for a higher level than the worker gives', async () => {
    const strict = await enqueue('ada', { level: 'os' })
    expect(await maySee({ level: 'runtime' })).toBe(false)
    expect(await claim({ level: 'runtime' })).toEqual([])
    const plain = await enqueue('ada', { level: 'runtime' })
    expect(await maySee({ level: 'runtime' })).toBe(true)
    expect(await claim({ level: 'runtime' })).toEqual([plain])
    expect(await claim({ level: 'os' })).toEqual([strict])
  })

  it('reaches another workspace behind jobs that it may not take', async () => {
    for (let at = 0; at < 20; at += 1) await enqueue('ada', { level: 'vm' })
    const own = await enqueue('bob')
    expect(await claim({ level: 'runtime' }, 1)).toEqual([own])
  })

  it('of a worker for some workspaces takes jobs of those alone, in turn', async () => {
    const ada = await enqueue('ada')
    const bob = await enqueue('bob')
    const cyd = await enqueue('cyd')
    expect(await maySee({ workspaces: ['dan'] })).toBe(false)
    expect(await claim({ workspaces: ['dan'] })).toEqual([])
    expect(await claim({ workspaces: ['cyd', 'ada'] }, 1, 'ada')).toEqual([cyd])
    expect(await claim({ workspaces: ['cyd', 'ada'] })).toEqual([ada])
    expect(await claim({})).toEqual([bob])
  })

  it('leaves jobs whose tag was taken from their workspace, until it is allowed again', async () => {
    const trusted = await enqueue('ada', { tag: 'trusted' })
    const other = await enqueue('bob', { tag: 'trusted' })
    await queue.db.write([updateAllowedTags('ada', ['default'])])
    const reach = { tags: ['trusted'] }
    expect(await claim(reach, 1)).toEqual([other])
    expect(await claim(reach, 1)).toEqual([])
    await queue.db.write([updateAllowedTags('ada', ['default', 'trusted'])])
    expect(await claim(reach, 1)).toEqual([trusted])
  })

  it('seeks by index and never reads the queue', async () => {
    for (const workspaces of [[], ['ada', 'bob']]) {
      const { claim: statement } = claimStatements({
        claimId: 'c',
        worker: 'w',
        tags: ['default', 'gpu'],
        levelRank: 3,
        workspaces,
        limit: 4,
        leaseMs: 1,
        afterWs: '',
        latestNow: null,
        maxRunning: 0,
      })
      const explain = { ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` }
      const plan = await queue.db.all(explain)
      const steps = plan.map(({ detail }) => String(detail))
      expect(steps.filter((step) => /jobs_ready/.test(step)).length).toBeGreaterThan(0)
      expect(steps.filter((step) => /^SCAN .* USING |BLOOM FILTER ON (?!c )/.test(step))).toEqual(
        [],
      )
    }
  })

  it('of several tags takes the allowed ones of a workspace and starves no other', async () => {
    for (let at = 0; at < 5; at += 1) await enqueue('ada', { tag: 'trusted' })
    const own = await enqueue('ada')
    const other = await enqueue('bob', { tag: 'trusted' })
    await queue.db.write([updateAllowedTags('ada', ['default'])])
    const reach = { tags: ['trusted', 'default'] }
    expect(await claim(reach, 1)).toEqual([own])
    expect(await claim(reach, 1)).toEqual([other])
  })
})
