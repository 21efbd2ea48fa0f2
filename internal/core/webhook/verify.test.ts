import { createHmac } from 'node:crypto'
import { sign } from '@octokit/webhooks-methods'
import fc from 'fast-check'
import Stripe from 'stripe'
import { describe, expect, it, vi } from 'vitest'
import type { Delivery } from './scheme.ts'
import { schemeOf, type Verify } from './schemes.ts'
import { verifyDelivery } from './verify.ts'

const NOW_S = 1_800_000_000
const BODY = '{"id":"evt_1","note":"결제 완료"}'

type Sent = Readonly<{
  body?: string
  headers?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
}>

const toDelivery = ({ body = BODY, headers = {}, query = {} }: Sent): Delivery => ({
  body: new TextEncoder().encode(body),
  header: (name) => new Headers(headers).get(name) ?? undefined,
  query: (name) => query[name],
  receivedAt: NOW_S * 1_000,
})

const verdictOf = async (
  verify: Verify,
  sent: Sent,
  variables: Readonly<Record<string, string>> = { SECRET: 'whsec_test' },
): Promise<string> => {
  const map = new Map(Object.entries(variables))
  const verdict = await verifyDelivery(verify, toDelivery(sent), map)
  return verdict.ok ? 'ok' : verdict.reason
}

const secret = ['SECRET']

describe('stripe', () => {
  const verify: Verify = { scheme: 'stripe', secret }
  const stripeHeader = (timestamp = NOW_S, payload = BODY, key = 'whsec_test'): string =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret: key, timestamp })
  const at = (header: string) => verdictOf(verify, { headers: { 'Stripe-Signature': header } })

  it('takes what Stripe’s own package signs', async () => {
    expect(await at(stripeHeader())).toBe('ok')
  })

  it('takes a timestamp that is up to 300 seconds away, before or after', async () => {
    expect(await at(stripeHeader(NOW_S - 300))).toBe('ok')
    expect(await at(stripeHeader(NOW_S + 300))).toBe('ok')
    expect(await at(stripeHeader(NOW_S - 301))).toBe('stale_timestamp')
    expect(await at(stripeHeader(NOW_S + 301))).toBe('stale_timestamp')
  })

  it('takes any of several signatures, as Stripe sends while a secret is replaced', async () => {
    const [time, right] = stripeHeader().split(',')
    expect(await at(`${time},v1=${'0'.repeat(64)},${right}`)).toBe('ok')
    expect(await at(`${time},v0=${right?.slice(3)}`)).toBe('malformed_signature')
  })

  it('computes one hash per secret, however many signatures are claimed', async () => {
    const signs = vi.spyOn(crypto.subtle, 'sign')
    const verifies = vi.spyOn(crypto.subtle, 'verify')
    const claimed = `,v1=${'0'.repeat(64)}`.repeat(200)
    expect(await at(`t=${NOW_S}${claimed}`)).toBe('wrong_signature')
    expect(signs.mock.calls.length + verifies.mock.calls.length).toBe(1)
    signs.mockRestore()
    verifies.mockRestore()
  })

  it('refuses another body, another secret, another time, and a broken header', async () => {
    expect(await at(stripeHeader(NOW_S, '{}'))).toBe('wrong_signature')
    expect(await at(stripeHeader(NOW_S, BODY, 'whsec_other'))).toBe('wrong_signature')
    expect(await at(stripeHeader().replace(`t=${NOW_S}`, `t=${NOW_S + 1}`))).toBe('wrong_signature')
    expect(await at(stripeHeader().replace(`t=${NOW_S}`, 't=1e9'))).toBe('stale_timestamp')
    for (const broken of ['', 't=', 'v1=00', `t=${NOW_S}`, `t=${NOW_S},v1=xyz`]) {
      expect(await at(broken)).toBe('malformed_signature')
    }
    expect(await verdictOf(verify, {})).toBe('missing_signature')
  })
})

describe('github', () => {
  const verify: Verify = { scheme: 'github', secret }
  const at = (header: string) => verdictOf(verify, { headers: { 'X-Hub-Signature-256': header } })

  it('takes what Octokit’s own package signs', async () => {
    expect(await at(await sign('whsec_test', BODY))).toBe('ok')
  })

  it('refuses another secret or body, SHA-1, and a broken header', async () => {
    expect(await at(await sign('other', BODY))).toBe('wrong_signature')
    expect(await at(await sign('whsec_test', `${BODY} `))).toBe('wrong_signature')
    expect(await at(`sha1=${'0'.repeat(40)}`)).toBe('malformed_signature')
    expect(await at('sha256=')).toBe('malformed_signature')
    expect(await verdictOf(verify, {})).toBe('missing_signature')
  })
})

