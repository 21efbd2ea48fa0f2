import { expect, it } from 'vitest'
import { drawRaster } from '../../test/support/drawn-raster.ts'
import type { GreyImage, OcrEngine, ReadText } from './engine.ts'
import { findTurn, type Turn, turnRaster } from './find-turn.ts'

const UNIT = 1
/** Lines of equal letters, each with a foot at the left of its lower edge, from which their direction is seen. */
const page = drawRaster(
  { width: 595 * UNIT, height: 842 * UNIT },
  Array.from({ length: 6 }, (_, line) =>
    Array.from({ length: 8 }, (__, at) => {
      const [left, top] = [(60 + 12 * at) * UNIT, (60 + 120 * line) * UNIT]
      const size = { width: 8 * UNIT, height: 7 * UNIT }
      return [
        { left, top, ...size },
        { left, top: top + 7 * UNIT, width: 2 * UNIT, height: 3 * UNIT },
      ]
    }).flat(),
  ).flat(),
)

/** Whether the feet of the letters are below them: the lowest dark row has ink at the left of the first letter. */
const isUpright = ({ width, height, grey }: GreyImage): boolean => {
  const isDark = (x: number, y: number): boolean => (grey[y * width + x] ?? 255) < 128
  const rows = Array.from({ length: height }, (_, y) => y)
  const columns = Array.from({ length: width }, (_, x) => x)
  const lowest = rows.findLast((y) => columns.some((x) => isDark(x, y))) ?? 0
  const left = columns.find((x) => rows.some((y) => isDark(x, y))) ?? 0
  return width > height && isDark(left + 1, lowest - 1) && !isDark(left + 5 * UNIT, lowest - 1)
}

const engineOf = (upright: ReadText) => {
  let reads = 0
  const engine: OcrEngine = {
    read: (image) => {
      reads += 1
      return isUpright(image) ? upright : { text: '110 -ㅡ 24', confidence: 60 }
    },
  }
  return { engine, reads: () => reads }
}

const STORED: Readonly<Record<Turn, Turn>> = { 1: 1, 3: 3, 6: 8, 8: 6 }

it.each([1, 3, 6, 8] as const)(
  'a page is turned upright that is stored in direction %i',
  (turn) => {
    const { engine, reads } = engineOf({ text: '소유권이전', confidence: 90 })
    const found = findTurn(engine, turnRaster(page, STORED[turn]), 1)
    expect(found.turn).toBe(turn)
    const { width, height } = found.page.raster
    expect([width, height, found.page.unit]).toEqual([595 * UNIT, 842 * UNIT, width / 595.276])
    // few stretches are read, and of an upright page only enough to be sure
    expect(reads()).toBeLessThan(turn === 1 ? 4 : 50)
  },
)

it('the direction of the page before is tried first', () => {
  const { engine, reads } = engineOf({ text: '소유권이전', confidence: 90 })
  expect(findTurn(engine, turnRaster(page, STORED[8]), 8).turn).toBe(8)
  expect(reads()).toBe(3)
})

it('a page stays as it is if OCR is sure in no direction', () => {
  const { engine } = engineOf({ text: '소유권이전', confidence: 60 })
  expect(findTurn(engine, turnRaster(page, STORED[6]), 1).turn).toBe(1)
})

it('an empty page stays as it is, and nothing of it is read', () => {
  const { engine, reads } = engineOf({ text: '소유권이전', confidence: 90 })
  const empty = drawRaster({ width: 842, height: 595 }, [])
  expect([findTurn(engine, empty, 1).turn, reads()]).toEqual([1, 0])
})
