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
export const textParam = (given: unknown, maxLength = MAX_LENGTH): string | undefined => {
  // the router reads ?app=12 as a number
  const text = typeof given === 'number' ? String(given) : given
  return typeof text === 'string' && text !== '' ? text.slice(0, maxLength) : undefined
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

/** Words, because the router would parse `true` and `false` in an address as booleans. */
export const DISMISSED = ['no', 'yes'] as const

/** @returns RFC 3339, rounded to the minute, so that one list is one query */
export const sinceOf = (span: Span | undefined, now: number): string | undefined =>
  span === undefined
    ? undefined
    : new Date(Math.floor((now - SPAN_HOURS[span] * HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString()

/** Reads the query of a page whose list has details. `open` is the id of the row shown in full. */
export const readOpen = ({ open }: Record<string, unknown>): Readonly<{ open?: string }> =>
  typeof open === 'string' ? { open } : {}

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
