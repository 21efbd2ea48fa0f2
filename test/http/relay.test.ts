/** The certificate relay [relay 1.2]: every status, delivery exactly once, and what remains in the database. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { revokeApiKey } from '#service/customers/api-key.ts'
import { createHints } from '#service/hints.ts'
import { expireSessions } from '#service/relay/expire-sessions.ts'
import { receiveCertificate } from '#service/relay/receive-certificate.ts'
import { sweepExpired } from '#service/sweep.ts'
import { asBytes } from '#store/column.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { createRelayCaller, MATERIAL, type RelayCaller } from '../support/relay-caller.ts'

let app: TestApp
let phone: RelayCaller
beforeAll(async () => {
  app = await createTestApp()
  phone = await createRelayCaller(app)
})
afterAll(() => app.close())

const NOBODY = '9b2e0f36-3f5a-4f0e-8a56-0d2f5f3f9c11'

const rowOf = (certId: string) =>
  app.deps.db.one(
    sql`SELECT * FROM relay_sessions LEFT JOIN relay_material USING (id)
      WHERE relay_sessions.id = ${certId}`,
  )
/** Makes the session expire. */
const age = (certId: string) =>
  app.deps.db.write([sql`UPDATE relay_sessions SET expires_at = 1 WHERE id = ${certId}`])
/** Checks that nothing secret is left of an ended session. */
const expectEmptied = async (certId: string, state: string) => {
  const row = await rowOf(certId)
  expect(row).toMatchObject({ state, code_hash: null })
  const { material } = row ?? {}
  if (material instanceof Uint8Array) expect(material.every((byte) => byte === 0)).toBe(true)
  else expect(material).toBeNull()
}

