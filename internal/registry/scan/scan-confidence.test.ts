import { expect, it } from 'vitest'
import { scanConfidence } from './scan-confidence.ts'

const DOUBTS = [0, 0.01, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.4, 0.8, 1]

it('falls as more letters are doubted, from all to nothing', () => {
  const stated = DOUBTS.map((doubt) => scanConfidence(100, doubt))
  expect(stated).toEqual(stated.toSorted((one, other) => other - one))
  expect(stated[0]).toBe(100)
  expect(stated.at(-1)).toBe(0)
})

it('falls with the doubts of the parser, which weigh less', () => {
  expect(scanConfidence(50, 0.05)).toBeLessThan(scanConfidence(100, 0.05))
  expect(scanConfidence(0, 0)).toBe(70)
})

it.each([
  [0.02, 99],
  [0.07, 96],
  [0.14, 87],
  [0.2, 66],
])('of a scan with %d of its letters doubted it states %d, as was measured', (doubt, right) => {
  expect(Math.round(scanConfidence(100, doubt))).toBe(right)
})
