/** A number in a query: decimal digits only, because `Number` also reads `1e1`, `0x10` and an empty text. */
import { z } from './z.ts'

const DIGITS = /^-?\d+$/

/** @param min the smallest number, included, as `max` is */
export const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z.preprocess(
    (text) => (typeof text === 'string' && DIGITS.test(text) ? Number(text) : text),
    z.int({ error }).min(min, { error }).max(max, { error }),
  )
}
