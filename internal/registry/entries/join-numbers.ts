/** Joins registration numbers that were broken at the end of a line. Some printers break at a hyphen, some anywhere. */
import { findRegistrationNumber } from '../fields/number.ts'
import type { FieldLine } from './field-line.ts'

/** The beginning of a number at the end of a line, and its rest at the start of the next. */
const BEGUN = /(\d{6}-?[\d*]{0,6}|\d{4,5})$/
const REST = /^-?[\d*]+(-[\d*]+)?(?=\s|$)/

/** The rest of the number that the previous line began, or null. */
const restOf = (before: FieldLine, line: FieldLine): string | null => {
  if (line.meaning !== null) return null
  const begun = BEGUN.exec(before.values.at(-1)?.text ?? '')?.[0]
  const rest = REST.exec(line.values[0]?.text ?? '')?.[0]
  if (begun === undefined || rest === undefined) return null
  if (findRegistrationNumber(begun) !== null || findRegistrationNumber(rest) !== null) return null
  const whole = `${begun}${rest}`
  return findRegistrationNumber(whole) === whole ? rest : null
}

const withRest = (line: FieldLine, rest: string): FieldLine => {
  const last = line.values.length - 1
  const values = line.values.map((value, at) =>
    at === last ? { ...value, text: `${value.text}${rest}` } : value,
  )
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

/** Returns the lines with each broken number whole, on the line where it begins. */
export const joinNumbers = (lines: readonly FieldLine[]): readonly FieldLine[] => {
  const joined: FieldLine[] = []
  for (const line of lines) {
    const before = joined.at(-1)
    const rest = before === undefined ? null : restOf(before, line)
    if (before === undefined || rest === null) {
      joined.push(line)
      continue
    }
    joined[joined.length - 1] = withRest(before, rest)
    const other = withoutRest(line, rest)
    if (other.values.length > 0) joined.push(other)
  }
  return joined
}