describe('a session', () => {
  it('of a revoked key has no code and takes no upload', async () => {
    const doomed = await createRelayCaller(app)
    const [open, used] = [await doomed.open(), await doomed.open()]
    expect((await doomed.upload(used.certId)).status).toBe(200)
    const [keyId = ''] = doomed.key.split('.')
    await revokeApiKey(app.deps, { ws: WS, keyId, actor: CLI_ACTOR })
    for (const { code, certId } of [open, used]) {
      expect(await phone.resolve(code)).toMatchObject({
        status: 404,
        json: { code: 'code_not_found' },
      })
      expect(await phone.upload(certId)).toMatchObject({
        status: 410,
        json: { code: 'session_cancelled' },
      })
      expect((await doomed.receive(certId)).status).toBe(401)
    }
    expect((await rowOf(open.certId))?.material).toBeNull()
  })

  it('goes from the phone to the desktop and back', async () => {
    const before = Date.now()
    const { certId, code, expiresAt } = await phone.open()
    expect(certId[14]).toBe('4')
    expect(Math.abs(Date.parse(expiresAt) - before - 600_000)).toBeLessThan(5_000)
    expect(await phone.receive(certId)).toMatchObject({
      status: 202,
      json: { status: 'waiting', expiresAt },
    })
    const resolved = await phone.resolve(code)
    expect([resolved.status, resolved.json]).toEqual([200, { certId }])
    const uploaded = await phone.upload(certId)
    expect([uploaded.status, uploaded.json]).toEqual([200, { status: 'uploaded' }])
    // the code stays valid until the phone has the result, the upload does not
    expect((await phone.resolve(code)).status).toBe(200)
    expect(await phone.upload(certId)).toMatchObject({
      status: 409,
      json: { code: 'already_uploaded' },
    })
    const received = await phone.receive(certId)
    expect([received.status, received.json]).toEqual([
      200,
      { status: 'delivered', certId, ...MATERIAL },
    ])
    expect(received.headers.get('cache-control')).toBe('no-store')
    const again = await phone.receive(certId)
    expect(again).toMatchObject({
      status: 410,
      json: { status: 'delivered', code: 'session_delivered', error: expect.any(String) },
    })
    expect((await phone.resolve(code)).status).toBe(404)
    expect((await phone.upload(certId)).status).toBe(410)
    expect(await phone.cancel(certId)).toMatchObject({ status: 410, json: { status: 'delivered' } })
    await expectEmptied(certId, 'delivered')
  })

  it('waits as long as requested, and no longer', async () => {
    const { certId } = await phone.open()
    const before = performance.now()
    expect((await phone.receive(certId, 1)).status).toBe(202)
    expect(performance.now() - before).toBeGreaterThan(900)
    const waiting = phone.receive(certId, 30)
    // it has looked in vain by the time that these have their answers
    const other = await phone.open()
    expect((await phone.receive(other.certId, 0)).status).toBe(202)
    await phone.upload(certId)
    // before one that waits a second from now on
    const first = await Promise.race([waiting, phone.receive(other.certId, 1)])
    expect(first.status).toBe(200)
  })

  it.each(['-1', '31', '1.5', 'soon', '1e1'])('does not wait for wait_s=%s', async (wait) => {
    const { certId } = await phone.open()
    const path = `/v2/certificates/session/${certId}?wait_s=${wait}`
    expect((await app.call('GET', path, { token: phone.key })).status).toBe(400)
  })

  it('is delivered once, however many receive at once', async () => {
    const { certId } = await phone.open()
    const waiting = Array.from({ length: 20 }, () => phone.receive(certId, 30))
    await phone.upload(certId)
    const answers = await Promise.all(waiting)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(410)])
    for (const { status, json, text } of answers) {
      if (status === 200) continue
      expect(json).toMatchObject({ status: 'delivered' })
      expect(text).not.toContain(MATERIAL.certKey)
    }
  })

  it('takes one upload, however many come at once', async () => {
    const { certId } = await phone.open()
    const uploads = await Promise.all(Array.from({ length: 10 }, () => phone.upload(certId)))
    expect(uploads.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
  })

  it('keeps its certificate for a HEAD request', async () => {
    const { certId } = await phone.open()
    await phone.upload(certId)
    const path = `/v2/certificates/session/${certId}`
    expect((await app.call('HEAD', path, { token: phone.key })).status).toBe(202)
    expect((await phone.receive(certId)).status).toBe(200)
  })

  it('is cancelled by the phone, once or twice, with what was uploaded', async () => {
    const empty = await phone.open()
    const { certId, code } = await phone.open()
    await phone.upload(certId)
    const waiting = phone.receive(empty.certId, 30)
    for (const id of [certId, empty.certId, certId]) {
      const answer = await phone.cancel(id)
      expect([answer.status, answer.json]).toEqual([200, { status: 'cancelled' }])
    }
    expect(await waiting).toMatchObject({ status: 410, json: { status: 'cancelled' } })
    expect(await phone.receive(certId)).toMatchObject({
      status: 410,
      json: { status: 'cancelled' },
    })
    expect((await phone.upload(empty.certId)).status).toBe(410)
    expect((await phone.resolve(code)).status).toBe(404)
    await expectEmptied(certId, 'cancelled')
    await expectEmptied(empty.certId, 'cancelled')
  })

  it('expires: the first look ends it, and nothing of it is left', async () => {
    const looks = [
      (id: string) => phone.receive(id),
      (id: string) => phone.upload(id),
      (id: string) => phone.cancel(id),
    ]
    for (const look of looks) {
      const { certId, code } = await phone.open()
      await phone.upload(certId)
      await age(certId)
      expect((await phone.resolve(code)).status).toBe(404)
      expect(await look(certId)).toMatchObject({
        status: 410,
        json: { code: 'session_expired' },
      })
      await expectEmptied(certId, 'expired')
    }
  })

  it('expires by itself without a look, and wakes clients that wait', async () => {
    const { certId } = await phone.open()
    const other = await phone.open()
    const waiting = phone.receive(certId, 30)
    await age(certId)
    expect(await expireSessions(app.deps)).toBeGreaterThan(500_000)
    expect(await waiting).toMatchObject({ status: 410, json: { status: 'expired' } })
    await expectEmptied(certId, 'expired')
    expect((await phone.receive(other.certId)).status).toBe(202)
    // a day later no client polls any more
    await app.deps.db.write([
      sql`UPDATE relay_sessions SET ended_at = 1, change_id = change_id WHERE id = ${certId}`,
    ])
    await sweepExpired(app.deps, { signal: new AbortController().signal })
    expect(await rowOf(certId)).toBeNull()
    expect((await phone.receive(certId)).status).toBe(404)
    expect((await phone.receive(other.certId)).status).toBe(202)
  })

  it('takes no room once it has ended and its content was overwritten', async () => {
    const { certId } = await phone.open()
    await phone.upload(certId)
    await phone.receive(certId)
    await sweepExpired(app.deps, { signal: new AbortController().signal })
    expect(await rowOf(certId)).toMatchObject({ state: 'delivered', material: null })
    expect((await phone.receive(certId)).status).toBe(410)
  })

  it('takes no upload beyond what its workspace may hold', async () => {
    const holding = await phone.open()
    await phone.upload(holding.certId)
    const hold = (bytes: number) =>
      app.deps.db.write([
        sql`UPDATE relay_material SET material = zeroblob(${bytes}) WHERE id = ${holding.certId}`,
      ])
    const { certId } = await phone.open()
    await hold(67_108_864)
    const refused = await phone.upload(certId)
    expect(refused).toMatchObject({ status: 429, json: { code: 'too_much_held' } })
    expect(refused.headers.get('retry-after')).toBe('10')
    await phone.cancel(holding.certId)
    expect((await phone.upload(certId)).status).toBe(200)
  })

  it('is not found with another key, an unknown id or no id', async () => {
    const { certId } = await phone.open()
    await phone.upload(certId)
    const other = await createRelayCaller(app)
    for (const id of [certId, NOBODY, 'x', '%00']) {
      const unknown = { status: 404, json: { code: 'session_not_found' } }
      expect([id, await other.receive(id)]).toMatchObject([id, unknown])
      expect([id, await other.cancel(id)]).toMatchObject([id, unknown])
      if (id !== certId) expect([id, await phone.upload(id)]).toMatchObject([id, unknown])
    }
    expect((await phone.receive(certId)).status).toBe(200)
  })

  it('has a code of its own among those that live', async () => {
    const opened = await Promise.all(Array.from({ length: 200 }, () => phone.open()))
    expect(new Set(opened.map(({ code }) => code)).size).toBe(200)
    const [first] = opened
    const row = await rowOf(first?.certId ?? '')
    expect(JSON.stringify(row)).not.toContain(first?.code)
    const sibling = opened[1]
    await expect(
      app.deps.db.write([
        sql`UPDATE relay_sessions SET code_hash = ${String(row?.code_hash)}
          WHERE id = ${sibling?.certId ?? ''}`,
      ]),
    ).rejects.toThrow(/UNIQUE/)
  })
})

