import { expect, test } from 'vitest'
import { leastCpuMs } from '../../../../test/support/cpu-time.ts'
import { resolveShown, shownTemplates, toShown } from './shown.ts'

const data = {
  input: { order: 'o-1', amount: 12, lines: [{ sku: 'a' }], long: 'x'.repeat(20_000) },
  results: new Map([['plan', { total: 30 }]]),
}
const ref = (path: string): string => `\${${path}}`

test('title and description are texts, values keep their types, labels are paths', () => {
  const settings = {
    title: `Refund ${ref('input.order')}`,
    description: ref('input.amount'),
    show: [
      ref('input.amount'),
      ref('results.plan.total'),
      { label: 'Lines', value: ref('input.lines') },
      { label: 'In words', value: `${ref('input.amount')} won` },
    ],
  }
  const { value, error } = resolveShown(settings, data)
  expect(error).toBeNull()
  expect(toShown(value)).toEqual({
    title: 'Refund o-1',
    description: '12',
    show: [
      { label: 'amount', value: 12 },
      { label: 'plan.total', value: 30 },
      { label: 'Lines', value: [{ sku: 'a' }] },
      { label: 'In words', value: '12 won' },
    ],
  })
  expect(shownTemplates(settings)).toHaveLength(6)
})

test('a step without settings shows nothing', () => {
  expect(resolveShown({}, data)).toEqual({ value: null, error: null })
  expect(toShown(null)).toEqual({ title: null, description: null, show: [] })
})

test('a reference that leads nowhere is an error', () => {
  expect(resolveShown({ title: ref('results.gone.x') }, data).error).not.toBeNull()
})

test('texts are cut and large values are replaced', () => {
  const { value } = resolveShown({ title: ref('input.long'), show: [ref('input.long')] }, data)
  const shown = toShown(value)
  expect(shown.title).toHaveLength(200)
  expect(shown.show).toEqual([
    { label: 'long', value: 'Too large to be shown here: open the run.' },
  ])
})

test('a label is found at once, however many blanks a reference has', () => {
  const blanks = ' '.repeat(5_000)
  const resolve = () =>
    resolveShown(
      { show: [`\${${blanks}input.amount}`, `\${${blanks}input.amount} won`] },
      { input: { amount: 5 }, results: new Map() },
    )
  expect(leastCpuMs(50, resolve)).toBeLessThan(50)
  expect(resolve().value).toMatchObject({
    show: [{ label: 'amount' }, { label: `\${${blanks}input.amount} won` }],
  })
})
