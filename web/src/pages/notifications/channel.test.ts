import { expect, test } from 'vitest'
import { addressOf, type ChannelDraft, kindOf, toTarget } from './channel.ts'

const draft: ChannelDraft = { kind: 'webhook', address: ' https://a.example ', secret: '', on: [] }

test.each([
  [draft, { webhook: 'https://a.example' }],
  [
    { ...draft, secret: ' KEY ' },
    { webhook: 'https://a.example', secret: 'KEY' },
  ],
  [{ ...draft, kind: 'slack', secret: 'KEY' }, { slack: 'https://a.example' }],
  [{ ...draft, kind: 'email', address: 'a@b.example' }, { email: 'a@b.example' }],
] as const)('the draft %o becomes the target %o, of its kind', (given, target) => {
  expect(toTarget(given)).toEqual(target)
  expect(kindOf(target)).toBe(given.kind)
  expect(addressOf(target)).toBe(given.address.trim())
})
