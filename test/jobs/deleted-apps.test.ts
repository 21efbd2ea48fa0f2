/** What a deleted app leaves: no app that is made later under its key sees it or loses anything to it. */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openAppState, requireStateApp } from '#service/apps/app-state.ts'
import { createEmptyApp, deleteApp } from '#service/apps/manage-app.ts'
import { START_ROUTE } from '#service/queue/idempotency.ts'
import { sweepDeletedApps } from '#service/sweep.ts'
import { findApp } from '#store/apps/apps.ts'
import type { StateOwner } from '#store/apps/state.ts'
import type { Database } from '#store/database.ts'
import { credentialOfApp, credentialOfWebhook } from '#store/idempotency-keys.ts'
import { number, text } from '#store/row.ts'
import { sql } from '#store/sql.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'
import { APP, openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'
import { runs } from '../support/runs.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'
import { ADMIN, actorFor } from '../support/test-workspace.ts'

const actor = actorFor(ADMIN)
const { signal } = new AbortController()

const create = (queue: Queue, key = APP) =>
  createEmptyApp(queue.deps, { ws: WS, key, name: key, actor })
const remove = (queue: Queue, key = APP) => deleteApp(queue.deps, { ws: WS, key, actor })
const sweep = (queue: Queue) => sweepDeletedApps(queue.deps, { signal })

/** A writer of state, and the id of the app that it belongs to. */
type Writer = Readonly<{ owner: StateOwner; creationId: string }>

const ofRequest = async (queue: Queue): Promise<Writer> => {
  const owner = await requireStateApp(queue.deps, WS, APP)
  return { owner, creationId: (await findApp(queue.db, WS, APP))?.creationId ?? '' }
}

const ofJob = async (queue: Queue): Promise<Writer> => {
  const id = await queue.enqueue()
  const job = (await queue.claim(100)).find((claimed) => claimed.id === id)
  if (job === undefined) throw new Error('The job was not claimed.')
  const creationId = await text.one(
    queue.db,
    sql`SELECT creation_id FROM deployment_apps WHERE ws = ${WS} AND deployment_id = ${job.deploymentId}`,
  )
  return { owner: { ws: WS, app: APP, writer: { claim: job } }, creationId: creationId ?? '' }
}

const write = (queue: Queue, { owner, creationId }: Writer, key: string): Promise<void> =>
  openAppState(queue.deps, owner).set(key, JSON.stringify(creationId))

const keys = async (queue: Queue): Promise<readonly string[]> => {
  const state = openAppState(queue.deps, await requireStateApp(queue.deps, WS, APP))
  return (await state.list('', null)).keys
}

/** Keys that the app has although a job or a request of an earlier app has written them. */
const foreignKeys = (queue: Queue): Promise<readonly string[]> =>
  text.all(
    queue.db,
    sql`SELECT s.key FROM app_state s JOIN apps ON apps.ws = s.ws AND apps.key = s.app
      WHERE s.value <> json_quote(apps.creation_id)`,
  )

const KINDS = [
  'create',
  'deploy',
  'remove',
  'job',
  'request',
  'sweep',
  'write',
  'write',
  'write',
] as const
const operation = fc.record({
  kind: fc.constantFrom(...KINDS),
  nth: fc.nat({ max: 999 }),
  key: fc.constantFrom('a', 'b', 'c'),
})
type Operation = Readonly<{ kind: (typeof KINDS)[number]; nth: number; key: string }>

/** The current app and the keys of its state. */
type Model = Readonly<{ app: string | null; state: Set<string> }>

/** @returns whether it had an effect: a caller may be refused */
const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

describe.each(QUEUE_BACKENDS)('apps that are deleted and made again, in %s', (name, open) => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await open()
    queue = await openQueue(opened.db)
    return opened.close
  })

  let writers: Writer[]
  beforeEach(() => {
    writers = []
  })

  const writerAt = ({ nth }: Pick<Operation, 'nth'>): Writer | undefined =>
    writers[nth % Math.max(1, writers.length)]

  const perform = ({ kind, nth, key }: Operation): Promise<boolean> => {
    const hold = async (made: Promise<Writer>) => void writers.push(await made)
    const writer = writerAt({ nth })
    const acts: Readonly<Record<Operation['kind'], () => Promise<unknown>>> = {
      create: () => create(queue),
      // the rows of a deployment, as older nodes insert them
      deploy: () => queue.deploy(),
      remove: () => remove(queue),
      job: () => hold(ofJob(queue)),
      request: () => hold(ofRequest(queue)),
      sweep: () => sweep(queue),
      write: async () => {
        if (writer === undefined) throw new Error('There is no writer yet.')
        await write(queue, writer, key)
      },
    }
    return isDone(acts[kind]())
  }

  const reset = async (): Promise<void> => {
    writers = []
    await isDone(remove(queue))
  }

  it('keep the state that their own jobs and requests write, and no other', async () => {
    let model: Model = { app: null, state: new Set() }
    const step = async (each: Operation): Promise<void> => {
      const mayWrite = model.app !== null && writerAt(each)?.creationId === model.app
      const done = await perform(each)
      if (each.kind === 'write') expect(done).toBe(mayWrite)
      if (each.kind === 'write' && mayWrite) model.state.add(each.key)
      const app = (await findApp(queue.db, WS, APP))?.creationId ?? null
      if (app !== model.app) model = { app, state: new Set() }
      if (app !== null) expect(await keys(queue)).toEqual([...model.state].sort())
      expect(await foreignKeys(queue)).toEqual([])
    }
    const live = async (all: readonly Operation[]): Promise<void> => {
      await reset()
      model = { app: null, state: new Set() }
      for (const each of all) await step(each)
    }
    const operations = fc.array(operation, { minLength: 5, maxLength: 40 })
    const numRuns =
      name === 'a file' ? runs({ short: 30, long: 300 }) : runs({ short: 15, long: 60 })
    await fc.assert(fc.asyncProperty(operations, live), { numRuns })
  }, 120_000)

  it('have no state of others when requests meet', async () => {
    const race = async (groups: readonly (readonly Operation[])[]): Promise<void> => {
      await reset()
      for (const group of groups) {
        await Promise.all(group.map(perform))
        expect(await foreignKeys(queue)).toEqual([])
      }
    }
    const groups = fc.array(fc.array(operation, { minLength: 2, maxLength: 6 }), { maxLength: 10 })
    const numRuns =
      name === 'a file' ? runs({ short: 30, long: 300 }) : runs({ short: 15, long: 60 })
    await fc.assert(fc.asyncProperty(groups, race), { numRuns })
  }, 120_000)

  it('start what their deliveries and calls name, whatever the deleted app started', async () => {
    await reset()
    const keys = [
      { credential: credentialOfWebhook(APP, 'stripe'), route: 'hook' },
      { credential: credentialOfApp(APP, null), route: START_ROUTE },
      { credential: credentialOfApp(APP, 'acme'), route: START_ROUTE },
    ]
    const others = [
      { credential: credentialOfWebhook(`${APP}-2`, 'stripe'), route: 'hook' },
      { credential: credentialOfApp(`${APP}0`, null), route: START_ROUTE },
      { credential: 'api_token:x', route: `run/${APP}/greet` },
    ]
    const start = () =>
      Promise.all(
        [...keys, ...others].map((key) =>
          queue.enqueue({ idempotency: { ...key, key: 'today', bodyHash: '' } }),
        ),
      )
    await queue.deploy()
    const first = await start()
    expect(await start()).toEqual(first)
    await remove(queue)
    await create(queue)
    await queue.deploy()
    const again = await start()
    expect(again.map((id) => first.includes(id))).toEqual([false, false, false, true, true, true])
  })

  it('keep a job of the deleted app from their state, whose error names the reason', async () => {
    await reset()
    await queue.deploy()
    const old = await ofJob(queue)
    await remove(queue)
    const refused = { kind: 'conflict', code: 'app_deleted' }
    await expect(write(queue, old, 'a')).rejects.toMatchObject(refused)
    await queue.deploy()
    await expect(write(queue, old, 'a')).rejects.toMatchObject(refused)
    await queue.deploy()
    await write(queue, await ofJob(queue), 'a')
    const late = openAppState(queue.deps, old.owner)
    await expect(late.delete('a')).rejects.toMatchObject(refused)
    expect(await late.get('a')).toBeNull()
    expect((await late.list('', null)).keys).toEqual([])
    expect(await keys(queue)).toEqual(['a'])
  })
})