describe('an upload', () => {
  const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')
  const der = Buffer.from(MATERIAL.certDer, 'base64')
  const pem = `-----BEGIN CERTIFICATE-----\n${MATERIAL.certDer}\n-----END CERTIFICATE-----\n`
  const sequence = (length: number) =>
    Buffer.concat([
      Buffer.from([0x30, 0x83, length >> 16, (length >> 8) & 255, length & 255]),
      randomBytes(length),
    ])

  it.each([
    ['no body of this shape', { certDer: 1, certKey: 2 }, 400],
    ['no key', { certDer: MATERIAL.certDer }, 400],
    ['an empty key', { ...MATERIAL, certKey: '' }, 400],
    ['an empty certificate', { ...MATERIAL, certDer: '' }, 400],
    ['no base64', { ...MATERIAL, certDer: '****' }, 400],
    [
      'base64 with line ends',
      { ...MATERIAL, certDer: `${MATERIAL.certDer.slice(0, 64)}\n${MATERIAL.certDer.slice(64)}` },
      400,
    ],
    ['base64 without its padding', { ...MATERIAL, certKey: base64('ab').replaceAll('=', '') }, 400],
    [
      'base64 for addresses',
      { ...MATERIAL, certKey: Buffer.from([251, 255]).toString('base64url') },
      400,
    ],
    ['PEM as certificate', { ...MATERIAL, certDer: base64(pem) }, 400],
    [
      'PEM as key',
      { ...MATERIAL, certKey: base64(pem.replaceAll('CERTIFICATE', 'PRIVATE KEY')) },
      400,
    ],
    [
      'a certificate and more',
      { ...MATERIAL, certDer: base64(Buffer.concat([der, Buffer.of(0)])) },
      400,
    ],
    ['a certificate cut short', { ...MATERIAL, certDer: base64(der.subarray(0, -1)) }, 400],
    [
      'a sequence that is not a certificate',
      { ...MATERIAL, certDer: base64(sequence(1_000)) },
      400,
    ],
    ['the key in place of the certificate', { ...MATERIAL, certDer: MATERIAL.certKey }, 400],
    ['a certificate over 200 KB', { ...MATERIAL, certDer: base64(randomBytes(204_801)) }, 413],
    ['a key over 200 KB', { ...MATERIAL, certKey: base64(randomBytes(204_801)) }, 413],
    ['more than any upload', { ...MATERIAL, certKey: 'A'.repeat(1_100_000) }, 413],
  ])('of %s is refused, and a good one may follow', async (_, material, status) => {
    const { certId } = await phone.open()
    const answer = await phone.upload(certId, material)
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ error: expect.any(String), code: expect.any(String) })
    const largest = { ...MATERIAL, certKey: base64(randomBytes(204_800)) }
    expect((await phone.upload(certId, largest)).status).toBe(200)
    expect((await phone.receive(certId)).json).toMatchObject(largest)
  })
})

