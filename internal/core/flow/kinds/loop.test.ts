import { expect, it } from 'vitest'
import { forloop } from './forloop.ts'

const open = (items: number, input: string[]) =>
  forloop.open(
    { key: 'l', action: 'a', items: Array(items).fill({}), input, continueOnError: true },
    { input: null, results: new Map(), previous: null },
  )

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
