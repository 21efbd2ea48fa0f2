/** Joins numbers and shares that were broken at the end of a line. Some printers break at a hyphen or blank, some anywhere. */
import { findRegistrationNumber } from '../fields/number.ts'
import { isShareText, readShare } from '../fields/share.ts'
import type { FieldLine } from './field-line.ts'

/** A value that a line may break: its beginning at the end of the line, and its rest at the start of the next one. */
type Breakable = Readonly<{
  begun: RegExp
  rest: RegExp
  isWhole: (text: string) => boolean
}>

const isNumber = (text: string): boolean => findRegistrationNumber(text) === text
const isShare = (text: string): boolean => isShareText(text) && readShare(text) !== null

const BREAKABLE: readonly Breakable[] = [
  {
    begun: /(?:\d{6}-?[\d*]{0,6}|\d{4,5})$/,
    rest: /^-?[\d*]+(?:-[\d*]+)?(?=\s|$)/,
    isWhole: isNumber,
  },
  { begun: /\([지持]\s?[분分][^()]{0,40}$/, rest: /^[^()]{0,40}\)/, isWhole: isShare },
  {
    begun: /[지持]\s?[분分][\s:각\d.,]*[분分]?$/,
    rest: /^[분分]?[의지之]?\s?[\d.,]+(?=\s|$)/,
    isWhole: isShare,
  },
  {
    begun: /[지持]\s?[분分][\s:각\d.,]*[분分][의지之]$/,
    rest: /^[\d.,]+(?=\s|$)/,
    isWhole: isShare,
  },
]

/** The blank between the parts of a share, which was broken at it. */
const joint = (begun: string, end: string): string =>
  /[의지之분分]$/.test(begun) && /^\d/.test(end) ? ' ' : ''

/** The free space at the right of a line, in font sizes, in which no further digit fits, whatever the inset of the column. */
const ROOM_OF_DIGIT = 1.8

/** A share that is whole, whose last number may go on below it because the line was full. */
const WHOLE_SHARE = /[지持]\s?[분分][\s:각]*[\d.,]+[분分][의지之]\s?[\d.,]+$/

/** The rest of a share that was broken within its last number. The share stays at most the whole. */
const restOfShare = (before: FieldLine, last: string, first: string): string | null => {
  const end = /^\d+(?=\s|$)/.exec(first)?.[0]
  const begin = WHOLE_SHARE.exec(last)?.[0]
  if (begin === undefined || end === undefined || before.room >= ROOM_OF_DIGIT) return null
  const { numerator = null, denominator = null } = readShare(`${begin}${end}`) ?? {}
  return numerator !== null && denominator !== null && numerator <= denominator ? end : null
}

type Join = Readonly<{ rest: string; whole: string }>

/** The rest of the value that the previous line began, or null. */
const joinOf = (before: FieldLine, line: FieldLine): Join | null => {
  if (line.meaning !== null) return null
  const last = before.values.at(-1)?.text ?? ''
  const first = line.values[0]?.text ?? ''
  for (const { begun, rest, isWhole } of BREAKABLE) {
    const begin = begun.exec(last)?.[0]
    const end = rest.exec(first)?.[0]
    if (begin === undefined || end === undefined) continue
    if (isWhole(begin) || isNumber(end)) continue
    const added = `${joint(begin, end)}${end}`
    if (isWhole(`${begin}${added}`)) return { rest: end, whole: `${last}${added}` }
  }
  const end = restOfShare(before, last, first)
  return end === null ? null : { rest: end, whole: `${last}${end}` }
}

const withRest = (line: FieldLine, whole: string): FieldLine => {
  const last = line.values.length - 1
  const values = line.values.map((value, at) => (at === last ? { ...value, text: whole } : value))
  return { ...line, values }
}

const withoutRest = (line: FieldLine, rest: string): FieldLine => {
  const [first, ...others] = line.values
  const text = (first?.text ?? '').slice(rest.length).trim()
  return {
    ...line,
    values: first === undefined || text === '' ? others : [{ ...first, text }, ...others],
  }
}

/** Returns the lines with each broken value whole, on the line where it begins. */
export const joinBroken = (lines: readonly FieldLine[]): readonly FieldLine[] => {
  const joined: FieldLine[] = []
  for (const line of lines) {
    const before = joined.at(-1)
    const join = before === undefined ? null : joinOf(before, line)
    if (before === undefined || join === null) {
      joined.push(line)
      continue
    }
    joined[joined.length - 1] = withRest(before, join.whole)
    const other = withoutRest(line, join.rest)
    if (other.values.length > 0) joined.push(other)
  }
  return joined
}
