import { expect, it } from 'vitest'
import { metreByWidth } from './metre-by-width.ts'

/** Width of a text in half widths. `placeOf` returns how far a text is from the width of the written one. */
const halves = (text: string): number =>
  [...text].reduce((sum, sign) => sum + (sign > '\u1100' ? 2 : 1), 0)
const placeOf = (written: string) => (text: string) => Math.abs(halves(written) - halves(text))

it.each([
  ['7870', '787㎡'],
  ['2212.10', '2212.1㎡'],
  ['지하2층 6670', '지하2층 667㎡'],
  ['3,96501', '3,965㎡'],
])('%s is too narrow for its place: %s', (read, written) => {
  expect(metreByWidth(read, placeOf(written))).toBe(written)
})

it.each(['7870', '1층 500', '100', '제2010', '3,965㎡', '1,010'])(
  '%s, as wide as its place, stays',
  (text) => {
    expect(metreByWidth(text, placeOf(text))).toBe(text)
  },
)

it('what misses its place by more is not corrected by one sign', () => {
  expect(metreByWidth('7870', () => 3)).toBe('7870')
})
