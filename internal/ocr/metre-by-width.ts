/**
 * Restores ㎡ that was read as the digit 0, or as 01, because its stems ran
 * together. The print has a fixed pitch, in which ㎡ is as wide as two digits.
 */

/** Half widths: certain that a character is missing, and certain that none is. */
const ONE_MISSING = [0.55, 1.45] as const
const FITS = 0.45
const ENDS_IN_ZERO = /\d0$/
/** Three digits follow a comma, but never a fourth. */
const BROKEN_GROUP = /(,\d{3})01$/

/** @param missOf by how many half widths a text misses the place that it was read from */
export const metreByWidth = (text: string, missOf: (text: string) => number): string => {
  const trimmed = text.trimEnd()
  if (BROKEN_GROUP.test(trimmed)) return trimmed.replace(BROKEN_GROUP, '$1㎡')
  if (!ENDS_IN_ZERO.test(trimmed)) return text
  const [least, most] = ONE_MISSING
  const miss = missOf(trimmed)
  const other = `${trimmed.slice(0, -1)}㎡`
  return miss >= least && miss <= most && missOf(other) <= FITS ? other : text
}
