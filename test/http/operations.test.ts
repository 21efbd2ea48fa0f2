/** Many jobs at once: batch, replay and bulk operations [jobs 17]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { AppError } from '#core/error.ts'
import { MAX_OPERATION_JOBS } from '#core/job/operation.ts'
import { deleteApp } from '#service/apps/manage-app.ts'
import { addMember, changeMember } from '#service/people/manage-member.ts'
import { enqueueBatch } from '#service/queue/enqueue-batch.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { runOperations } from '#service/queue/run-operations.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { deleteOldOperations } from '#store/operations.ts'
import { sql } from '#store/sql.ts'
import { countTurns } from '../support/count-turns.ts'
import { ADMIN, type TestAnswer, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { JOBS, type JobCaller, jobIdOf, openJobCaller, UNKNOWN_ID } from '../support/job-caller.ts'

let caller: JobCaller
beforeAll(async () => {
  caller = await openJobCaller()
})
afterAll(() => caller.close())

const MEMBER = 'ada@example.com'
let member = ''
beforeAll(async () => {
  await createUser(caller.app.deps, { email: MEMBER, password: null, isSuperAdmin: false })
  await addMember(caller.app.deps, { ws: WS, email: MEMBER, role: 'member' })
  member = await caller.app.token(['jobs:run', 'jobs:read'], { email: MEMBER })
})

const post = (path: string, json: unknown, more = {}) => caller.run(json, `${JOBS}${path}`, more)
const batch = (items: readonly unknown[], more = {}) => post('/batch', { items }, more)
const idsOf = (answer: TestAnswer) =>
  z.object({ job_ids: z.array(z.string()) }).parse(answer.json).job_ids
const count = async (tag: string): Promise<unknown> =>
  (await caller.app.deps.db.one(sql`SELECT count(*) AS n FROM jobs WHERE tag = ${tag}`))?.n
const greet = (more = {}) => ({ app: 'hello', action: 'greet', ...more })

describe('POST /jobs/batch', () => {
  it('queues all items and answers their ids in order', async () => {
    const items = Array.from({ length: 1_000 }, (_, n) => greet({ tag: 'many', input: { n } }))
    const answer = await batch(items)
    expect(answer.status).toBe(201)
    const ids = idsOf(answer)
    expect(new Set(ids).size).toBe(1_000)
    expect(await count('many')).toBe(1_000)
    expect((await caller.get(ids[700] ?? '')).json).toMatchObject({
      input: { n: 700 },
      tag: 'many',
    })
  })

  it('queues nothing when one item is refused, and names it', async () => {
    const good = greet({ tag: 'none' })
    const cases: readonly (readonly [unknown, number, string])[] = [
      [{ ...good, action: 'unknown' }, 404, 'items[1]'],
      [{ ...good, app: 'nowhere' }, 404, 'items[1]'],
      [{ ...good, action: 'strict', input: { age: -1 } }, 400, 'items[1]'],
      [{ ...good, action: 'a b' }, 400, 'items[1]'],
      [{ ...good, priority: 101 }, 400, 'items[1]'],
      [{ ...good, nonsense: 1 }, 400, 'items[1]'],
      [{ ...good, input: 'text' }, 400, 'items[1]'],
      [{ ...good, input: { text: 'x'.repeat(1_100_000) } }, 413, 'items[1]'],
    ]
    for (const [item, status, place] of cases) {
      const answer = await batch([good, item, good])
      expect([answer.status, answer.text.includes(place)]).toEqual([status, true])
    }
    expect(await count('none')).toBe(0)
    expect((await batch([])).status).toBe(400)
    expect((await batch(Array.from({ length: 1_001 }, () => good))).status).toBe(400)
  })

  it('answers the first job for an item whose key was used', async () => {
    const keyed = greet({ tag: 'keyed', idempotency_key: 'k1', input: { n: 1 } })
    const [first] = idsOf(await batch([keyed, greet({ tag: 'keyed' })]))
    const again = idsOf(await batch([greet({ tag: 'keyed' }), keyed]))
    expect(again[1]).toBe(first)
    expect(await count('keyed')).toBe(3)
    const other = await batch([greet({ tag: 'keyed' }), { ...keyed, input: { n: 2 } }])
    expect(other).toMatchObject({ status: 409, json: { code: 'idempotency_key_reused' } })
    expect(await count('keyed')).toBe(3)
  })

  it('makes one job of items with the same key', async () => {
    const keyed = greet({ tag: 'twice', idempotency_key: 'k2', input: { n: 1 } })
    const items = [keyed, greet({ tag: 'twice' }), keyed]
    const [first, second, third] = idsOf(await batch(items))
    expect(third).toBe(first)
    expect(second).not.toBe(first)
    expect(await count('twice')).toBe(2)
    expect(idsOf(await batch(items))).toMatchObject([first, expect.anything(), first])
    expect(await count('twice')).toBe(3)
    const fresh = { ...keyed, idempotency_key: 'k3' }
    expect(await batch([fresh, { ...fresh, input: { n: 2 } }])).toMatchObject({
      status: 409,
      json: { code: 'idempotency_key_reused', error: expect.stringContaining('items[1]') },
    })
    expect(await count('twice')).toBe(3)
  })

  it('makes one job of each key when the same batch comes at once', async () => {
    const items = Array.from({ length: 5 }, (_, n) =>
      greet({ tag: 'race', idempotency_key: `race-${n}` }),
    )
    const answers = await Promise.all([batch(items), batch(items), batch(items)])
    expect(new Set(answers.map((each) => JSON.stringify(idsOf(each)))).size).toBe(1)
    expect(await count('race')).toBe(5)
    // each new job is counted in one answer
    const queued = answers.map(({ json }) => z.object({ queued: z.int() }).parse(json).queued)
    expect(queued.reduce((sum, each) => sum + each, 0)).toBe(5)
  })

  it('lets other work run between the checks of large items', async () => {
    const deps = { ...caller.app.deps, ...enqueueDepsOf(caller.app.deps) }
    const input = { text: 'x'.repeat(600_000) }
    const item = {
      ...{ ws: WS, app: 'hello', action: 'greet', tag: 'large', input },
      inputJson: JSON.stringify(input),
      triggerKind: 'api',
      createdBy: 'me',
      permissionedAs: 'me',
    } as const
    const { result, turns } = await countTurns(() =>
      enqueueBatch(
        deps,
        WS,
        Array.from({ length: 20 }, () => item),
      ),
    )
    expect(result).toMatchObject({ queued: 20 })
    expect(turns).toBeGreaterThanOrEqual(20)
    await deps.db.write([sql`DELETE FROM jobs WHERE tag = 'large'`])
  })

  it('checks the tag of each item', async () => {
    const token = await caller.app.token(['jobs:run'])
    const refused = await batch([greet({ tag: 'gpu' })], { token })
    expect(refused).toMatchObject({ status: 403, json: { code: 'tag_not_allowed' } })
    expect((await batch([greet()], { token: await caller.app.token(['jobs:read']) })).status).toBe(
      403,
    )
  })
})

/** Returns the id of a failed job whose app was deleted. */
const orphan = async (app: string): Promise<string> => {
  await deployActions(caller.app.deps, [{ ws: WS, app, key: 'act', tag: app }])
  const id = await caller.runFor({}, `${JOBS}/run/${app}/act`)
  await caller.end(await caller.claim(app), {
    kind: 'failure',
    error: { name: 'Error', message: 'no' },
    isFinal: true,
  })
  await deleteApp(caller.app.deps, { ws: WS, key: app, actor: CLI_ACTOR })
  return id
}

