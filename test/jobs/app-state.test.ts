/** What every implementation of `ctx.state` promises: the database, and the memory of a local run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_STATE_KEYS, STATE_KEYS_PER_PAGE } from '#core/app-state.ts'
import { createMemoryState } from '#sandbox/host/memory-state.ts'
import type { StateAccess } from '#sandbox/state-access.ts'
import { openAppState } from '#service/apps/app-state.ts'
import { createStorageMeter, type StorageMeter } from '#service/workspaces/storage-meter.ts'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { insertApps, OLD_APP } from '../support/insert-apps.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'

let db: Database
let close: () => Promise<void>
let storage: StorageMeter
beforeAll(async () => {
  ;({ db, close } = await openTemporaryDatabase())
  storage = createStorageMeter({ reads: db, now: Date.now, quotaBytes: 0 })
  await insertApps(
    db,
    'w',
    Array.from({ length: 30 }, (_, n) => `app-${n}`),
  )
})
afterAll(() => close())

let apps = 0
const inDatabase = (): StateAccess => {
  apps += 1
  return openAppState({ db, storage }, { ws: 'w', app: `app-${apps}`, writer: OLD_APP })
}

const allKeys = async (state: StateAccess, prefix: string): Promise<readonly string[]> => {
  const all: string[] = []
  for (let after: string | null = null; ; ) {
    const { keys, hasMore } = await state.list(prefix, after)
    all.push(...keys)
    if (!hasMore) return all
    after = keys.at(-1) ?? null
  }
}

describe.each([
  ['the database', inDatabase],
  ['memory', createMemoryState],
])('state in %s', (_name, open) => {
  it('is compared before it is set, also when there was none', async () => {
    const state = open()
    expect(await state.get('n')).toBeNull()
    expect(await state.compareAndSet('n', '1', 'unknown')).toBe(false)
    expect(await state.compareAndSet('n', '1', null)).toBe(true)
    expect(await state.compareAndSet('n', '2', null)).toBe(false)
    const first = await state.get('n')
    expect(first?.json).toBe('1')
    expect(await state.compareAndSet('n', '2', first?.version ?? null)).toBe(true)
    expect(await state.compareAndSet('n', '3', first?.version ?? null)).toBe(false)
    expect((await state.get('n'))?.json).toBe('2')
  })

  it('has another version after the same value was set, or deleted and set again', async () => {
    const state = open()
    await state.set('a', '1')
    const first = await state.get('a')
    await state.set('a', '1')
    expect(await state.compareAndSet('a', '2', first?.version ?? null)).toBe(false)
    const second = await state.get('a')
    await state.delete('a')
    await state.set('a', '1')
    expect(await state.compareAndSet('a', '2', second?.version ?? null)).toBe(false)
  })

  it('lets one of many win', async () => {
    const state = open()
    await state.set('n', '0')
    const version = (await state.get('n'))?.version ?? null
    const won = await Promise.all(
      Array.from({ length: 20 }, (_, at) => state.compareAndSet('n', String(at), version)),
    )
    expect(won.filter(Boolean)).toHaveLength(1)
  })

  it('lists keys by prefix in the order of their bytes, and deletes', async () => {
    const state = open()
    const keys = [
      'a',
      'a%',
      'a_b',
      'ab',
      'b',
      'b\u{10ffff}',
      'b\u{10ffff}c',
      '가',
      '\u{1f600}',
      'b\uffff',
    ]
    for (const key of keys) await state.set(key, '1')
    const sorted = [...keys].sort((one, two) => Buffer.compare(Buffer.from(one), Buffer.from(two)))
    expect(await allKeys(state, '')).toEqual(sorted)
    expect(await allKeys(state, 'a')).toEqual(['a', 'a%', 'a_b', 'ab'])
    expect(await allKeys(state, 'a_')).toEqual(['a_b'])
    expect(await allKeys(state, 'b\u{10ffff}')).toEqual(['b\u{10ffff}', 'b\u{10ffff}c'])
    expect(await allKeys(state, '가')).toEqual(['가'])
    await state.delete('ab')
    await state.delete('never there')
    expect(await allKeys(state, 'a')).toEqual(['a', 'a%', 'a_b'])
    expect(await state.get('ab')).toBeNull()
  })

  it('refuses what is too large, too deep or no JSON', async () => {
    const state = open()
    const large = JSON.stringify('x'.repeat(262_143))
    for (const write of [
      (json: string) => state.set('a', json),
      (json: string) => state.compareAndSet('a', json, null),
    ]) {
      await expect(write(large)).rejects.toMatchObject({ code: 'state_too_large' })
      await expect(write('['.repeat(70) + ']'.repeat(70))).rejects.toMatchObject({
        code: 'state_too_deep',
      })
      await expect(write('{')).rejects.toMatchObject({ code: 'malformed_json' })
    }
    await state.set('a', JSON.stringify('x'.repeat(262_142)))
  })
})

it('memory takes no key beyond the limit', async () => {
  const state = createMemoryState()
  for (let at = 0; at < MAX_STATE_KEYS; at += 1) await state.set(`k${at}`, '1')
  await expect(state.set('one more', '1')).rejects.toMatchObject({ code: 'state_full' })
  expect(await allKeys(state, 'k')).toHaveLength(MAX_STATE_KEYS)
})

describe('a write whose answer was lost, and that is repeated after others have written', () => {
  /** Repeats the first write after `between`, as a connection does after a timeout. */
  const repeating = (app: string, between: () => Promise<unknown>): StateAccess => {
    let isFirst = true
    const write: Database['write'] = async (batch, options) => {
      const answer = await db.write(batch, options)
      if (!isFirst) return answer
      isFirst = false
      await between()
      return db.write(batch, options)
    }
    return openAppState({ db: { ...db, write }, storage }, { ws: 'w', app, writer: OLD_APP })
  }
  const addOne = async (state: StateAccess): Promise<void> => {
    for (let isSet = false; !isSet; ) {
      const found = await state.get('n')
      const next = String(Number(found?.json ?? 0) + 1)
      isSet = await state.compareAndSet('n', next, found?.version ?? null)
    }
  }

  it.each([0, 1])(
    'is known by compareAndSet, so that a counter at %i counts once',
    async (first) => {
      const other = inDatabase()
      if (first > 0) await other.set('n', String(first))
      const between = async () => {
        for (let count = 0; count < 7; count += 1) await addOne(other)
      }
      await addOne(repeating(`app-${apps}`, between))
      expect((await other.get('n'))?.json).toBe(String(first + 8))
    },
  )

  it('is known by set, which keeps what was written since', async () => {
    const other = inDatabase()
    await other.set('n', '1')
    await repeating(`app-${apps}`, () => addOne(other)).set('n', '5')
    expect((await other.get('n'))?.json).toBe('6')
  })

  it('has a version that the API takes, however often it was written', async () => {
    const state = inDatabase()
    for (let count = 0; count < 20; count += 1) await state.set('n', '1')
    expect((await state.get('n'))?.version).toHaveLength(64)
  })
})

