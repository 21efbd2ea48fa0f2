import { expect, it } from 'vitest'
import { drawRaster } from '../../test/support/drawn-raster.ts'
import { crop, darken, enlarge, narrow } from './crop.ts'

const raster = drawRaster({ width: 20, height: 10 }, [
  { left: 4, top: 3, width: 8, height: 4 },
  { left: 12, top: 3, width: 1, height: 4, grey: 128 },
])
const image = crop(raster, { left: 4, top: 3, right: 12, bottom: 6 }, 2)

it('a part has white around it', () => {
  expect([image.width, image.height]).toEqual([13, 8])
  expect([image.grey[0], image.grey[2 * 13 + 2], image.grey[2 * 13 + 10]]).toEqual([255, 0, 128])
})

it('is twice as large, with pixels between the others', () => {
  const large = enlarge(image)
  expect([large.width, large.height]).toEqual([26, 16])
  expect(large.grey[4 * 26 + 21]).toBe(191)
})

it('has stronger strokes where they were pale, and white stays white', () => {
  const dark = darken(image)
  expect([dark.grey[0], dark.grey[2 * 13 + 2]]).toEqual([255, 0])
  expect(dark.grey[2 * 13 + 10]).toBeLessThan(90)
})

it('is narrower, as high, and no lighter', () => {
  const other = narrow(image)
  expect([other.width, other.height]).toEqual([11, 8])
  const inkOf = ({ grey }: typeof image) => grey.reduce((sum, value) => sum + 255 - value, 0)
  expect(inkOf(other) / inkOf(image)).toBeCloseTo(0.88, 1)
})
