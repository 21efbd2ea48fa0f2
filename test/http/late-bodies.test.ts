/** A credential or secret that ends while a body arrives opens nothing [wire 1.6]. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { addMember, changeMember } from '#service/people/manage-member.ts'
import { setVariable } from '#service/secrets/set-secret.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => app.close())

/** A body that takes two seconds to arrive, and what happens meanwhile. */
const slowBody = (text: string, meanwhile: () => Promise<unknown>): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  const now = performance.now.bind(performance)
  let isFirst = true
  return new ReadableStream({
    pull: async (controller) => {
      controller.enqueue(isFirst ? bytes.subarray(0, 5) : bytes.subarray(5))
      if (!isFirst) return controller.close()
      isFirst = false
      await meanwhile()
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 2_000)
    },
  })
}

const person = async (email: string) => {
  await createUser(app.deps, { email, password: null, isSuperAdmin: false })
  await addMember(app.deps, { ws: WS, email, role: 'admin' })
  return app.issue(['*'], { email })
}

const putVariable = (key: string, token: string, meanwhile: () => Promise<unknown>) =>
  app.call('PUT', `/api/w/${WS}/variables/${key}`, {
    token,
    headers: { 'content-type': 'application/json' },
    body: slowBody('{"value":"late"}', meanwhile),
  })

const variables = async () =>
  (await app.call('GET', `/api/w/${WS}/variables`, { token: await app.token(['*']) })).text

test('a token that is revoked while the body arrives changes nothing', async () => {
  const { text, token } = await person('revoked@example.com')
  const revoke = () =>
    app.deps.db.write([sql`UPDATE tokens SET revoked_at = 1 WHERE id = ${token.id}`])
  expect(await putVariable('REVOKED', text, revoke)).toMatchObject({ status: 401 })
  expect(await variables()).not.toContain('REVOKED')
})

test('a person whose role is lowered while the body arrives has the new role', async () => {
  const email = 'lowered@example.com'
  const { text } = await person(email)
  const lower = () => changeMember(app.deps, { ws: WS, email, actor: CLI_ACTOR, role: 'member' })
  expect(await putVariable('LOWERED', text, lower)).toMatchObject({
    status: 403,
    json: { code: 'missing_scope' },
  })
  expect(await variables()).not.toContain('LOWERED')
})

test('a slow body with a valid credential is accepted', async () => {
  const { text } = await person('slow@example.com')
  expect((await putVariable('SLOW', text, async () => undefined)).status).toBe(200)
})

test('a webhook whose secret is changed while the body arrives verifies with the new one', async () => {
  const verify = { scheme: 'token', header: 'x-token', secret: ['HOOK_SECRET'] }
  const target = { ws: WS, app: 'shop', key: 'paid' }
  await deployActions(app.deps, [target], [], [{ key: 'hook', action: 'paid', verify }])
  const setSecret = (value: string) =>
    setVariable(app.deps, { ws: WS, key: 'HOOK_SECRET', value, isSecret: true, actor: CLI_ACTOR })
  await setSecret('leaked')
  const deliver = (meanwhile: () => Promise<unknown>) =>
    app.call('POST', `/hook/${WS}/shop/hook`, {
      headers: { 'x-token': 'leaked' },
      body: slowBody('{"id":1}', meanwhile),
    })
  expect((await deliver(async () => undefined)).status).toBe(202)
  vi.restoreAllMocks()
  expect(await deliver(() => setSecret('rotated'))).toMatchObject({
    status: 401,
    json: { code: 'bad_signature' },
  })
})

test('an API key that is revoked while a document arrives parses nothing', async () => {
  const token = await app.token(['*'])
  const path = `/api/w/${WS}/api-keys`
  const { json } = await app.call('POST', path, { token, json: { name: 'parser' } })
  const made = z.object({ key_id: z.string(), key: z.string() }).parse(json)
  const form = '--b\r\ncontent-disposition: form-data; name="file"\r\n\r\nno PDF\r\n--b--\r\n'
  const parse = (meanwhile: () => Promise<unknown>) =>
    app.call('POST', '/document-parser/registry', {
      token: made.key,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: slowBody(form, meanwhile),
    })
  expect((await parse(async () => undefined)).status).toBe(400)
  vi.restoreAllMocks()
  const revoke = () => app.call('DELETE', `${path}/${made.key_id}`, { token })
  expect((await parse(revoke)).status).toBe(401)
})
