/** Reads the query of a page's address. Invalid values are ignored. Pure. */
import { HOUR_MS, MINUTE_MS } from '../language/units.ts'

type Defined<Values> = { readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> }

/** Removes undefined values, so that the address does not contain them. */
export const defined = <Values extends Readonly<Record<string, unknown>>>(values: Values) =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Defined<Values>

export const oneOf = <Value extends string>(
  values: readonly Value[],
  given: unknown,
): Value | undefined => values.find((value) => value === given)

const MAX_LENGTH = 200

/** @returns undefined for an empty text */
export const textParam = (given: unknown, maxLength = MAX_LENGTH): string | undefined =>
  typeof given === 'string' && given !== '' ? given.slice(0, maxLength) : undefined

/** A switch: true as a link of the console gives it, or `true` in an address; undefined for anything else. */
export const flagParam = (given: unknown): true | undefined =>
  given === true || given === 'true' ? true : undefined

const MAX_LINE = 1_000_000

/** A line of a file, from 1; undefined for anything else. A link of the console gives a number, and an address a text. */
export const lineParam = (given: unknown): number | undefined => {
  const line = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
  return typeof line === 'number' && Number.isInteger(line) && line >= 1 && line <= MAX_LINE
    ? line
    : undefined
}

const ID = /^[0-9a-f-]{36}$/

/** An id of a row; undefined for anything else. */
export const idParam = (given: unknown): string | undefined =>
  typeof given === 'string' && ID.test(given) ? given : undefined

/** A time in RFC 3339 format; undefined for anything else. */
export const timeParam = (given: unknown): string | undefined => {
  const ms = typeof given === 'string' ? Date.parse(given) : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** Time ranges in hours, back from now. A link opened tomorrow shows tomorrow's rows. */
const SPAN_HOURS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720, '90d': 2_160 } as const

export type Span = keyof typeof SPAN_HOURS

/** Those of lists of work. */
export const SPANS = ['1h', '24h', '7d', '30d'] as const satisfies readonly Span[]

/** The words of this filter in an address. */
export const DISMISSED = ['no', 'yes'] as const

/** @returns RFC 3339, rounded to the minute, so that one list is one query */
export const sinceOf = (span: Span | undefined, now: number): string | undefined =>
  span === undefined
    ? undefined
    : new Date(Math.floor((now - SPAN_HOURS[span] * HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString()

/** Reads the query of a page whose list has details. `open` is the id of the row shown in full. */
export const readOpen = ({ open }: Record<string, unknown>): Readonly<{ open?: string }> =>
  typeof open === 'string' ? { open } : {}

/** Reads a text in quotation marks. @returns undefined for any other text */
const unquoted = (text: string): string | undefined => {
  if (!text.startsWith('"')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads the query of an address as texts. The router alone would read `?label=1.10` as the number 1.1. Older links have texts
 * that look like numbers in quotation marks.
 */
export const parseQuery = (query: string): Record<string, unknown> =>
  Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, text]) => [name, unquoted(text) ?? text]),
  )

/** Writes the query of an address, so that `parseQuery` reads the same texts. Undefined values are left out. */
export const formatQuery = (search: Readonly<Record<string, unknown>>): string => {
  const query = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => {
      if (value === undefined) return []
      const text = String(value)
      return [[name, unquoted(text) === undefined ? text : JSON.stringify(text)]]
    }),
  ).toString()
  return query === '' ? '' : `?${query}`
}

type Reader = (search: Record<string, unknown>) => object

/**
 * Makes a reader name every value of the address. The router merges the query of the address below what a reader returns, so
 * values that the reader left out as invalid would reach the page.
 */
export const hidingUnread =
  (read: Reader): Reader =>
  (search) => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...read(search),
  })