const endedJob = async (input: unknown, status: 'success' | 'failure' = 'failure') => {
  const job = await caller.runAndClaim(input)
  const error = { name: 'Error', message: 'no' }
  await caller.end(
    job,
    status === 'success'
      ? { kind: 'success', resultJson: '1' }
      : { kind: 'failure', error, isFinal: true },
  )
  return job
}

describe('POST /jobs/{id}/replay', () => {
  it('queues the same input on the same commit, and names the old job', async () => {
    const old = await endedJob({ n: 7 })
    await deployActions(caller.app.deps, [
      { ws: WS, app: 'hello', key: 'greet', tag: 'greetings' },
      { ws: WS, app: 'hello', key: 'strict', tag: 'strict' },
    ])
    const pinned = await caller.get(jobIdOf(await post(`/${old.id}/replay`, {})))
    const before = await caller.get(old.id)
    const { commit } = z.looseObject({ commit: z.string() }).parse(before.json)
    expect(pinned.json).toMatchObject({
      replay_of: old.id,
      input: { n: 7 },
      commit,
      status: 'queued',
    })
    expect(before.json).not.toHaveProperty('replay_of')
    const latest = await post(`/${old.id}/replay`, { commit: 'latest', input: { n: 8 } })
    const { json } = await caller.get(jobIdOf(latest))
    expect(json).toMatchObject({ replay_of: old.id, input: { n: 8 } })
    expect(json).not.toMatchObject({ commit })
  })

  it.each(['pinned', 'latest'])('is 404 once the app was deleted: %s', async (commit) => {
    expect(await post(`/${await orphan(`gone-${commit}`)}/replay`, { commit })).toMatchObject({
      status: 404,
      json: { code: 'app_not_found' },
    })
  })

  it('is 409 for a job that has not ended, 404 for an unknown one, 403 for that of another', async () => {
    const id = await caller.runFor({ n: 1 })
    expect(await post(`/${id}/replay`, {})).toMatchObject({
      status: 409,
      json: { code: 'not_ended' },
    })
    expect((await post(`/${UNKNOWN_ID}/replay`, {})).status).toBe(404)
    const old = await endedJob({ secret: true })
    expect((await post(`/${old.id}/replay`, {}, { token: member })).status).toBe(403)
    expect((await post(`/${old.id}/replay`, { commit: 'newest' })).status).toBe(400)
  })

  it('with an Idempotency-Key happens once', async () => {
    const old = await endedJob({ n: 1 })
    const headers = { 'idempotency-key': 'replay-once' }
    const answers = [
      await post(`/${old.id}/replay`, {}, { headers }),
      await post(`/${old.id}/replay`, {}, { headers }),
    ]
    expect(jobIdOf(answers[0] ?? fail())).toBe(jobIdOf(answers[1] ?? fail()))
  })
})

