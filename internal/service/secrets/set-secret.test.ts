import { describe, expect, test } from 'vitest'
import { sql } from '#store/sql.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { deleteResource, deleteVariable, setResource, setVariable } from './set-secret.ts'

const actor = actorFor(ADMIN)
const place = await workspaceForFile()

const set = (key: string, value = 'v', ws = WS) =>
  setVariable(place.deps, { ws, key, value, isSecret: true, actor })

describe('a variable', () => {
  test('is encrypted under the key of its workspace', async () => {
    await set('TOKEN', 'plain text')
    const rows = await place.db.all(sql`SELECT * FROM variables WHERE ws = ${WS}`)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('plain text')
  })

  test.each(['', '1st', 'a b', 'a/b', 'x'.repeat(129)])(
    'with the key %j is refused',
    async (key) => {
      await expect(set(key)).rejects.toMatchObject({ kind: 'invalid' })
    },
  )

  test('takes 65,536 characters and no more', async () => {
    await set('LARGE', 'x'.repeat(65_536))
    await expect(set('LARGE', 'x'.repeat(65_537))).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('has room among the others, or is refused and not on record', async () => {
    const full = { kind: 'conflict', code: 'variables_full' }
    const ids = JSON.stringify(Array.from({ length: 1_000 }, (_, n) => `many_${n}`))
    const fill = (text: string) =>
      place.db.write([
        sql`DELETE FROM variables WHERE ws = ${WS}`,
        sql`INSERT INTO variables (ws, key, value, secret, updated_by, updated_at)
          SELECT ${WS}, value, ${text}, 1, 'test', 1 FROM json_each(${ids})`,
      ])
    await fill('v')
    await expect(set('ONE_MORE')).rejects.toMatchObject(full)
    expect((await place.audit()).filter((entry) => entry.endsWith(' ONE_MORE'))).toEqual([])
    expect(await set('many_1')).toBeGreaterThan(0)
    await fill('x'.repeat(4_190))
    expect(await set('many_1')).toBeGreaterThan(0)
    await expect(set('many_1', 'x'.repeat(9_000))).rejects.toMatchObject(full)
    await place.db.write([sql`DELETE FROM variables WHERE ws = ${WS}`])
  })

  test('needs a workspace that exists', async () => {
    await expect(set('KEY', 'v', 'none')).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('is deleted once, and on record by its key alone', async () => {
    await set('OLD', 'hidden')
    await deleteVariable(place.deps, { ws: WS, key: 'OLD', actor })
    await expect(deleteVariable(place.deps, { ws: WS, key: 'OLD', actor })).rejects.toMatchObject({
      kind: 'not_found',
    })
    const entries = (await place.audit()).filter((entry) => entry.endsWith(' OLD'))
    expect(entries).toEqual(['variable.set OLD', 'variable.deleted OLD'])
  })
})

test('a resource is JSON of at most 65,536 characters', async () => {
  const save = (value: string) =>
    setResource(place.deps, { ws: WS, key: 'db', type: 'postgres', value, actor })
  expect(await save('x'.repeat(65_534))).toBeGreaterThan(0)
  await expect(save('x'.repeat(65_535))).rejects.toMatchObject({ kind: 'invalid' })
  await deleteResource(place.deps, { ws: WS, key: 'db', actor })
  await expect(deleteResource(place.deps, { ws: WS, key: 'db', actor })).rejects.toMatchObject({
    kind: 'not_found',
  })
})

test('a workspace has at most 1,000 resources', async () => {
  const save = (key: string) =>
    setResource(place.deps, { ws: WS, key, type: 'postgres', value: null, actor })
  const ids = JSON.stringify(Array.from({ length: 999 }, (_, n) => `many_${n}`))
  await place.db.write([
    sql`INSERT INTO resources (ws, key, value, type, updated_by, updated_at)
      SELECT ${WS}, value, 'v', 'http', 'test', 1 FROM json_each(${ids})`,
  ])
  expect(await save('last')).toBeGreaterThan(0)
  await expect(save('one_more')).rejects.toMatchObject({ kind: 'conflict', code: 'resources_full' })
  expect((await place.audit()).filter((entry) => entry.endsWith(' one_more'))).toEqual([])
  expect(await save('last')).toBeGreaterThan(0)
})
