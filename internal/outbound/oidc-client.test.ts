import { createServer } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { portOf } from '../../test/support/port-of.ts'
import { createOidcClient, type OidcClient, type OidcReturn } from './oidc-client.ts'

type Pair = Readonly<{ kid: string; privateKey: CryptoKey; publicKey: CryptoKey }>

const CLIENT = 'svc'
let issuer = ''
let published: Pair[] = []
let idToken = ''
let form = new URLSearchParams()
let authorization: string | undefined
let client: OidcClient
/** Paths that were requested. */
let requests: string[] = []
/** The path whose answer is too long, and does not announce its length. */
let longPath = ''

const makePair = async (kid: string): Promise<Pair> => ({
  kid,
  ...(await generateKeyPair('RS256')),
})

/** Replaces parts of the metadata. */
let metadata: Readonly<Record<string, string | boolean | readonly string[]>> = {}

const answers: Readonly<Record<string, () => Promise<unknown>>> = {
  '/.well-known/openid-configuration': async () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    ...metadata,
  }),
  '/jwks': async () => ({
    keys: await Promise.all(
      published.map(async ({ kid, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg: 'RS256',
      })),
    ),
  }),
  '/token': async () => ({ id_token: idToken, access_token: 'a', token_type: 'Bearer' }),
  '/userinfo': async () => CLAIMS,
}
const server = createServer((request, response) => {
  requests.push(request.url ?? '')
  let body = ''
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString('utf8')
  })
  request.on('end', async () => {
    if (request.method === 'POST') {
      form = new URLSearchParams(body)
      authorization = request.headers.authorization
    }
    const answer = await answers[request.url ?? '']?.()
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    if (request.url === longPath) response.write(' '.repeat(131_072))
    response.end(JSON.stringify(answer ?? null))
  })
})

