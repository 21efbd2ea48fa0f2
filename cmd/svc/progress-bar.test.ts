import { expect, test } from 'vitest'
import { barText } from './progress-bar.ts'

test.each([
  [0, 10, `[${' '.repeat(30)}]  0/10`],
  [500, 1_000, `[${'#'.repeat(15)}${' '.repeat(15)}]  500/1,000`],
  [12, 10, `[${'#'.repeat(30)}]  12/10`],
  [0, 0, `[${'#'.repeat(30)}]  0/0`],
])('%i of %i', (done, total, text) => {
  expect(barText(done, total)).toBe(text)
})
