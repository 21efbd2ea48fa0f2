import { describe, expect, it } from 'vitest'
import { parseManifest, storedManifest } from '../manifest/manifest.ts'
import { webhookSchema } from './definition.ts'

const withWebhooks = (webhooks: string) => `key: shop
actions:
  - { key: on-stripe, entrypoint: on-stripe.ts }
flows:
  - { key: on-payment, steps: [{ key: a, action: on-stripe }] }
webhooks:
${webhooks}`

const parsed = (webhooks: string) => parseManifest(withWebhooks(webhooks), 'app.yaml')
const faultsOf = (webhooks: string): readonly string[] => {
  const result = parsed(webhooks)
  return result.ok ? [] : result.faults.map(({ path, message }) => `${path}: ${message}`)
}

describe('the webhooks of a manifest', () => {
  it('name a target, a scheme, and what decides about repeated deliveries', () => {
    const result = parsed(`  - key: stripe
    action: on-stripe
    verify: { scheme: stripe, secret: STRIPE_WEBHOOK_SECRET }
    dedupe: { body: id }
  - { key: gh, flow: on-payment, verify: { scheme: github, secret: [A, B] }, dedupe: { header: x-github-delivery } }
  - { key: shopify, action: on-stripe, verify: { scheme: hmac, secret: S, header: X-Shopify-Hmac-Sha256, encoding: base64 } }
  - { key: ping, action: on-stripe, verify: { scheme: token, secret: S, query: key }, respond: { waitS: 25 } }
  - { key: open, action: on-stripe, verify: { scheme: none } }
`)
    if (!result.ok) throw new Error(JSON.stringify(result.faults))
    expect(result.manifest.webhooks).toEqual([
      {
        key: 'stripe',
        action: 'on-stripe',
        verify: { scheme: 'stripe', secret: ['STRIPE_WEBHOOK_SECRET'] },
        dedupe: { body: 'id' },
      },
      {
        key: 'gh',
        flow: 'on-payment',
        verify: { scheme: 'github', secret: ['A', 'B'] },
        dedupe: { header: 'x-github-delivery' },
      },
      {
        key: 'shopify',
        action: 'on-stripe',
        verify: {
          scheme: 'hmac',
          secret: ['S'],
          header: 'X-Shopify-Hmac-Sha256',
          algorithm: 'sha256',
          encoding: 'base64',
        },
      },
      {
        key: 'ping',
        action: 'on-stripe',
        verify: { scheme: 'token', secret: ['S'], query: 'key' },
        respond: { waitS: 25 },
      },
      { key: 'open', action: 'on-stripe', verify: { scheme: 'none' } },
    ])
    // what is stored is read by the same schema
    const stored: { webhooks: unknown[] } = JSON.parse(storedManifest(result.manifest))
    expect(stored.webhooks.map((each) => webhookSchema.parse(each))).toEqual(
      result.manifest.webhooks,
    )
  })

  it('leave the stored manifest of an app without them as it was', () => {
    const result = parsed('  []')
    if (!result.ok) throw new Error(JSON.stringify(result.faults))
    expect(Object.keys(JSON.parse(storedManifest(result.manifest)))).toEqual([
      'key',
      'name',
      'actions',
      'flows',
    ])
  })

  it.each([
    [
      '  - { key: Stripe, action: on-stripe, verify: { scheme: none } }',
      'app.yaml:7:7 webhooks[0].key: must have 1 to 63 characters a-z, 0-9 or -, and begin with a letter or digit.',
    ],
    [
      '  - { key: a, action: gone, verify: { scheme: none } }',
      'app.yaml:7:15 webhooks[0].action: there is no action "gone" in this app.',
    ],
    [
      '  - { key: a, flow: on-stripe, verify: { scheme: none } }',
      'app.yaml:7:15 webhooks[0].flow: there is no flow "on-stripe" in this app.',
    ],
    [
      '  - { key: a, action: on-stripe, flow: on-payment, verify: { scheme: none } }',
      'app.yaml:7:5 webhooks[0]: must name what it starts: either action or flow.',
    ],
    [
      '  - { key: a, verify: { scheme: none } }',
      'app.yaml:7:5 webhooks[0]: must name what it starts: either action or flow.',
    ],
    [
      '  - { key: a, action: on-stripe }',
      'app.yaml:7:5 webhooks[0].verify: is missing; it must have a scheme, one of stripe, github, slack, hmac, token, none.',
    ],
    [
      '  - { key: a, action: on-stripe, verify: { scheme: paypal, secret: S } }',
      'app.yaml:7:44 webhooks[0].verify.scheme: must have a scheme, one of stripe, github, slack, hmac, token, none.',
    ],
    [
      '  - { key: a, action: on-stripe, verify: { scheme: github } }',
      'app.yaml:7:34 webhooks[0].verify.secret: is missing; it must be the key of a workspace variable, or a list of such keys.',
    ],
    [
      '  - { key: a, action: on-stripe, verify: { scheme: none, secret: S } }',
      'app.yaml:7:58 webhooks[0].verify.secret: secret is not a field of a manifest. Remove it, or correct its spelling.',
    ],
    [
      '  - { key: a, action: on-stripe, verify: { scheme: token, secret: S } }',
      'app.yaml:7:34 webhooks[0].verify: must name where the token is: either header or query.',
    ],
    [
      '  - { key: a, action: on-stripe, verify: { scheme: none }, respond: { waitS: 26 } }',
      'app.yaml:7:71 webhooks[0].respond.waitS: must be at most 25.',
    ],
    [
      '  - { key: a, action: on-stripe, verify: { scheme: none } }\n  - { key: a, action: on-stripe, verify: { scheme: none } }',
      'app.yaml:8:7 webhooks[1].key: the key "a" occurs twice.',
    ],
  ])('with a fault is refused: %s', (webhooks, fault) => {
    expect(faultsOf(webhooks)).toEqual([fault])
  })

  it('lists an unknown action with the other faults of its row', () => {
    const faults = faultsOf('  - { key: A, action: gone, verify: { scheme: strip } }')
    expect(faults).toHaveLength(3)
    expect(faults).toContain(
      'app.yaml:7:15 webhooks[0].action: there is no action "gone" in this app.',
    )
  })
})