let first: Pair
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${portOf(server)}`
  first = await makePair('first')
})
afterAll(() => void server.close())
beforeEach(() => {
  published = [first]
  requests = []
  longPath = ''
  metadata = {}
  client = createOidcClient({ issuer, clientId: CLIENT, clientSecret: 's:cret' })
})

const nowS = (): number => Math.floor(Date.now() / 1_000)
const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const CLAIMS = { sub: 'ada', nonce: 'n', email: 'ada@example.com', email_verified: true }

const sign = async (
  claims: Readonly<Record<string, unknown>> = {},
  {
    pair = first,
    skewS = 0,
    issuedS = skewS,
  }: Readonly<{ pair?: Pair; skewS?: number; issuedS?: number }> = {},
): Promise<void> => {
  idToken = await new SignJWT({ iss: issuer, aud: CLIENT, ...CLAIMS, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: pair.kid })
    .setIssuedAt(nowS() + issuedS)
    .setNotBefore(nowS() + skewS)
    .setExpirationTime(nowS() + skewS + 60)
    .sign(pair.privateKey)
}
const BACK = { code: 'c', redirectUri: 'https://svc/cb', nonce: 'n', verifier: 'v' }
const identify = (back: Partial<OidcReturn> = {}) => client.identify({ ...BACK, ...back })
const REFUSED = { kind: 'unauthenticated', code: 'oidc_failed' }

describe('the id token', () => {
  it('names the person when all of it fits', async () => {
    await sign()
    expect(await identify()).toMatchObject({ claims: { sub: 'ada', email: 'ada@example.com' } })
    expect(Object.fromEntries(form)).toMatchObject({
      grant_type: 'authorization_code',
      code_verifier: 'v',
    })
    expect(authorization).toBe(`Basic ${Buffer.from('svc:s%3Acret').toString('base64')}`)
  })

  it.each([
    ['issuer', { iss: 'https://other.example' }],
    ['audience', { aud: 'other' }],
    ['authorized party', { azp: 'other' }],
    ['client too', { aud: [CLIENT, 'other'] }],
    ['nonce', { nonce: 'other' }],
    ['nonce that is missing', { nonce: undefined }],
  ])('of another %s is refused', async (_name, claims) => {
    await sign(claims)
    await expect(identify()).rejects.toMatchObject(REFUSED)
  })

  it('is not requested if the provider did not sign the person in; the reason is one word', async () => {
    for (const [error, reason] of [
      ['access_denied', 'access_denied'],
      ['<a href=//evil.test>', 'no reason'],
      [undefined, 'no reason'],
    ]) {
      await expect(identify({ code: undefined, error })).rejects.toMatchObject({
        code: 'oidc_denied',
        cause: { message: `The provider returned ${reason} instead of a code.` },
      })
    }
    expect(requests).toEqual([])
  })

  it('is not requested if the answer names another issuer, or none although the provider names itself', async () => {
    await sign()
    expect(await identify({ issuer })).toMatchObject({ claims: { sub: 'ada' } })
    metadata = { authorization_response_iss_parameter_supported: true }
    client = createOidcClient({ issuer, clientId: CLIENT, clientSecret: 's:cret' })
    requests = []
    for (const other of ['https://other.example', '', `${issuer}/`, undefined]) {
      await expect(identify({ issuer: other })).rejects.toMatchObject(REFUSED)
    }
    expect(requests).not.toContain('/token')
    expect(await identify({ issuer })).toMatchObject({ claims: { sub: 'ada' } })
  })

  it('is completed by the user info endpoint if it does not state whether the address is verified', async () => {
    metadata = { userinfo_endpoint: `${issuer}/userinfo` }
    await sign({ email_verified: undefined })
    expect(await identify()).toMatchObject({ claims: { email_verified: true } })
    await sign({ email_verified: false })
    expect(await identify()).toMatchObject({ claims: { email_verified: false } })
  })

  it('may be for other clients too if it was issued to svc', async () => {
    await sign({ aud: [CLIENT, 'other'], azp: CLIENT })
    expect(await identify()).toMatchObject({ claims: { sub: 'ada' } })
  })

  it.each([3_600, -90_000])('that was issued at %d s from now is refused', async (skewS) => {
    await sign({}, { issuedS: skewS })
    await expect(identify()).rejects.toMatchObject(REFUSED)
    idToken = await new SignJWT({ iss: issuer, aud: CLIENT, sub: 'ada', jti: 'j', events: LOGOUT })
      .setProtectedHeader({ alg: 'RS256', kid: 'first' })
      .setIssuedAt(nowS() + skewS)
      .sign(first.privateKey)
    await expect(client.verifyLogout(idToken)).rejects.toMatchObject({ code: 'bad_logout_token' })
  })

  it('is refused without a signature, and with one by a shared secret', async () => {
    const part = (value: unknown): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url')
    const payload = { iss: issuer, aud: CLIENT, ...CLAIMS, iat: nowS(), exp: nowS() + 60 }
    idToken = `${part({ alg: 'none' })}.${part(payload)}.`
    await expect(identify()).rejects.toMatchObject(REFUSED)
    idToken = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256', kid: 'first' })
      .sign(new TextEncoder().encode('s:cret'.repeat(8)))
    await expect(identify()).rejects.toMatchObject(REFUSED)
  })

  it('may be off by a minute of clock, and no more', async () => {
    for (const skewS of [-100, 45]) {
      await sign({}, { skewS })
      expect(await identify()).toMatchObject({ claims: { sub: 'ada' } })
    }
    const cause = { message: expect.stringContaining('Set the clocks of this machine') }
    for (const skewS of [-180, 120]) {
      await sign({}, { skewS })
      await expect(identify()).rejects.toMatchObject({ ...REFUSED, cause })
    }
  })

  it('is verified by keys that the provider has changed since', async () => {
    await sign()
    await identify()
    const second = await makePair('second')
    published = [second]
    await sign({}, { pair: second })
    expect(await identify()).toMatchObject({ claims: { sub: 'ada' } })
    await sign({}, { pair: first })
    await expect(identify()).rejects.toMatchObject(REFUSED)
  })
})

it.each([
  ['/.well-known/openid-configuration', { code: 'oidc_unreachable' }],
  ['/token', { code: 'oidc_unreachable' }],
  ['/jwks', { code: 'oidc_unreachable' }],
])('no answer of more than 128 KiB is read: %s', async (path, refusal) => {
  await sign()
  longPath = path
  await expect(identify()).rejects.toMatchObject(refusal)
})

it('keys that cannot be fetched refuse no token', async () => {
  await sign()
  metadata = { jwks_uri: `${issuer}/gone` }
  const gone = { code: 'oidc_unreachable', cause: { message: `${issuer}/gone answered 404.` } }
  await expect(identify()).rejects.toMatchObject(gone)
  await expect(client.verifyLogout(idToken)).rejects.toMatchObject(gone)
})

it.each([
  [
    'at a provider that lists it',
    { prompt_values_supported: ['login', 'select_account'] },
    'select_account',
  ],
  ['at a provider that lists others', { prompt_values_supported: ['none', 'login'] }, 'login'],
  ['at a provider without a list', {}, 'login'],
])('the prompt for another account %s', async (_where, more, prompt) => {
  metadata = more
  const start = { redirectUri: 'https://svc/cb', state: 's', nonce: 'n', challenge: 'c' }
  const plain = new URL(await client.startUrl(start))
  expect(plain.searchParams.has('prompt')).toBe(false)
  const other = new URL(await client.startUrl({ ...start, otherAccount: true }))
  expect(other.searchParams.get('prompt')).toBe(prompt)
})

it('many callers at once share one fetch of the metadata', async () => {
  await sign()
  await Promise.all([identify(), identify(), identify()])
  expect(requests.filter((path) => path.endsWith('openid-configuration'))).toHaveLength(1)
})

it('notices that name unknown keys do not make svc fetch the keys each time', async () => {
  await sign({}, { pair: { ...first, kid: 'unknown' } })
  for (let count = 0; count < 5; count += 1) {
    await expect(client.verifyLogout(idToken)).rejects.toMatchObject({ code: 'bad_logout_token' })
  }
  expect(requests.filter((path) => path === '/jwks')).toHaveLength(1)
})

it('a provider that calls itself otherwise, or does not answer, is not used', async () => {
  const start = { redirectUri: 'https://svc/cb', state: 's', nonce: 'n', challenge: 'c' }
  const url = new URL(await client.startUrl(start))
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    state: 's',
    nonce: 'n',
    code_challenge: 'c',
    code_challenge_method: 'S256',
  })
  for (const other of [`${issuer}/`, 'http://127.0.0.1:1']) {
    const wrong = createOidcClient({ issuer: other, clientId: CLIENT, clientSecret: undefined })
    await expect(wrong.startUrl(start)).rejects.toMatchObject({ code: 'oidc_unreachable' })
  }
})

it.each([
  ['token_endpoint', 'http://192.0.2.1/token'],
  ['jwks_uri', 'http://169.254.169.254/keys'],
  ['authorization_endpoint', 'http://provider.example/authorize'],
  ['end_session_endpoint', 'javascript:alert(1)'],
])('a provider whose %s is at %s is not used', async (name, url) => {
  metadata = { [name]: url }
  await sign()
  await expect(identify()).rejects.toMatchObject({ code: 'oidc_unreachable' })
  expect(requests).toEqual(['/.well-known/openid-configuration'])
})
