import { expect, it } from 'vitest'
import { drawRaster } from '../../test/support/drawn-raster.ts'
import { findSegments } from './segments.ts'

const SIZE = { width: 140, height: 60 }
const letters = (top: number, height: number) =>
  [10, 22, 34, 46, 58].flatMap((left) => [
    { left, top, width: 8, height: 1 },
    { left: left + 3, top, width: 2, height },
  ])

it('two lines that a comma of the upper one ties together are two stretches', () => {
  const comma = { left: 54, top: 16, width: 2, height: 5 }
  const raster = drawRaster(SIZE, [...letters(10, 9), comma, ...letters(21, 9)])
  expect(findSegments(raster, 1).texts.map(({ top, bottom }) => bottom - top < 13)).toEqual([
    true,
    true,
  ])
})

it('a heading as high as that is one', () => {
  const heading = [10, 40].flatMap((left) => [
    { left, top: 10, width: 18, height: 2 },
    { left, top: 10, width: 2, height: 19 },
    { left: left + 16, top: 10, width: 2, height: 19 },
    { left, top: 27, width: 18, height: 2 },
  ])
  expect(findSegments(drawRaster(SIZE, heading), 1).texts).toHaveLength(1)
})

it('the mark on top of a letter stays with it, however near the line above is', () => {
  const upper = letters(10, 9)
  const lower = letters(23, 8)
  const mark = { left: 48, top: 21, width: 4, height: 2 }
  const boxes = findSegments(drawRaster(SIZE, [...upper, mark, ...lower]), 1).texts
  expect(boxes.map(({ top, bottom }) => [top, bottom])).toEqual([
    [10, 18],
    [21, 30],
  ])
})
