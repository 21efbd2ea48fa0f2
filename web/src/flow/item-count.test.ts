import { expect, test } from 'vitest'
import type { Json } from '#sdk/mod.ts'
import { readDefinition } from './definition.ts'
import { itemCount } from './item-count.ts'

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */

const DATA = {
  input: { orders: [1, 2] },
  results: new Map<string, Json>([['look', { 'my lines': [{ parts: [1, 2, 3] }], none: null }]]),
}

const countOf = (items: Json): number | null => {
  const [step] = readDefinition({
    steps: [{ key: 'a', kind: 'forloop', items, action: 'b' }],
  }).steps
  if (step === undefined) throw new Error('There is no step.')
  return itemCount(step, DATA)
}

test('a list counts itself, and a reference what it leads to', () => {
  expect(countOf([1, 2, 3, 4])).toBe(4)
  expect(countOf('${input.orders}')).toBe(2)
  expect(countOf('${results.look["my lines"][0].parts}')).toBe(3)
})

test('a value that is missing or not a list has no count', () => {
  expect(countOf('${results.later.lines}')).toBeNull()
  expect(countOf('${results.look.none}')).toBeNull()
  expect(countOf('${results.look.toString}')).toBeNull()
  expect(countOf('no reference')).toBeNull()
})

/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
