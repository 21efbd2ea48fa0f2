import { expect, test } from 'vitest'
import { parseManifest } from './manifest.ts'
import { previewKeyOf, toPreview } from './preview.ts'

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
