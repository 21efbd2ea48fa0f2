/** Finds signs that the Korean data lacks and the engine would read as digits and letters: ㎡, and the stars that mask a number. */
import { blocksOf } from './ink-blocks.ts'
import { findMetres } from './metre-shape.ts'
import type { Raster } from './raster.ts'
import type { Box } from './segments.ts'

export type SpecialSign = Readonly<{ text: string; left: number; right: number }>

/** Points, for text of 10 points. */
const HALF_WIDTH = 5
/** Points. A star is about half as high as a digit. */
const LOWEST_STAR = 2
const HIGHEST_STAR = 5.4
const FEWEST_STARS = 3

const isStar = ({ left, right, top, bottom }: Box, unit: number): boolean => {
  const [breadth, height] = [(right - left + 1) / unit, (bottom - top + 1) / unit]
  return (
    height >= LOWEST_STAR &&
    height <= HIGHEST_STAR &&
    breadth >= LOWEST_STAR &&
    Math.abs(breadth - height) < 2
  )
}

/** Finds stars, which come in rows of six and seven. Their number follows from their pitch. */
const starsOf = (blocks: readonly Box[], unit: number): readonly SpecialSign[] => {
  const found: SpecialSign[] = []
  let row: Box[] = []
  const end = (): void => {
    const [first, last] = [row[0], row.at(-1)]
    if (row.length >= FEWEST_STARS && first !== undefined && last !== undefined) {
      const count = Math.round((last.right - first.left) / unit / HALF_WIDTH + 0.2)
      found.push({ text: '*'.repeat(count), left: first.left, right: last.right })
    }
    row = []
  }
  for (const block of blocks) {
    const last = row.at(-1)
    if (last !== undefined && block.left - last.right > HALF_WIDTH * 1.6 * unit) end()
    if (isStar(block, unit)) row.push(block)
    else end()
  }
  end()
  return found
}

/** Finds candidates for such a sign in a stretch of text, from left to right. The text before one decides whether it is real. */
export const findSpecialSigns = (
  raster: Raster,
  box: Box,
  unit: number,
): readonly SpecialSign[] => {
  const metres = findMetres(raster, box, unit).map((place) => ({ text: '㎡', ...place }))
  const stars = starsOf(blocksOf(raster, box), unit)
  return [...metres, ...stars].toSorted((one, other) => one.left - other.left)
}

/** Whether a sign fits the text before it: ㎡ follows a number, and stars follow the first part of one. */
export const isBelieved = ({ text }: SpecialSign, before: string): boolean =>
  text === '㎡' ? /\d[.,]?$/.test(before) : /\d[-–—]?\s*\d?$/.test(before)