const VALUE_BYTES = 16_384
const VALUES = 1_500
const WEBHOOKS = 100

describe('an app with much state', () => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await openTemporaryDatabase(ADMIN)
    queue = await openQueue(opened.db)
    return opened.close
  })

  const fill = async (key: string): Promise<void> => {
    await create(queue, key)
    await queue.db.write([
      sql`WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${VALUES})
        INSERT INTO app_state (ws, app, key, value, updated_at)
        SELECT ${WS}, ${key}, 'k' || at, hex(zeroblob(${VALUE_BYTES / 2})), 1 FROM n`,
      sql`WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${50 * WEBHOOKS})
        INSERT INTO webhook_deliveries (ws, app, webhook, id, received_at, status, bytes)
        SELECT ${WS}, ${key}, 'w' || at / 50, at, 1, 200, 1 FROM n`,
    ])
  }
  const leftRows = () =>
    number.one(
      queue.db,
      sql`SELECT (SELECT count(*) FROM app_state) + (SELECT count(*) FROM webhook_deliveries)`,
    )

  it('is deleted, swept and made again without blocking others', async () => {
    for (let at = 0; at < 4; at += 1) await fill(`app-${at}`)
    const turn = await leastLongestTurnMs((at) => remove(queue, `app-${at}`), { enoughMs: 0 })
    expect(turn).toBeLessThan(50)
    expect(await leftRows()).toBe(4 * (VALUES + 50 * WEBHOOKS))
    const deleted: number[] = []
    const write: Database['write'] = async (batch, options) => {
      const results = await queue.db.write(batch, options)
      if (Array.isArray(results)) for (const { changes } of results) deleted.push(changes)
      return results
    }
    const watched = { ...queue, deps: { ...queue.deps, db: { ...queue.db, write } } }
    await create(watched, 'app-0')
    expect(await leftRows()).toBe(3 * (VALUES + 50 * WEBHOOKS))
    await sweep(watched)
    expect(await leftRows()).toBe(0)
    // a value weighs five rows
    expect(Math.max(...deleted)).toBeLessThanOrEqual(250)
    expect(deleted.length).toBeGreaterThan((4 * VALUES * 5) / 250)
  }, 60_000)
})
