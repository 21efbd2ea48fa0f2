import { expect, it } from 'vitest'
import { type Drawn, drawRaster } from '../../test/support/drawn-raster.ts'
import { isStrikeOrRule, withoutLetterStrokes } from './believed-lines.ts'

const SIZE = { width: 140, height: 60 }
const LINE = { left: 10, right: 119, y: 30, isRed: false }
const MEASURE = { thickness: 2, unit: 2.78 }
const isBelieved = (parts: readonly Drawn[]) =>
  isStrikeOrRule(drawRaster(SIZE, parts), LINE, MEASURE)

const line = { left: 10, top: 29, width: 110, height: 2 }
/** Stems of letters with gaps between them. */
const letters = [10, 36, 62, 88, 114].map((left) => ({ left, top: 18, width: 6, height: 24 }))
/** Stars: arms and legs, lower than letters. */
const stars = [10, 24, 38, 52, 66, 80, 94, 108].flatMap((left) => [
  { left, top: 29, width: 12, height: 2 },
  { left: left + 3, top: 25, width: 6, height: 11 },
])
/** Digits whose bowls end at one height. The row is dark except for the gaps between them. */
const bowls = [10, 24, 38, 52, 66, 80, 94, 108].flatMap((left) => [
  { left, top: 29, width: 12, height: 2 },
  { left: left + 9, top: 18, width: 3, height: 24 },
  { left, top: 18, width: 12, height: 2 },
])

it('a rule that nothing crosses, and a strike through letters, are believed', () => {
  expect(isBelieved([line])).toBe(true)
  expect(isBelieved([line, ...letters])).toBe(true)
})

it('a row of stars is not, nor digits with strokes at one height', () => {
  expect(isBelieved(stars)).toBe(false)
  expect(isBelieved(bowls)).toBe(false)
})

it('stars that are struck through with the text before them are', () => {
  expect(isBelieved([line, ...letters.slice(0, 3), ...stars.slice(10)])).toBe(true)
})

const strike = (y: number, left: number, right: number) => ({ left, right, y, isRed: false })

it('a short line stays where its line of text, or the next, has a long strike', () => {
  const [long, beside, below, far] = [
    strike(100, 0, 90),
    strike(100, 120, 140),
    strike(112, 0, 15),
    strike(180, 0, 15),
  ]
  expect(withoutLetterStrokes([long, beside, below, far], 1, 25)).toEqual([long, beside, below])
})

it('next to a rule of a table only, it is the stroke of a letter', () => {
  const rule = strike(100, 24, 574)
  expect(withoutLetterStrokes([rule, strike(104, 79, 91)], 1, 25)).toEqual([rule])
})