const fail = (): never => {
  throw new Error('missing')
}
const acceptedOf = (answer: TestAnswer) =>
  z.object({ operation_id: z.string(), matched: z.number() }).parse(answer.json)
const operation = async (id: string, more = {}) =>
  await caller.app.call('GET', `/api/w/${WS}/operations/${id}`, {
    token: await caller.app.token(['jobs:run']),
    ...more,
  })
const stop = async (id: string, more = {}) =>
  await caller.app.call('POST', `/api/w/${WS}/operations/${id}/stop`, {
    token: await caller.app.token(['jobs:run']),
    ...more,
  })
const runAll = async (): Promise<void> => {
  const deps = { ...caller.app.deps, ...enqueueDepsOf(caller.app.deps) }
  while ((await runOperations(deps)) === 'more');
}

/** Inserts operations that have not ended, older than all others, each with one job. */
const startMany = (kind: 'replay' | 'cancel', many: number, jobId: string) =>
  caller.app.deps.db.write([
    sql`INSERT INTO operations (id, ws, kind, status, matched, filter, created_by, holds_apps_write, created_at)
      SELECT printf('0-many-%05d', value), ${WS}, ${kind}, 'running', 1, '{}', ${ADMIN}, 0, 0 FROM json_each(${JSON.stringify(Array.from({ length: many }, (_, at) => at))})`,
    sql`INSERT INTO operation_jobs (operation_id, job_id) SELECT id, ${jobId} FROM operations WHERE id LIKE '0-many-%'`,
  ])
const endMany = () =>
  caller.app.deps.db.write([
    sql`DELETE FROM operation_jobs WHERE operation_id LIKE '0-many-%'`,
    sql`DELETE FROM operations WHERE id LIKE '0-many-%'`,
  ])

