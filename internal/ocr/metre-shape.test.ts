import { expect, it } from 'vitest'
import { type Drawn, drawRaster } from '../../test/support/drawn-raster.ts'
import { findMetres } from './metre-shape.ts'

/** Pixels per point at 200 DPI. */
const UNIT = 2.78
const SIZE = { width: 90, height: 40 }
const BOX = { left: 5, top: 5, right: 80, bottom: 32 }

/** An m of three stems under an arc, pale as in a straightened image, and a small 2 above its right half. */
const metre = (left: number, grey: number): readonly Drawn[] => [
  ...[0, 8, 16].map((at) => ({ left: left + at, top: 17, width: 2, height: 16, grey })),
  { left, top: 16, width: 18, height: 2, grey },
  { left: left + 13, top: 8, width: 5, height: 5, grey: 150 },
]
/** A zero, as high as a digit, with strokes on both sides. */
const zero = (left: number): readonly Drawn[] => [
  { left, top: 11, width: 2, height: 22 },
  { left: left + 9, top: 11, width: 2, height: 22 },
  { left, top: 11, width: 11, height: 2 },
  { left, top: 31, width: 11, height: 2 },
]

it.each([0, 130])('three low stems with something small above are ㎡, as pale as %i', (grey) => {
  const raster = drawRaster(SIZE, [...zero(10), ...zero(24), ...metre(40, grey)])
  const [place, ...rest] = findMetres(raster, BOX, UNIT)
  expect(rest).toEqual([])
  expect(place?.left).toBeGreaterThanOrEqual(36)
  expect(place?.left).toBeLessThanOrEqual(41)
  expect(place?.right).toBeGreaterThanOrEqual(57)
})

it('adjacent digits are none, although three of their strokes have even distances', () => {
  const stems = [8, 16].map((at) => ({ left: 30 + at, top: 17, width: 2, height: 16 }))
  expect(findMetres(drawRaster(SIZE, [...zero(21), ...stems]), BOX, UNIT)).toEqual([])
  const two = drawRaster(SIZE, [...zero(20), ...zero(34), ...zero(48)])
  expect(findMetres(two, BOX, UNIT)).toEqual([])
})

it('behind a blank there is none: a letter such as 바 looks alike', () => {
  const raster = drawRaster(SIZE, [...zero(10), ...metre(40, 0)])
  expect(findMetres(raster, BOX, UNIT)).toEqual([])
})

it('an m with nothing above it is none, nor one as high as a digit', () => {
  const [left, middle, right, arc, two] = metre(40, 0)
  const bare = [left, middle, right, arc].filter((part) => part !== undefined)
  expect(findMetres(drawRaster(SIZE, [...zero(24), ...bare]), BOX, UNIT)).toEqual([])
  const tall = bare.map((part) => ({ ...part, top: part.top - 6, height: part.height + 6 }))
  const above = two === undefined ? [] : [{ ...two, top: 2, height: 4 }]
  expect(findMetres(drawRaster(SIZE, [...zero(24), ...tall, ...above]), BOX, UNIT)).toEqual([])
})
