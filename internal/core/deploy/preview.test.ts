import { expect, test } from 'vitest'
import { parseManifest } from '../manifest/manifest.ts'
import { isTrialBranch, isTrialKey, previewKeyOf, toPreview, toTrial, trialOf } from './preview.ts'

test.each([
  ['shop', 'idea', 'shop--idea'],
  ['shop', 'Feature/New_Cart', 'shop--feature-new-cart'],
  ['shop', '결제', null],
  ['shop', `x${'-y'.repeat(60)}`, `shop--x${'-y'.repeat(28)}`],
  ['a'.repeat(63), 'idea', null],
  ['a'.repeat(60), 'idea', `${'a'.repeat(60)}--i`],
])('the preview of %s for branch %s is %s', (app, branch, key) => {
  expect(previewKeyOf(app, branch)).toBe(key)
})

const manifestOf = (more: string) => {
  const text = `key: shop
actions: [{ key: run, entrypoint: run.ts }]
schedules: [{ key: daily, cron: '0 9 * * *', action: run }]
webhooks: [{ key: in, action: run, verify: { scheme: none } }]
events: [{ name: order.paid, action: run }]
${more}`
  const read = parseManifest(text, 'app.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  return read.manifest
}

test('a preview starts nothing by itself', () => {
  const shown = toPreview(manifestOf(''), 'shop--idea')
  expect(shown).toMatchObject({ key: 'shop--idea', schedules: [], webhooks: [], events: [] })
  expect(shown.actions).toHaveLength(1)
})

test('a preview starts what the manifest asks for', () => {
  const shown = toPreview(manifestOf('previews: { schedules: true, events: true }'), 'shop--idea')
  expect(shown.schedules).toHaveLength(1)
  expect(shown.events).toHaveLength(1)
  expect(shown.webhooks).toEqual([])
})

test('a trial starts nothing by itself, whatever the manifest asks for', () => {
  const manifest = manifestOf('previews: { schedules: true, webhooks: true, events: true }')
  const trial = toTrial(manifest, 'shop--try-0123abcd')
  expect(trial).toMatchObject({ schedules: [], webhooks: [], events: [] })
  expect(trial.name).toMatch(/ \(trial\)$/)
  expect(trial.actions).toHaveLength(1)
})

test('a trial has a key of its own, which fits and is recognized', () => {
  const of = (app: string) => trialOf(app, { person: 'ada@example.com', hash: '0123abcd4567' })
  expect(of('shop')).toEqual({ key: 'shop--try-0123abcd', branch: 'draft:ada@example.com' })
  expect(of('x'.repeat(63)).key).toHaveLength(63)
  expect(isTrialKey(of('x'.repeat(63)).key)).toBe(true)
  expect(isTrialKey('shop--try-it')).toBe(false)
  expect([of('shop').branch, 'idea', null].map(isTrialBranch)).toEqual([true, false, false])
})
