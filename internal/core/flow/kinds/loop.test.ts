import { expect, it } from 'vitest'
import { forloop } from './forloop.ts'
import type { Opening } from './step-kind.ts'

/** Returns what each part of the opening returned. */
const openInParts = (items: number, input: string[]): readonly Opening[] => {
  const step = { key: 'l', action: 'a', items: Array(items).fill({}), input, continueOnError: true }
  const parts = [forloop.open(step, { input: null, results: new Map(), previous: null })]
  for (let last = parts.at(-1); last?.kind === 'unfinished'; last = parts.at(-1)) {
    parts.push(last.next())
  }
  return parts
}

const open = (items: number, input: string[]) => openInParts(items, input).at(-1)

it('counts items that have no input by the size of their template', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
  const template = (length: number) => ['x'.repeat(length), '${item.gone}']
  expect(open(100, template(100_000))).toMatchObject({ kind: 'slots', slots: { length: 100 } })
  expect(open(10_000, template(1_000))).toMatchObject({
    kind: 'slots',
    slots: { length: 10_000, 9999: { fault: { name: 'MissingReference' } } },
  })
  expect(open(10_000, template(100_000))).toMatchObject({
    kind: 'fail',
    error: { name: 'FlowDataTooLarge' },
  })
})

it('makes many or large inputs in parts', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
  const index = '${index}'
  expect(openInParts(2, Array(9_000).fill(index))).toHaveLength(1)
  expect(openInParts(200, Array(9_000).fill(index)).length).toBeGreaterThan(50)
  expect(openInParts(100, [index, 'x'.repeat(100_000)]).length).toBeGreaterThan(50)
  expect(open(200, Array(9_000).fill(index))).toMatchObject({
    slots: { length: 200, 199: { input: { length: 9_000, 8999: 199 } } },
  })
})
