/**
 * Finds numbers that are larger than a double holds, such as 1e999. `JSON.parse` reads them as infinite, and an infinite number
 * is written as null.
 */
import { QUOTE } from './characters.ts'
import { endOfString } from './marks.ts'

/** A shorter number without an exponent is finite. */
const MOST_DIGITS = 308
const LETTER_E = 0x65
/** Sets the bit by which upper and lower case differ. */
const LOWER_CASE = 0x20

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

const isSignOrPoint = (code: number): boolean => code === 0x2b || code === 0x2d || code === 0x2e

/** Returns the position behind a number; -1 if it is too large. @param start at its first digit */
export const endOfNumber = (text: string, start: number): number => {
  let at = start
  let hasExponent = false
  for (;;) {
    const code = text.charCodeAt(at)
    if ((code | LOWER_CASE) === LETTER_E) hasExponent = true
    else if (!isDigit(code) && !isSignOrPoint(code)) break
    at += 1
  }
  if (!hasExponent && at - start <= MOST_DIGITS) return at
  return Number(text.slice(start, at)) === Number.POSITIVE_INFINITY ? -1 : at
}

/** Whether a number in `text` is too large. Reads the text once, without parsing it. */
export const hasInfiniteNumber = (text: string): boolean => {
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at + 1)
    else if (isDigit(code)) at = endOfNumber(text, at)
    else at += 1
    if (at < 0) return true
  }
  return false
}
