/** Recognises signs by their outlines that certificates contain but the Korean data does not. */
import { MOVE, NUMBERS } from '#pdf/path-data.ts'
import type { Outline } from '#pdf/read-glyphs.ts'

type Bounds = { left: number; right: number; bottom: number; top: number }

/** The box of each contour, in font sizes from the glyph's start and its baseline. */
const contoursOf = (outline: Outline): readonly Bounds[] => {
  const boxes: Bounds[] = []
  for (let at = 0; at < outline.length; ) {
    const word = outline[at] ?? 0
    const count = NUMBERS[word] ?? 0
    if (word === MOVE)
      boxes.push({ left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity })
    const box = boxes.at(-1)
    for (let index = at + 1; box !== undefined && index < at + count; index += 2) {
      const [x, y] = [outline[index] ?? 0, outline[index + 1] ?? 0]
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.bottom = Math.min(box.bottom, y)
      box.top = Math.max(box.top, y)
    }
    at += count + 1
  }
  return boxes.filter(({ left }) => left < Infinity)
}

const around = (boxes: readonly Bounds[]): Bounds => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  right: Math.max(...boxes.map(({ right }) => right)),
  bottom: Math.min(...boxes.map(({ bottom }) => bottom)),
  top: Math.max(...boxes.map(({ top }) => top)),
})

/** Whether the glyph is a star: a small cross above the middle of the digits. */
const isStar = (boxes: readonly Bounds[]): boolean => {
  const { left, right, bottom, top } = around(boxes)
  const [width, height] = [right - left, top - bottom]
  const isSmall = width > 0.18 && width < 0.55 && height > 0.18 && height < 0.5
  return isSmall && Math.abs(width - height) < 0.15 && bottom > 0.15 && boxes.length === 1
}

/** Whether the glyph is ㎡: an m on the baseline, and a small digit above its right end. */
const isSquareMetre = (boxes: readonly Bounds[], width: number): boolean => {
  const [first, second] = boxes.toSorted((a, b) => a.left - b.left)
  if (boxes.length !== 2 || width < 0.6 || first === undefined || second === undefined) return false
  const isLow = first.bottom > -0.06 && first.bottom < 0.12 && first.top < 0.68
  return isLow && second.bottom > 0.3 && second.left > (first.left + first.right) / 2
}

/** The black brackets of headings, which fill one side of their place. */
const bracketOf = (boxes: readonly Bounds[], width: number): string | null => {
  const { left, right, bottom, top } = around(boxes)
  const isBracket = width > 0.75 && boxes.length === 1 && top - bottom > 0.8 && right - left < 0.55
  if (!isBracket) return null
  if (left > width * 0.45) return '【'
  return right < width * 0.55 ? '】' : null
}

/** @param width of the glyph's place, in font sizes @returns null if OCR has to read it */
export const signOf = (outline: Outline, width: number): string | null => {
  const boxes = contoursOf(outline)
  if (boxes.length === 0) return null
  if (isStar(boxes)) return '*'
  return isSquareMetre(boxes, width) ? '㎡' : bracketOf(boxes, width)
}