/** As api.slack.com/authentication/verifying-requests-from-slack describes it. */
const slackHeaders = (timestamp = NOW_S, body = BODY): Readonly<Record<string, string>> => ({
  'X-Slack-Request-Timestamp': String(timestamp),
  'X-Slack-Signature': `v0=${createHmac('sha256', 'whsec_test').update(`v0:${timestamp}:${body}`).digest('hex')}`,
})

describe('slack', () => {
  const verify: Verify = { scheme: 'slack', secret }

  it('takes what Slack signs', async () => {
    expect(await verdictOf(verify, { headers: slackHeaders() })).toBe('ok')
  })

  it('gives the result of the example in Slack’s documentation', async () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
    const delivery: Delivery = {
      ...toDelivery({
        body,
        headers: {
          'X-Slack-Request-Timestamp': '1531420618',
          'X-Slack-Signature':
            'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
        },
      }),
      receivedAt: 1_531_420_618_000,
    }
    const variables = new Map([['SECRET', '8f742231b10e8888abcd99yyyzzz85a5']])
    expect(await verifyDelivery(verify, delivery, variables)).toEqual({ ok: true })
  })

  it('refuses a timestamp more than 300 seconds away, or one that was changed', async () => {
    expect(await verdictOf(verify, { headers: slackHeaders(NOW_S - 301) })).toBe('stale_timestamp')
    const headers = { ...slackHeaders(), 'X-Slack-Request-Timestamp': String(NOW_S + 1) }
    expect(await verdictOf(verify, { headers })).toBe('wrong_signature')
    const { 'X-Slack-Signature': _, ...unsigned } = slackHeaders()
    expect(await verdictOf(verify, { headers: unsigned })).toBe('missing_signature')
  })

  it('asks back the challenge of a verification, and of nothing else', () => {
    const { challenge } = schemeOf(verify)
    const asked = (value: unknown) => challenge(toDelivery({ body: JSON.stringify(value) }))
    expect(asked({ type: 'url_verification', challenge: 'abc' })).toBe('abc')
    expect(asked({ type: 'event_callback', challenge: 'abc' })).toBeNull()
    expect(challenge(toDelivery({ body: 'payload=%7B%7D' }))).toBeNull()
  })
})

describe('hmac', () => {
  const shopify: Verify = {
    scheme: 'hmac',
    secret,
    header: 'X-Shopify-Hmac-Sha256',
    algorithm: 'sha256',
    encoding: 'base64',
  }
  const hmac = (hash: string, encoding: 'hex' | 'base64') =>
    createHmac(hash, 'whsec_test').update(BODY).digest(encoding)

  it('takes what Shopify signs', async () => {
    const headers = { 'X-Shopify-Hmac-Sha256': hmac('sha256', 'base64') }
    expect(await verdictOf(shopify, { headers })).toBe('ok')
    expect(await verdictOf(shopify, { headers, body: '{}' })).toBe('wrong_signature')
    expect(await verdictOf(shopify, { headers: { 'X-Shopify-Hmac-Sha256': '%%%' } })).toBe(
      'malformed_signature',
    )
  })

  it('takes each algorithm, encoding and prefix, and not one for another', async () => {
    for (const algorithm of ['sha256', 'sha512'] as const) {
      for (const encoding of ['hex', 'base64'] as const) {
        const verify: Verify = {
          scheme: 'hmac',
          secret,
          header: 'x-sign',
          algorithm,
          encoding,
          prefix: 'v=',
        }
        const at = (text: string) => verdictOf(verify, { headers: { 'X-Sign': text } })
        expect(await at(`v=${hmac(algorithm, encoding)}`)).toBe('ok')
        expect(await at(hmac(algorithm, encoding))).toBe('malformed_signature')
        const other = algorithm === 'sha256' ? 'sha512' : 'sha256'
        expect(await at(`v=${hmac(other, encoding)}`)).toBe('wrong_signature')
      }
    }
  })
})

