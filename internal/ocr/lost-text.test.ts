import { expect, it } from 'vitest'
import { drawRaster } from '../../test/support/drawn-raster.ts'
import { cleanPage } from './clean-page.ts'
import type { OcrEngine } from './engine.ts'
import { findLostText } from './lost-text.ts'
import { recognisePage } from './recognise-page.ts'

const rule = (y: number) => ({ left: 24, right: 574, y, isRed: false })
const page = { unit: 1, lines: [rule(100), rule(300)] }
const box = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})

it.each([
  ['a stretch as broad as a name', [box(350, 150, 30, 9)], [], 4],
  ['a digit in the column of numbers', [box(47, 150, 4, 7)], [], 1],
  ['two lines that a watermark joins', [], [box(200, 150, 70, 26)], 20],
  ['a digit in another column', [box(350, 150, 4, 7)], [], 0],
  ['dust', [box(47, 150, 4, 2), box(350, 150, 30, 2)], [], 0],
  ['a bar code above the tables', [], [box(500, 20, 60, 60)], 0],
  ['a note below the tables', [box(24, 310, 90, 9)], [], 0],
])('estimates the letters of %s', (_, unread, large, letters) => {
  expect(findLostText({ unread, large }, page).letters).toBe(letters)
})

it('finds nothing on a page without tables', () => {
  const seen = { unread: [box(350, 150, 30, 9)], large: [] }
  expect(findLostText(seen, { unit: 1, lines: [] }).boxes).toEqual([])
})

it('finds text that the engine does not read, and doubts its letters', () => {
  const engine: OcrEngine = { read: () => ({ text: '', confidence: 0 }) }
  const unit = 3
  const [long, thick] = [550 * unit, 3]
  const letters = Array.from({ length: 8 }, (_, at) => ({
    left: 300 * unit + at * 10 * unit,
    top: 200 * unit,
    width: 8 * unit,
    height: 9 * unit,
  }))
  const raster = drawRaster({ width: 1_786, height: 1_500 }, [
    { left: 24 * unit, top: 100 * unit, width: long, height: thick },
    { left: 24 * unit, top: 400 * unit, width: long, height: thick },
    ...letters,
  ])
  const read = recognisePage(engine, cleanPage(raster), { number: 1, accuracy: 'standard' })
  expect(read.content.notRead).toHaveLength(1)
  expect(read.letters.doubtful).toBe(read.letters.count)
  expect(read.letters.count).toBeGreaterThan(7)
})
