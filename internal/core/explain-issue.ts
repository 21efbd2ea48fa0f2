/** Texts for faults that a schema reports without a message of its own. They are read after the name of the field. */
import type { z } from 'zod'

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
  datetime: 'a time as in RFC 3339, 2026-01-31T09:00:00Z',
  date: 'a date such as 2026-01-31',
  base64: 'text in base64',
}

const listed = (values: readonly unknown[]): string => values.map(String).join(', ')

const counted = (count: number | bigint, one: string): string =>
  `${count} ${one}${Number(count) === 1 ? '' : 's'}`

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' }

/** @param limit such as `at least` */
const sizeText = (origin: string, limit: string, size: number | bigint): string => {
  const unit = UNITS[origin]
  return unit === undefined
    ? `must be ${limit} ${size}`
    : `must have ${limit} ${counted(size, unit)}`
}

const sizeOf = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.code === 'too_small') {
    const { origin, minimum, inclusive } = issue
    if (origin === 'string' && minimum === 1) return 'must not be empty'
    return sizeText(origin, inclusive === false ? 'more than' : 'at least', minimum)
  }
  if (issue.code !== 'too_big') return
  return sizeText(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)
}

const formatOf = ({
  format,
  pattern,
}: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>) => {
  const known = FORMATS[format]
  if (known !== undefined) return `must be ${known}`
  return pattern === undefined ? 'is not valid' : `must match ${pattern}`
}

/** The error map of a schema: pass it to `safeParse`. A message of the schema itself takes precedence. */
export const explainIssue = (issue: z.core.$ZodRawIssue): string | undefined => {
  const size = sizeOf(issue)
  if (size !== undefined) return size
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing'
      return `must be ${TYPES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      if (issue.input === undefined) return 'is missing'
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${listed(issue.values)}`
    case 'invalid_format':
      return formatOf(issue)
    case 'invalid_union':
      if (issue.input === undefined) return 'is missing'
      return 'options' in issue && Array.isArray(issue.options)
        ? `must be one of ${listed(issue.options)}`
        : 'has none of the allowed forms'
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'custom':
      return 'is not valid'
    default:
      return
  }
}
