/** Deploys the recipes of docs/webhooks.md unchanged and calls them with requests signed as each sender does. */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sign } from '@octokit/webhooks-methods'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import type { AppTexts } from '../support/app-files.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

const SECRET = 'only_for_tests'
const BODY = '{"id":"evt_1","event_id":"Ev1"}'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'webhooks.md'), 'utf8')

const recipes = z
  .array(
    z.object({
      webhooks: z.array(
        z.looseObject({
          key: z.string(),
          action: z.string().optional(),
          verify: z.looseObject({ secret: z.string() }),
        }),
      ),
    }),
  )
  .parse([...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => parse(text)))
const webhooks = recipes.flatMap((recipe) => recipe.webhooks)
const actions = webhooks.flatMap(({ action }) => action ?? [])

const files = (manifest: object): AppTexts => ({
  'app.yaml': JSON.stringify({
    key: 'shop',
    actions: actions.map((key) => ({ key, entrypoint: 'run.ts' })),
    flows: [{ key: 'new-order', steps: [{ key: 'look', action: actions[0] }] }],
    ...manifest,
  }),
  'run.ts': 'export const main = (): string => "done"\n',
})

let app: TestApp
let token = ''
const api = (method: string, path: string, more: Parameters<TestApp['call']>[2] = {}) =>
  app.call(method, `/api/w/${WS}${path}`, { token, ...more })
const deployed = z.object({ deployment_id: z.string() })
const deploy = async (manifest: object): Promise<string> => {
  const answer = await api('POST', '/deployments', await toUpload(await packApp(files(manifest))))
  return deployed.parse(answer.json).deployment_id
}

let first = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  for (const { verify } of webhooks) {
    const json = { value: SECRET, secret: true }
    expect((await api('PUT', `/variables/${verify.secret}`, { json })).status).toBeLessThan(300)
  }
  first = await deploy({ webhooks })
})
afterAll(() => app.close())

const hmac = (text: string) => createHmac('sha256', SECRET).update(text)

/** The headers that each sender adds to a request. */
const SENDERS: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
  stripe: async () => ({
    'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload: BODY, secret: SECRET }),
  }),
  github: async () => ({
    'x-github-event': 'push',
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': await sign(SECRET, BODY),
  }),
  slack: async () => {
    const time = String(Math.floor(Date.now() / 1_000))
    return {
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${hmac(`v0:${time}:${BODY}`).digest('hex')}`,
    }
  },
  shopify: async () => ({
    'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
    'x-shopify-hmac-sha256': hmac(BODY).digest('base64'),
  }),
  nightly: async () => ({ 'x-token': SECRET }),
}

const send = async (key: string): Promise<number> => {
  const headers = await SENDERS[key]?.()
  const answer = await app.call('POST', `/hook/${WS}/shop/${key}`, {
    body: BODY,
    headers: headers ?? {},
  })
  return answer.status
}

describe('the recipes for webhooks', () => {
  it('are those of five senders', () => {
    expect(webhooks.map(({ key }) => key)).toEqual(Object.keys(SENDERS))
  })

  it.each(Object.keys(SENDERS))('take what %s sends, and nothing without it', async (key) => {
    expect(await send(key)).toBe(202)
    const bare = await app.call('POST', `/hook/${WS}/shop/${key}`, { body: BODY })
    expect(bare.status).toBe(401)
  })
})

describe('the webhooks of a deployment', () => {
  it('go with it, and come back with a redeployment', async () => {
    const changes = z.object({ removed: z.array(z.looseObject({ kind: z.string() })) })
    const second = await deploy({})
    const back = changes.parse((await api('GET', `/deployments/${first}/changes`)).json)
    expect(back.removed).toEqual([])
    expect((await api('GET', '/webhooks')).json).toMatchObject({ items: [] })
    expect(await send('stripe')).toBe(404)
    expect((await api('POST', `/deployments/${first}/redeploy`)).status).toBe(201)
    expect((await api('GET', '/webhooks')).json).toMatchObject({
      items: [
        { key: 'github' },
        { key: 'nightly' },
        { key: 'shopify' },
        { key: 'slack' },
        { key: 'stripe' },
      ],
    })
    expect(await send('stripe')).toBe(202)
    const gone = changes.parse((await api('GET', `/deployments/${second}/changes`)).json)
    expect(gone.removed).toHaveLength(5)
    expect(gone.removed.every(({ kind }) => kind === 'webhook')).toBe(true)
  })

  it('go with their app, and their deliveries too', async () => {
    const list = z.object({ items: z.array(z.unknown()) })
    const before = await api('GET', '/webhooks/shop/stripe/deliveries')
    expect(list.parse(before.json).items.length).toBeGreaterThan(0)
    expect((await api('DELETE', '/apps/shop')).status).toBe(204)
    expect(await send('stripe')).toBe(404)
    await deploy({ webhooks })
    expect((await api('GET', '/webhooks/shop/stripe/deliveries')).json).toMatchObject({ items: [] })
  })
})
