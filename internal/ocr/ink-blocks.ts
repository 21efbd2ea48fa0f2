/** Splits a stretch of text into signs, where white columns separate them. */
import type { Raster } from './raster.ts'
import type { Box } from './segments.ts'

/** Darker than where two signs touch. */
const DARK = 115

const isInkedRow = ({ width, grey }: Raster, { left, right }: Box, y: number): boolean => {
  for (let x = left; x <= right; x += 1) if ((grey[y * width + x] ?? 255) < DARK) return true
  return false
}

const isInkedColumn = ({ width, grey }: Raster, { top, bottom }: Box, x: number): boolean => {
  for (let y = top; y <= bottom; y += 1) if ((grey[y * width + x] ?? 255) < DARK) return true
  return false
}

/** Reduces a box to the height of its ink. */
const trimmed = (raster: Raster, box: Box): Box => {
  let { top, bottom } = box
  while (top < bottom && !isInkedRow(raster, box, top)) top += 1
  while (bottom > top && !isInkedRow(raster, box, bottom)) bottom -= 1
  return { ...box, top, bottom }
}

/** The blocks from left to right. */
export const blocksOf = (raster: Raster, box: Box): readonly Box[] => {
  const blocks: Box[] = []
  let left: number | null = null
  for (let x = box.left; x <= box.right + 1; x += 1) {
    if (x <= box.right && isInkedColumn(raster, box, x)) left ??= x
    else if (left !== null) {
      blocks.push(trimmed(raster, { ...box, left, right: x - 1 }))
      left = null
    }
  }
  return blocks
}
