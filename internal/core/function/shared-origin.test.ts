import { describe, expect, test } from 'vitest'
import { formatApiKey, makeApiKeyText } from '../access/api-key-text.ts'
import { CREDENTIAL_KINDS } from '../access/credentials.ts'
import { makeTokenText, type TokenKind } from '../access/token-text.ts'
import { confineAnswer, setsOwnCookie, wantsPage, withholdCredentials } from './shared-origin.ts'

const RANDOM = new Uint8Array(200).map((_, at) => at)
const token = (kind: TokenKind): string => makeTokenText(kind, RANDOM).text
const API_KEY = formatApiKey(makeApiKeyText(RANDOM))
const jwt = (typ: string): string => `${btoa(JSON.stringify({ alg: 'HS256', typ }))}.e30.c2ln`

describe('of svc’s credentials a function sees nothing', () => {
  test.each([
    ['Cookie', `svc_session=${token('session')}`],
    ['cookie', ' svc_session = anything'],
    ['cookie', '__Host-svc_session=anything'],
    ['cookie', '__host-svc_oidc_2=state'],
    ['cookie', '=svc_session=anything'],
    ['Cookie', `other=${token('session')}`],
    ['COOKIE', `a, svc_session=${token('session')}`],
    ...CREDENTIAL_KINDS.map((kind) => [
      'Authorization',
      `Bearer ${kind === 'api_key' ? API_KEY : token(kind)}`,
    ]),
    ['authorization', `bearer   ${token('api_token')}`],
    ['Authorization', `Basic ${btoa(`git:${token('api_token')}`)}`],
    ['Authorization', `Bearer ${API_KEY}`],
    ['Proxy-Authorization', `Bearer ${token('api_token')}`],
    ['X-API-Key', API_KEY],
  ])('%s: %s', (name = '', value = '') => expect(withholdCredentials([[name, value]])).toEqual([]))

  test('while other cookies than the session arrive', () => {
    const cookie = `a=1; svc_session=${token('session')};svc_session2=x; __Host-own=y; b="2"`
    expect(withholdCredentials([['Cookie', cookie]])).toEqual([
      ['Cookie', 'a=1; svc_session2=x; __Host-own=y; b="2"'],
    ])
  })
})

test.each([
  ['Authorization', `Bearer ${jwt('JWT')}`],
  ['Authorization', 'Bearer sk_live_51Habcdefghijklmnop'],
  ['Authorization', `Basic ${btoa('ada:secret')}`],
  ['Authorization', 'Basic %%%'],
  ['Authorization', 'Bearer svc_short'],
  ['Cookie', 'cart=svc; lang=ko'],
  ['X-API-Key', 'somebody-elses'],
  ['X-Note', 'svc_session=1'],
])('%s: %s arrives', (name, value) =>
  expect(withholdCredentials([[name, value]])).toEqual([[name, value]]),
)

test('an answer on svc’s origin keeps nothing that reaches beyond itself', () => {
  const headers = new Headers({
    'content-type': 'text/html',
    'service-worker-allowed': '/',
    'clear-site-data': '"*"',
    'strict-transport-security': 'max-age=0',
    'alt-svc': 'h3=":443"',
    nel: '{}',
    'x-content-type-options': 'sniff',
    'access-control-allow-origin': '*',
  })
  headers.append('set-cookie', 'svc_session=a')
  headers.append('set-cookie', 'other=b')
  confineAnswer(headers)
  expect(Object.fromEntries(headers)).toEqual({
    'content-type': 'text/html',
    'access-control-allow-origin': '*',
    'content-security-policy': 'sandbox allow-scripts allow-forms allow-popups',
    'x-content-type-options': 'nosniff',
  })
})

test.each([
  ['svc_session=a; Domain=example.com', true],
  ['=svc_session=a; Domain=example.com', true],
  [' = svc_session = a', true],
  ['svc_session;Path=/', true],
  ['svc_oidc=state; Path=/api/auth/oidc', true],
  ['svc_oidc_link=a', true],
  ['svc_oidc_4=a', true],
  ['__HOST-svc_session=a', true],
  ['__Host-svc_oidc=a', true],
  ['svc_sessions=a', false],
  ['=a=svc_session', false],
  ['', false],
])('whether a function sets a cookie of svc with "%s": %s', (value, expected) =>
  expect(setsOwnCookie(value)).toBe(expected),
)

test('a policy of the function’s own is a second one, which can only narrow the first', () => {
  const headers = new Headers({ 'content-security-policy': 'sandbox allow-same-origin' })
  confineAnswer(headers)
  expect(headers.get('content-security-policy')).toBe(
    'sandbox allow-scripts allow-forms allow-popups, sandbox allow-same-origin',
  )
})

test.each([
  ['GET', { 'sec-fetch-mode': 'navigate' }, true],
  ['GET', { 'sec-fetch-mode': 'cors', accept: 'text/html' }, false],
  ['GET', { accept: 'text/html,*/*;q=0.8' }, true],
  ['GET', { accept: '*/*' }, false],
  ['GET', {}, false],
  ['POST', { 'sec-fetch-mode': 'navigate' }, false],
])('%s with %j wants a page: %s', (method, headers, wanted) =>
  expect(wantsPage(method, (name) => new Headers(headers).get(name))).toBe(wanted),
)