describe('what is held', () => {
  it('opens in its own row alone, and not at all once it was changed', async () => {
    const errorsBefore = app.errors.length
    const mine = await phone.open()
    const theirs = await phone.open()
    await phone.upload(mine.certId)
    await phone.upload(theirs.certId)
    await app.deps.db.write([
      sql`UPDATE relay_material SET material = (SELECT material FROM relay_material
        WHERE id = ${theirs.certId}) WHERE id = ${mine.certId}`,
    ])
    const moved = await phone.receive(mine.certId)
    expect(moved).toMatchObject({ status: 500, json: { error: 'Internal error.' } })
    await app.deps.db.write([
      sql`UPDATE relay_material SET material = CAST('v1.AAAA' AS BLOB) WHERE id = ${mine.certId}`,
    ])
    expect((await phone.receive(mine.certId)).status).toBe(500)
    expect(app.errors.length).toBe(errorsBefore + 2)
    expect(JSON.stringify(app.errors)).not.toContain(MATERIAL.certKey.slice(0, 40))
    expect((await phone.receive(theirs.certId)).status).toBe(200)
    await age(mine.certId)
    expect((await phone.receive(mine.certId)).status).toBe(410)
    await expectEmptied(mine.certId, 'expired')
  })

  it('is in no file of the database, before or after', async () => {
    const ends = [
      (id: string) => phone.receive(id),
      (id: string) => phone.cancel(id),
      (id: string) => age(id).then(() => expireSessions(app.deps)),
    ]
    const contents = () =>
      readdirSync(app.folder).map((name) => readFileSync(join(app.folder, name)))
    for (const end of ends) {
      const key = randomBytes(20_000)
      const { certId, code } = await phone.open()
      await phone.upload(certId, { ...MATERIAL, certKey: key.toString('base64') })
      const sealed = Buffer.from(asBytes((await rowOf(certId))?.material))
      await app.deps.db.all(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
      expect(contents().some((bytes) => bytes.includes(sealed.subarray(30, 90)))).toBe(true)
      await end(certId)
      await app.deps.db.all(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
      const der = Buffer.from(MATERIAL.certDer, 'base64')
      const secrets = [
        key.subarray(0, 30),
        Buffer.from(key.toString('base64').slice(0, 60)),
        der.subarray(0, 30),
        Buffer.from(MATERIAL.certDer.slice(0, 60)),
        Buffer.from('홍길동'),
        // not even the encrypted form: its pages were overwritten, the first and one in the middle
        sealed.subarray(30, 90),
        sealed.subarray(12_000, 12_060),
      ]
      const found = secrets.map((secret) => contents().some((bytes) => bytes.includes(secret)))
      expect(found).toEqual(secrets.map(() => false))
      expect((await rowOf(certId))?.code_hash).toBeNull()
      expect(code).toHaveLength(6)
    }
  })

  it('is found by polling where no hint arrives', async () => {
    const { certId } = await phone.open()
    const keyId = phone.key.split('.')[0] ?? ''
    const signal = new AbortController().signal
    const elsewhere = { ...app.deps, hints: createHints() }
    const waiting = receiveCertificate(elsewhere, { id: certId, keyId, waitMs: 30_000, signal })
    await phone.upload(certId)
    expect(await waiting).toMatchObject({ kind: 'received', certId, ...MATERIAL })
  })

  it('is not taken for a receiver who has gone', async () => {
    const { certId } = await phone.open()
    const keyId = phone.key.split('.')[0] ?? ''
    const gone = new AbortController()
    const request = { id: certId, keyId, waitMs: 30_000, signal: gone.signal }
    const waiting = receiveCertificate(app.deps, request)
    gone.abort()
    await phone.upload(certId)
    expect(await waiting).toMatchObject({ kind: 'waiting' })
    expect((await phone.receive(certId)).status).toBe(200)
  })

  it('never comes back: an ended session refuses every change', async () => {
    const { certId } = await phone.open()
    await phone.cancel(certId)
    await expect(
      app.deps.db.write([
        sql`UPDATE relay_sessions SET state = 'waiting', change_id = 'x' WHERE id = ${certId}`,
      ]),
    ).rejects.toThrow(/never changes/)
  })
})

it('writes that are repeated after an unknown outcome have their effect once', async () => {
  const twice = await createTestApp({
    wrapDatabase: (db) => ({
      ...db,
      write: async (statements, options) => {
        const first = await db.write(statements, options)
        return options?.retry === true ? db.write(statements, options) : first
      },
    }),
  })
  const caller = await createRelayCaller(twice)
  const { certId, code } = await caller.open()
  expect((await caller.resolve(code)).json).toEqual({ certId })
  expect((await caller.upload(certId)).status).toBe(200)
  expect((await caller.upload(certId)).status).toBe(409)
  expect((await caller.receive(certId)).json).toMatchObject(MATERIAL)
  expect((await caller.receive(certId)).status).toBe(410)
  const other = await caller.open()
  expect((await caller.cancel(other.certId)).status).toBe(200)
  await twice.close()
})
