import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { pngFile } from '../support/png-file.ts'
import { differenceOf, readGrid, toGrid } from './look-grid.ts'

const WIDTH = 160
const HEIGHT = 84

const paint = (brightnessAt: (x: number, y: number) => number): Buffer => {
  const picture = new PNG({ width: WIDTH, height: HEIGHT })
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      picture.data.fill(brightnessAt(x, y), (y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 3)
      picture.data[(y * WIDTH + x) * 4 + 3] = 255
    }
  }
  return PNG.sync.write(picture)
}

/** A page with a dark column at the left, and text in its rows. */
const page = (columnWidth: number, phase: number): Buffer =>
  paint((x, y) => (x < columnWidth ? 30 : y % 20 < 10 && (x + phase) % 4 < 2 ? 120 : 250))

test('a grid is the same after it was written and read', () => {
  const grid = toGrid(page(40, 0))
  expect([grid.width, grid.height]).toEqual([20, 11])
  expect(readGrid(pngFile(grid))).toEqual(grid)
  expect(differenceOf(grid, readGrid(pngFile(grid)))).toBe(0)
})

test('other letters are no difference, a column of another width is', () => {
  const before = toGrid(page(40, 0))
  expect(differenceOf(before, toGrid(page(40, 3)))).toBe(0)
  expect(differenceOf(before, toGrid(page(80, 0)))).toBeGreaterThan(0.2)
  expect(differenceOf(before, { ...before, width: 11, height: 20 })).toBe(1)
})
