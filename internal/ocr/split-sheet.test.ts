import { expect, it } from 'vitest'
import type { Raster } from './raster.ts'
import { pagesOnSheet } from './split-sheet.ts'

/** White paper with dark columns, and rows from side to side. */
const sheetOf = (
  width: number,
  height: number,
  dark: Readonly<{ columns?: readonly number[]; rows?: readonly number[] }>,
): Raster => {
  const grey = new Uint8Array(width * height).fill(255)
  for (const x of dark.columns ?? []) for (let y = 0; y < height; y += 1) grey[y * width + x] = 0
  for (const y of dark.rows ?? []) grey.fill(0, y * width, (y + 1) * width)
  return { width, height, grey, red: grey.map((value) => 255 - value) }
}
const darkColumnsOf = ({ width, grey, red }: Raster): readonly number[] => {
  const columns = Array.from({ length: width }, (_, x) => x)
  return columns.filter((x) => grey[x] === 0 && red[x] === 255)
}

it('two pages side by side are two pages, left before right', () => {
  const [left, right, ...others] = pagesOnSheet(sheetOf(284, 200, { columns: [20, 250] }))
  if (left === undefined || right === undefined) throw new Error('one page')
  expect([left.width, left.height, right.width, right.height]).toEqual([142, 200, 142, 200])
  expect([darkColumnsOf(left), darkColumnsOf(right)]).toEqual([[20], [108]])
  expect(others).toEqual([])
})

it('one page is not split: upright, or with rules across its middle', () => {
  expect(pagesOnSheet(sheetOf(200, 284, { columns: [20] }))).toHaveLength(1)
  const rows = [20, 40, 60, 80, 100]
  expect(pagesOnSheet(sheetOf(284, 200, { rows }))).toHaveLength(1)
})

it('a speck in the middle does not count as text', () => {
  const sheet = sheetOf(284, 200, { columns: [20, 250] })
  sheet.grey[100 * 284 + 142] = 0
  expect(pagesOnSheet(sheet)).toHaveLength(2)
})
