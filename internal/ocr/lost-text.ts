/**
 * Finds text that OCR saw and did not read. It would otherwise be missing from the result without any sign of it: the engine
 * returns no text of a stretch that a watermark of black dots crosses, and such dots join lines to something too tall for text.
 */
import { NUMBERS_LEFT, NUMBERS_RIGHT } from '#registry/scan/correct-page.ts'
import type { Line } from './red-strikes.ts'
import type { Box } from './segments.ts'

/** Points. */
const LEAST_HEIGHT = 5
/** Points: two digits. A smaller stretch is dust, except in the column of numbers, where a digit begins an entry. */
const LEAST_WIDTH = 10
/** Points. Only rules of a table are as long. */
const LONG_RULE = 400
/** Points: the mean of a letter's width in the print, and the distance of its lines. */
const [LETTER, LINE] = [7, 13] as const

export type LostText = Readonly<{ boxes: readonly Box[]; letters: number }>

type Seen = Readonly<{ unread: readonly Box[]; large: readonly Box[] }>
type Page = Readonly<{ lines: readonly Line[]; unit: number }>

const lettersIn = ({ left, top, right, bottom }: Box, unit: number): number =>
  Math.max(1, Math.round((right - left) / unit / LETTER)) *
  Math.max(1, Math.round((bottom - top) / unit / LINE))

/**
 * What was not read inside tables; around them are bar codes and seals.
 * @param seen stretches that the engine did not read, and things too tall for text @returns with an estimate of the letters
 */
export const findLostText = ({ unread, large }: Seen, { lines, unit }: Page): LostText => {
  const rules = lines.filter(({ left, right }) => right - left > LONG_RULE * unit).map(({ y }) => y)
  const [first, last] = [Math.min(...rules), Math.max(...rules)]
  const isLikeText = ({ left, top, right, bottom }: Box): boolean => {
    const isNumber = left >= NUMBERS_LEFT * unit && right <= NUMBERS_RIGHT * unit
    return bottom - top >= LEAST_HEIGHT * unit && (isNumber || right - left >= LEAST_WIDTH * unit)
  }
  const boxes = [...unread.filter(isLikeText), ...large].filter(
    ({ top, bottom }) => bottom > first && top < last,
  )
  return { boxes, letters: boxes.reduce((sum, box) => sum + lettersIn(box, unit), 0) }
}
