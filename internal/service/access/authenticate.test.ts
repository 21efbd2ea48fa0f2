/** Authentication by the text of a credential. The end of each credential is tested with the use case that ends it. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeTokenText, TOKEN_RANDOM_BYTES, type TokenKind } from '#core/access/token-text.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, MEMBER, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { issueApiKey, revokeApiKey } from '../customers/api-key.ts'
import { logOut } from '../people/log-out.ts'
import { changeMember } from '../people/manage-member.ts'
import { startSession } from '../people/start-session.ts'
import { authenticate } from './authenticate.ts'
import { authenticateApiKey } from './authenticate-api-key.ts'
import { authenticateSession } from './authenticate-session.ts'

const place = await workspaceForFile()
await place.addPerson(MEMBER)

const makeText = (kind: TokenKind) => makeTokenText(kind, randomBytes(TOKEN_RANDOM_BYTES)).text

describe('a bearer text', () => {
  test.each(['', 'svc_', 'Bearer', 'ak_0123456789abcdef.secret'])(
    '%j is not a token',
    async (text) => {
      await expect(authenticate(place.db, text)).rejects.toThrow('This is not a valid token')
    },
  )

  test.each(['session', 'view_token', 'flow_link', 'invite', 'device_code'] as const)(
    'of kind %s does not open the API',
    async (kind) => {
      await expect(authenticate(place.db, makeText(kind))).rejects.toThrow('does not open the API')
    },
  )

  test.each(['api_token', 'customer_key'] as const)(
    'of kind %s that was never issued learns nothing',
    async (kind) => {
      await expect(authenticate(place.db, makeText(kind))).rejects.toThrow('is not known here')
    },
  )
})

describe('a session', () => {
  const signIn = (email: string) => startSession(place.deps, { email, address: null })
  const open = (text: string, ws = WS) => authenticateSession(place.db, text, ws)
  const ended = { kind: 'unauthenticated', code: 'session_ended' }

  test('has the role of its person in the workspace of the route', async () => {
    const { text } = await signIn(MEMBER)
    expect(await open(text)).toMatchObject({ kind: 'session', ws: WS, isAdmin: false })
    await place.addWorkspace('own')
    await place.addPerson(MEMBER, 'admin', 'own')
    expect(await open(text, 'own')).toMatchObject({ ws: 'own', isAdmin: true, scopes: ['*'] })
  })

  test('holds nothing in a workspace of others, nor outside workspaces', async () => {
    const { text } = await signIn(MEMBER)
    await place.addWorkspace('theirs')
    for (const ws of ['theirs', 'none', '']) {
      expect(await open(text, ws)).toMatchObject({ ws: null, scopes: [] })
    }
  })

  test('of a super admin is admin of every workspace', async () => {
    const { text } = await signIn(ADMIN)
    await place.addWorkspace('any')
    expect(await open(text, 'any')).toMatchObject({ ws: 'any', isAdmin: true, isSuperAdmin: true })
  })

  test('of a disabled member holds nothing in that workspace', async () => {
    await place.addPerson('off@example.com')
    const { text } = await signIn('off@example.com')
    const change = { ws: WS, email: 'off@example.com', actor: actorFor(ADMIN), disabled: true }
    await changeMember(place.deps, change)
    expect(await open(text)).toMatchObject({ ws: null, scopes: [] })
  })

  test('ends with logout, and nothing else does', async () => {
    const [one, two] = [await signIn(MEMBER), await signIn(MEMBER)]
    const principal = await open(one.text)
    await logOut(place.deps, principal, actorFor(MEMBER))
    await expect(open(one.text)).rejects.toMatchObject(ended)
    expect(await open(two.text)).toMatchObject({ identity: MEMBER })
  })

  test('is not accepted as another kind of token', async () => {
    await expect(open(makeText('api_token'))).rejects.toMatchObject(ended)
    await expect(open(makeText('session'))).rejects.toMatchObject(ended)
  })
})

describe('an API key', () => {
  const issue = () => issueApiKey(place.deps, { ws: WS, name: 'k', actor: actorFor(ADMIN) })
  const refused = { code: 'invalid_api_key' }

  test('opens as itself', async () => {
    const { text, key } = await issue()
    expect(await authenticateApiKey(place.db, text)).toEqual({
      kind: 'api_key',
      credentialId: key.keyId,
      credentialPrefix: key.keyId,
      identity: `api_key:${key.keyId}`,
      ws: WS,
    })
  })

  test('is refused with another secret', async () => {
    const [one, two] = [await issue(), await issue()]
    const [, secret = ''] = two.text.split('.')
    await expect(authenticateApiKey(place.db, `${one.key.keyId}.${secret}`)).rejects.toMatchObject(
      refused,
    )
  })

  test('ends when it is revoked', async () => {
    const { text, key } = await issue()
    await revokeApiKey(place.deps, { ws: WS, keyId: key.keyId, actor: actorFor(ADMIN) })
    await expect(authenticateApiKey(place.db, text)).rejects.toMatchObject(refused)
  })
})
