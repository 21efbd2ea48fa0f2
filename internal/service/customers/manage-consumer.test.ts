import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#store/sql.ts'
import { countingDatabase } from '../../../test/support/counting-database.ts'
import { APP, WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { authenticate } from '../access/authenticate.ts'
import {
  createConsumer,
  deleteConsumer,
  issueConsumerKey,
  replaceGrants,
  requireConsumer,
  revokeConsumerKey,
  updateConsumer,
} from './manage-consumer.ts'

const actor = actorFor(ADMIN)
const GREET = { app: APP, action: 'greet' }

const place = await workspaceForFile()
await place.deploy({ key: 'greet' }, { key: 'part' })
let id = ''
beforeEach(async () => {
  id = (await createConsumer(place.deps, { ws: WS, name: 'Acme', externalRef: null, actor })).id
})

const act = (ws = WS) => ({ ws, id, actor })
const issueKey = (expiresInDays: number | null = null) =>
  issueConsumerKey(place.deps, act(), { label: 'k', expiresInDays })
const open = (text: string) => authenticate(place.db, text)
const enqueue = () => place.enqueue({ customerId: id })

describe('grants', () => {
  test('decide which actions a customer may run', async () => {
    await expect(enqueue()).rejects.toMatchObject({ kind: 'forbidden' })
    await replaceGrants(place.deps, act(), [GREET])
    await enqueue()
    await replaceGrants(place.deps, act(), [{ app: APP, action: 'part' }])
    await expect(enqueue()).rejects.toMatchObject({ kind: 'forbidden' })
  })

  test('name deployed actions, or none of them is set', async () => {
    await replaceGrants(place.deps, act(), [GREET])
    const grants = [GREET, { app: APP, action: 'gone' }, { app: 'none', action: 'greet' }]
    await expect(replaceGrants(place.deps, act(), grants)).rejects.toMatchObject({
      code: 'unknown_action',
      details: [
        expect.objectContaining({ path: 'body.grants.1' }),
        expect.objectContaining({ path: 'body.grants.2' }),
      ],
    })
    expect(await requireConsumer(place.deps, WS, id)).toMatchObject({ grants: [GREET] })
  })
})

describe('a key', () => {
  const refused = { code: 'invalid_token' }

  test('opens as its customer', async () => {
    const { text } = await issueKey()
    expect(await open(text)).toMatchObject({ kind: 'customer_key', customerId: id, ws: WS })
  })

  test('ends when it is revoked, which may be repeated', async () => {
    const { text, key } = await issueKey()
    await revokeConsumerKey(place.deps, act(), key.id)
    await revokeConsumerKey(place.deps, act(), key.id)
    await expect(open(text)).rejects.toMatchObject(refused)
    const entries = (await place.audit()).filter(
      (entry) => entry === `consumer_key.revoked ${key.id}`,
    )
    expect(entries).toHaveLength(1)
  })

  test('ends at its expiry', async () => {
    const { text, key } = await issueKey(1)
    await place.db.write([sql`UPDATE consumer_keys SET expires_at = 1 WHERE id = ${key.id}`])
    await expect(open(text)).rejects.toMatchObject(refused)
  })

  test('rests while its customer is disabled', async () => {
    const { text } = await issueKey()
    await updateConsumer(place.deps, act(), { isDisabled: true })
    await expect(open(text)).rejects.toMatchObject(refused)
    await updateConsumer(place.deps, act(), { isDisabled: false })
    expect(await open(text)).toMatchObject({ customerId: id })
  })

  test('ends with its customer, whose jobs stay', async () => {
    const { text } = await issueKey()
    await replaceGrants(place.deps, act(), [GREET])
    const job = await enqueue()
    await deleteConsumer(place.deps, act())
    await expect(open(text)).rejects.toMatchObject(refused)
    expect(await place.row(job)).toMatchObject({ customer_id: id })
  })
})

test.each([
  ['change', () => updateConsumer(place.deps, act('other'), { name: 'x' })],
  ['delete', () => deleteConsumer(place.deps, act('other'))],
  ['grant', () => replaceGrants(place.deps, act('other'), [])],
  [
    'issue a key',
    () => issueConsumerKey(place.deps, act('other'), { label: 'k', expiresInDays: null }),
  ],
  ['revoke a key', () => revokeConsumerKey(place.deps, act('other'), 'none')],
])('another workspace cannot %s: the customer is not found', async (_, attempt) => {
  await expect(attempt()).rejects.toMatchObject({ kind: 'not_found' })
})

test('a customer with very many keys is deleted in small writes', async () => {
  await place.db.write([
    sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1200)
      INSERT INTO consumer_keys (id, ws, consumer_id, label, hash, prefix, created_by, created_at)
      SELECT 'k' || n, ${WS}, ${id}, '', 'k' || n, '', ${ADMIN}, 0 FROM n`,
  ])
  const left = sql`SELECT count(*) AS n FROM consumer_keys WHERE consumer_id = ${id}`
  const { db, counts } = countingDatabase(place.db, left)
  await deleteConsumer({ ...place.deps, db }, act())
  expect(counts()).toEqual([500, 500, 200])
})

test('a customer keeps its keys if it is not deleted', async () => {
  const { text } = await issueKey()
  const write: typeof place.db.write = async (batch, options) => {
    if (Array.isArray(batch) && batch.length > 1) throw new Error('The database is away.')
    return place.db.write(batch, options)
  }
  const deletion = deleteConsumer({ ...place.deps, db: { ...place.db, write } }, act())
  await expect(deletion).rejects.toThrow('The database is away.')
  expect(await open(text)).toMatchObject({ kind: 'customer_key', customerId: id })
})