describe('the database of an app that keeps as many keys as it may', () => {
  it('takes no new key, and changes and deletes the old ones', async () => {
    const state = inDatabase()
    const other = inDatabase()
    await db.write([
      sql`WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${MAX_STATE_KEYS})
         INSERT INTO app_state (ws, app, key, value, updated_at) SELECT 'w', ${`app-${apps - 1}`}, 'k' || at, '1', 1 FROM n`,
    ])
    await expect(state.set('one more', '1')).rejects.toMatchObject({ code: 'state_full' })
    await expect(state.compareAndSet('one more', '1', null)).rejects.toMatchObject({
      code: 'state_full',
    })
    await state.set('k1', '2')
    // rows from before the upgrade also have a version
    const old = await state.get('k2')
    expect(await state.compareAndSet('k2', '2', old?.version ?? null)).toBe(true)
    expect(await state.compareAndSet('k2', '3', old?.version ?? null)).toBe(false)
    expect((await state.list('', null)).keys).toHaveLength(STATE_KEYS_PER_PAGE)
    expect(await allKeys(state, '')).toHaveLength(MAX_STATE_KEYS)
    await other.set('one more', '1')
    await state.delete('k3')
    await state.set('one more', '1')
  })

  it('counts and lists keys without reading values', async () => {
    const plan = await db.all(
      sql`EXPLAIN QUERY PLAN SELECT key FROM app_state INDEXED BY app_state_keys WHERE ws = 'w'
        AND app = 'a' AND key >= 'k' ORDER BY key LIMIT 5`,
    )
    const [step] = plan.map(({ detail }) => String(detail))
    expect(step).toContain('COVERING INDEX app_state_keys')
    expect(plan).toHaveLength(1)
  })
})