describe('token', () => {
  const inHeader: Verify = { scheme: 'token', secret, header: 'X-Gitlab-Token' }
  const inQuery: Verify = { scheme: 'token', secret, query: 'key' }

  it('takes the secret where it is expected, and nowhere else', async () => {
    const headers = { 'X-Gitlab-Token': 'whsec_test' }
    const query = { key: 'whsec_test' }
    expect(await verdictOf(inHeader, { headers })).toBe('ok')
    expect(await verdictOf(inQuery, { query })).toBe('ok')
    expect(await verdictOf(inHeader, { query })).toBe('missing_signature')
    expect(await verdictOf(inQuery, { headers })).toBe('missing_signature')
  })

  it('reads a header as the bytes that were sent, which are UTF-8 or Latin-1', async () => {
    const sentAs = (encoding: 'utf8' | 'latin1') => ({
      headers: { 'X-Gitlab-Token': Buffer.from('clé-1', encoding).toString('latin1') },
    })
    expect(await verdictOf(inHeader, sentAs('utf8'), { SECRET: 'clé-1' })).toBe('ok')
    expect(await verdictOf(inHeader, sentAs('latin1'), { SECRET: 'clé-1' })).toBe('ok')
    expect(await verdictOf(inHeader, sentAs('utf8'), { SECRET: 'cle-1' })).toBe('wrong_signature')
  })

  it('refuses whatever is not the secret', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), async (text) => {
        fc.pre(text !== 'whsec_test')
        expect(await verdictOf(inQuery, { query: { key: text } })).toBe('wrong_signature')
      }),
      { numRuns: 100 },
    )
  })

  it('names the header that no script may see', () => {
    expect(schemeOf(inHeader).secretHeader).toBe('X-Gitlab-Token')
    expect(schemeOf(inQuery).secretHeader).toBeNull()
    expect(schemeOf({ scheme: 'github', secret }).secretHeader).toBeNull()
  })
})

describe('the secrets of a webhook', () => {
  const verify: Verify = { scheme: 'github', secret: ['OLD', 'NEW'] }
  const signed = async () => ({ headers: { 'X-Hub-Signature-256': await sign('new', BODY) } })

  it('fit when any of them does', async () => {
    expect(await verdictOf(verify, await signed(), { OLD: 'old', NEW: 'new' })).toBe('ok')
    expect(await verdictOf(verify, await signed(), { NEW: 'new' })).toBe('ok')
    expect(await verdictOf(verify, await signed(), { OLD: 'old' })).toBe('wrong_signature')
  })

  it('are never empty: a variable without a value is a missing one', async () => {
    expect(await verdictOf(verify, await signed(), {})).toBe('missing_variable')
    expect(await verdictOf(verify, await signed(), { OLD: '', NEW: '' })).toBe('missing_variable')
    const token: Verify = { scheme: 'token', secret: ['OLD'], query: 'key' }
    expect(await verdictOf(token, { query: { key: '' } }, { OLD: '' })).toBe('missing_variable')
    expect(await verdictOf(token, { query: { key: '' } }, { OLD: 'old' })).toBe('missing_signature')
  })

  it('are named as missing whatever the delivery has, because none could be accepted', async () => {
    expect(await verdictOf(verify, {}, {})).toBe('missing_variable')
    const malformed = { headers: { 'X-Hub-Signature-256': 'sha256=zz' } }
    expect(await verdictOf(verify, malformed, {})).toBe('missing_variable')
  })

  it('are not sent by the scheme none', async () => {
    expect(await verdictOf({ scheme: 'none' }, {}, {})).toBe('ok')
  })
})

describe('any header', () => {
  it('gives a verdict, never an exception', async () => {
    const schemes: readonly Verify[] = [
      { scheme: 'stripe', secret },
      { scheme: 'github', secret },
      { scheme: 'slack', secret },
      { scheme: 'hmac', secret, header: 'x-any', algorithm: 'sha512', encoding: 'base64' },
    ]
    const pieces = fc.constantFrom('t=', 'v1=', 'v0=', 'sha256=', ',', '=', 'ab', '1800000000', ' ')
    await fc.assert(
      fc.asyncProperty(fc.array(pieces), fc.constantFrom(...schemes), async (parts, verify) => {
        const delivery = { ...toDelivery({}), header: () => parts.join('') }
        const verdict = await verifyDelivery(verify, delivery, new Map([['SECRET', 'a']]))
        expect(verdict.ok).toBe(false)
      }),
      { numRuns: 300 },
    )
  })
})