describe('POST /jobs/bulk', () => {
  it('makes one operation for an Idempotency-Key, also when the jobs no longer match', async () => {
    const [id] = idsOf(await batch([greet({ tag: 'bulk-once' })]))
    const once = (kind: string) =>
      post('/bulk', { do: kind, filter: { ids: [id] } }, { headers: { 'idempotency-key': 'lost' } })
    const [first, second] = await Promise.all([once('cancel'), once('cancel')])
    expect(first).toMatchObject({ status: 202, json: { matched: 1 } })
    expect(second?.text).toBe(first?.text)
    await runAll()
    const later = await once('cancel')
    expect(later.text).toBe(first?.text)
    expect(later.headers.get('idempotency-replayed')).toBe('true')
    expect(await once('replay')).toMatchObject({
      status: 409,
      json: { code: 'idempotency_key_reused' },
    })
  })

  it('cancels what matched at acceptance, and nothing that came later', async () => {
    const items = Array.from({ length: 60 }, () => greet({ tag: 'bulk' }))
    await caller.app.deps.db.write([sql`DELETE FROM operation_jobs`])
    const since = new Date().toISOString()
    const ids = idsOf(await batch(items))
    const filter = { status: 'queued', app: 'hello', action: 'greet', since }
    expect(await post('/bulk', { do: 'cancel', filter, dry_run: true })).toMatchObject({
      status: 200,
      json: { matched: 60 },
    })
    const answer = await post('/bulk', { do: 'cancel', filter })
    expect(answer.status).toBe(202)
    const { operation_id: id, matched } = acceptedOf(answer)
    expect(matched).toBe(60)
    const [late] = idsOf(await batch([greet({ tag: 'bulk' })]))
    await caller.cancel(ids[0] ?? '')
    await runAll()
    expect((await operation(id)).json).toMatchObject({
      status: 'completed',
      matched: 60,
      done: 60,
      failed: 0,
    })
    expect((await caller.get(ids[59] ?? '')).json).toMatchObject({ status: 'canceled' })
    expect((await caller.get(late ?? '')).json).toMatchObject({ status: 'queued' })
  })

  it('acts on the named jobs of a trigger alone', async () => {
    const ids = idsOf(await batch(Array.from({ length: 4 }, () => greet({ tag: 'named' }))))
    const [first = '', second = '', third = ''] = ids
    await caller.cancel(third)
    const named = { ids: [first, second, third, UNKNOWN_ID], trigger_kind: 'api' }
    const answer = await post('/bulk', { do: 'cancel', filter: named })
    expect(acceptedOf(answer).matched).toBe(2)
    const dry = { do: 'cancel', filter: { ...named, trigger_kind: 'schedule' }, dry_run: true }
    expect((await post('/bulk', dry)).json).toEqual({ matched: 0 })
    await runAll()
    const statuses = await Promise.all(ids.map(async (id) => (await caller.get(id)).json))
    expect(statuses).toMatchObject(
      ['canceled', 'canceled', 'canceled', 'queued'].map((status) => ({ status })),
    )
    for (const bad of [[], ['no-id'], Array.from({ length: 1_001 }, () => first)]) {
      expect((await post('/bulk', { do: 'cancel', filter: { ids: bad } })).status).toBe(400)
    }
    expect(
      (await post('/bulk', { do: 'cancel', filter: { ids: [third], status: 'queued' } })).json,
    ).toMatchObject({ matched: 0 })
  })

  it('replays each job once, however often a turn is cut off', async () => {
    const since = new Date().toISOString()
    const old = []
    for (let n = 0; n < 5; n += 1) old.push(await endedJob({ n }))
    const filter = { status: 'failure', since }
    const { operation_id: id, matched } = acceptedOf(await post('/bulk', { do: 'replay', filter }))
    expect(matched).toBe(5)
    const deps = { ...caller.app.deps, ...enqueueDepsOf(caller.app.deps) }
    // two schedulers at once, and one whose writes report an error half of the time although they were made
    let writes = 0
    const { db } = deps
    const lossy = {
      ...deps,
      db: {
        ...db,
        one: db.one.bind(db),
        all: db.all.bind(db),
        now: db.now.bind(db),
        write: async (...args: Parameters<typeof db.write>) => {
          const results = await db.write(...args)
          writes += 1
          if (writes % 2 === 0) throw new Error('cut off')
          return results
        },
      },
    } as typeof deps
    await Promise.allSettled([runOperations(lossy), runOperations(deps), runOperations(lossy)])
    await runAll()
    expect((await operation(id)).json).toMatchObject({ status: 'completed', done: 5, failed: 0 })
    const replays = await db.all(
      sql`SELECT replay_of, count(*) AS n FROM jobs WHERE replay_of IN (${old[0]?.id ?? ''}, ${old[1]?.id ?? ''},
        ${old[2]?.id ?? ''}, ${old[3]?.id ?? ''}, ${old[4]?.id ?? ''}) GROUP BY replay_of`,
    )
    expect(replays.map(({ n }) => n)).toEqual([1, 1, 1, 1, 1])
  })

  it('stops at once: what was done stays done, and the rest is left', async () => {
    const ids = idsOf(await batch(Array.from({ length: 60 }, () => greet({ tag: 'stop' }))))
    const { operation_id: id } = acceptedOf(await post('/bulk', { do: 'cancel', filter: { ids } }))
    const deps = { ...caller.app.deps, ...enqueueDepsOf(caller.app.deps) }
    expect(await runOperations(deps)).toBe('more')
    expect(await stop(UNKNOWN_ID)).toMatchObject({ status: 404 })
    expect(await stop(id, { token: member })).toMatchObject({ status: 404 })
    const [first, second] = await Promise.all([stop(id), stop(id)])
    const stopped = { status: 'completed', stopped: true, matched: 60, done: 25, failed: 0 }
    expect(first).toMatchObject({ status: 200, json: stopped })
    expect(second.json).toEqual(first.json)
    await runAll()
    expect((await operation(id)).json).toMatchObject(stopped)
    const statuses = await Promise.all(ids.map(async (each) => (await caller.get(each)).json))
    const left = statuses.filter((job) => Reflect.get(Object(job), 'status') === 'queued')
    expect(left).toHaveLength(35)
    const { db } = caller.app.deps
    expect(
      await db.all(sql`SELECT identity FROM audit_log WHERE action = 'jobs.bulk_stopped'`),
    ).toHaveLength(1)
    const kept = await db.all(sql`SELECT 1 FROM operation_jobs WHERE operation_id = ${id}`)
    expect(kept.length).toBeLessThanOrEqual(25)
    await db.write(deleteOldOperations(-1, 1_000))
    expect(await operation(id)).toMatchObject({ status: 404 })
    expect(await db.all(sql`SELECT 1 FROM operation_jobs WHERE operation_id = ${id}`)).toEqual([])
  })

  it('counts the jobs that a turn is canceling when it is stopped, and replays none of its jobs', async () => {
    const deps = { ...caller.app.deps, ...enqueueDepsOf(caller.app.deps) }
    const stopDuring = async (kind: 'cancel' | 'replay', ids: readonly string[]) => {
      const { operation_id: id } = acceptedOf(await post('/bulk', { do: kind, filter: { ids } }))
      let stopped: Promise<unknown> | null = null
      const write = async (...args: Parameters<typeof deps.db.write>) => {
        stopped ??= stop(id)
        await stopped
        return deps.db.write(...args)
      }
      await runOperations({ ...deps, db: Object.assign(Object.create(deps.db), { write }) })
      await runAll()
      return (await operation(id)).json
    }
    const queued = idsOf(await batch(Array.from({ length: 40 }, () => greet({ tag: 'midway' }))))
    const canceled = { stopped: true, matched: 40, done: 25, failed: 0 }
    expect(await stopDuring('cancel', queued)).toMatchObject(canceled)
    const ended = [await endedJob({ n: 1 }), await endedJob({ n: 2 })].map(({ id }) => id)
    const left = { stopped: true, matched: 2, done: 0, failed: 0 }
    expect(await stopDuring('replay', ended)).toMatchObject(left)
  })

  it('that has ended, or has nothing left to do, cannot be stopped', async () => {
    const job = await caller.runFor({})
    const accepted = await post('/bulk', { do: 'cancel', filter: { ids: [job] } })
    const { operation_id: id } = acceptedOf(accepted)
    const deps = { ...caller.app.deps, ...enqueueDepsOf(caller.app.deps) }
    await runOperations(deps)
    const ended = { status: 'completed', stopped: false, matched: 1, done: 1 }
    expect((await stop(id)).json).toMatchObject(ended)
    expect((await stop(id)).json).toMatchObject(ended)
  })

  it('counts jobs that it can do nothing to as failed', async () => {
    const since = new Date().toISOString()
    const job = await caller.runAndClaim({})
    const filter = { status: 'running', since }
    const { operation_id: id } = acceptedOf(await post('/bulk', { do: 'cancel', filter }))
    await caller.end(job, { kind: 'success', resultJson: '1' })
    await runAll()
    expect((await operation(id)).json).toMatchObject({ status: 'failed', done: 0, failed: 1 })
  })

  it('counts replays of an app that was deleted as failed', async () => {
    const filter = { ids: [await orphan('gone-too')] }
    const { operation_id: id } = acceptedOf(await post('/bulk', { do: 'replay', filter }))
    await runAll()
    expect((await operation(id)).json).toMatchObject({ status: 'failed', done: 0, failed: 1 })
  })

  it('counts replays of jobs whose input cannot be read as failed', async () => {
    const jobs = [await endedJob({ n: 1 }), await endedJob({ n: 2 })]
    await caller.app.deps.db.write([
      sql`UPDATE job_inputs SET input = '{' WHERE job_id = ${jobs[0]?.id ?? ''}`,
    ])
    const filter = { ids: jobs.map(({ id }) => id) }
    const { operation_id: id } = acceptedOf(await post('/bulk', { do: 'replay', filter }))
    await runAll()
    expect((await operation(id)).json).toMatchObject({ status: 'completed', done: 1, failed: 1 })
  })

  it('waits while the workspace may not store more', async () => {
    const job = await caller.runAndClaim({})
    await caller.end(job, { kind: 'success', resultJson: '1' })
    const answer = await post('/bulk', { do: 'replay', filter: { ids: [job.id] } })
    const { operation_id: id } = acceptedOf(answer)
    const { deps } = caller.app
    const refuse = () => Promise.reject(new AppError('rate_limited', 'It is full.'))
    const full = { ...enqueueDepsOf(deps), gate: { ...deps.gate, pass: refuse } }
    expect(await runOperations({ ...deps, ...full })).toBe('waits')
    expect((await operation(id)).json).toMatchObject({ status: 'running', done: 0, failed: 0 })
    await runAll()
    expect((await operation(id)).json).toMatchObject({ status: 'completed', done: 1, failed: 0 })
  })

  it('is not delayed by operations that wait for room', async () => {
    const job = await caller.runAndClaim({})
    await caller.end(job, { kind: 'success', resultJson: '1' })
    const replay = { do: 'replay', filter: { ids: [job.id] } }
    for (let at = 0; at < 12; at += 1) await post('/bulk', replay)
    const filter = { ids: [await caller.runFor({})] }
    const { operation_id: id } = acceptedOf(await post('/bulk', { do: 'cancel', filter }))
    const { deps } = caller.app
    const gate = { ...deps.gate, room: () => Promise.resolve(0) }
    const full = { ...deps, ...enqueueDepsOf(deps), gate }
    while ((await runOperations(full)) === 'more');
    expect((await operation(id)).json).toMatchObject({ status: 'completed', done: 1 })
    await runAll()
  })

  it('has turns of the same cost however many wait for room', async () => {
    const job = await caller.runAndClaim({})
    await caller.end(job, { kind: 'success', resultJson: '1' })
    await startMany('replay', 1_200, job.id)
    const filter = { ids: [await caller.runFor({})] }
    const { operation_id: id } = acceptedOf(await post('/bulk', { do: 'cancel', filter }))
    const { deps } = caller.app
    let reads = 0
    const counted =
      <Args extends readonly unknown[], T>(read: (...args: Args) => T) =>
      (...args: Args): T => {
        reads += 1
        return read(...args)
      }
    const { db } = deps
    const watched = Object.assign(Object.create(db), {
      one: counted(db.one.bind(db)),
      all: counted(db.all.bind(db)),
    })
    const gate = { ...deps.gate, room: () => Promise.resolve(0) }
    const full = { ...deps, ...enqueueDepsOf(deps), db: watched, gate }
    const place = { afterId: '' }
    const states = []
    for (let turn = 0; turn < 8; turn += 1) states.push(await runOperations(full, place))
    expect(states).toContain('waits')
    expect(reads).toBeLessThan(8 * 20)
    expect((await operation(id)).json).toMatchObject({ status: 'completed', done: 1 })
    await endMany()
  })

  it('refuses more than 100 open operations of a kind, and takes the key again later', async () => {
    const job = await caller.runAndClaim({})
    await caller.end(job, { kind: 'success', resultJson: '1' })
    await startMany('replay', 99, job.id)
    const replay = (key: string) =>
      post(
        '/bulk',
        { do: 'replay', filter: { ids: [job.id] } },
        { headers: { 'idempotency-key': key } },
      )
    const answers = await Promise.all([replay('open-1'), replay('open-2'), replay('open-3')])
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429])
    const refused = answers.findIndex(({ status }) => status === 429)
    expect(answers[refused]?.json).toMatchObject({ code: 'too_many_operations' })
    expect(answers[refused]?.headers.get('retry-after')).toBe('5')
    const filter = { ids: [await caller.runFor({})] }
    expect((await post('/bulk', { do: 'cancel', filter })).status).toBe(202)
    await endMany()
    expect((await replay(`open-${refused + 1}`)).status).toBe(202)
    await runAll()
  })

  it('is not delayed by operations that fail', async () => {
    const job = await caller.runAndClaim({})
    await caller.end(job, { kind: 'success', resultJson: '1' })
    const replay = { do: 'replay', filter: { ids: [job.id] } }
    for (let at = 0; at < 12; at += 1) await post('/bulk', replay)
    const filter = { ids: [await caller.runFor({})] }
    const { operation_id: id } = acceptedOf(await post('/bulk', { do: 'cancel', filter }))
    const { deps } = caller.app
    const gate = { ...deps.gate, room: () => Promise.reject(new Error('broken')) }
    const broken = { ...deps, ...enqueueDepsOf(deps), gate }
    while ((await runOperations(broken).catch(() => 'broken')) === 'more');
    expect((await operation(id)).json).toMatchObject({ status: 'completed', done: 1 })
    await runAll()
  })

  it('refuses an empty filter and too many jobs, and ends at once when nothing matches', async () => {
    expect(await post('/bulk', { do: 'cancel', filter: {} })).toMatchObject({
      status: 400,
      json: { code: 'empty_filter' },
    })
    expect((await post('/bulk', { do: 'erase', filter: { app: 'hello' } })).status).toBe(400)
    expect((await post('/bulk', { do: 'cancel', filter: { app: 'hello', tag: 'x' } })).status).toBe(
      400,
    )
    const { operation_id: id, matched } = acceptedOf(
      await post('/bulk', { do: 'cancel', filter: { app: 'nowhere' } }),
    )
    expect(matched).toBe(0)
    expect((await operation(id)).json).toMatchObject({ status: 'completed', matched: 0 })
    expect(MAX_OPERATION_JOBS).toBeGreaterThanOrEqual(10_000)
  })

  it('does nothing more once its person is disabled', async () => {
    const setDisabled = (disabled: boolean) =>
      changeMember(caller.app.deps, { ws: WS, email: MEMBER, actor: CLI_ACTOR, disabled })
    const ids: string[] = []
    for (let n = 0; n < 30; n += 1) {
      ids.push(jobIdOf(await caller.run({}, `${JOBS}/run/hello/greet`, { token: member })))
    }
    const filter = { ids }
    const accepted = acceptedOf(await post('/bulk', { do: 'cancel', filter }, { token: member }))
    await setDisabled(true)
    await runAll()
    await setDisabled(false)
    expect((await operation(accepted.operation_id, { token: member })).json).toMatchObject({
      status: 'failed',
      matched: 30,
      done: 0,
      failed: 30,
    })
    expect((await caller.get(ids[29] ?? '')).json).toMatchObject({ status: 'queued' })
  })

  it('of a member matches own jobs only, and others do not see the operation', async () => {
    const since = new Date().toISOString()
    await caller.runFor({})
    const own = jobIdOf(await caller.run({}, `${JOBS}/run/hello/greet`, { token: member }))
    const filter = { status: 'queued', since }
    const answer = await post('/bulk', { do: 'cancel', filter }, { token: member })
    const { operation_id: id, matched } = acceptedOf(answer)
    expect(matched).toBe(1)
    await runAll()
    expect((await caller.get(own)).json).toMatchObject({ status: 'canceled', created_by: MEMBER })
    expect((await operation(id, { token: member })).status).toBe(200)
    const admins = acceptedOf(await post('/bulk', { do: 'cancel', filter: { app: 'nowhere' } }))
    expect((await operation(admins.operation_id, { token: member })).status).toBe(404)
    expect((await operation(UNKNOWN_ID)).status).toBe(404)
  })
})
