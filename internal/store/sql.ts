/**
 * Statements as tagged templates: `` sql`SELECT name FROM users WHERE id = ${id}` ``.
 *
 * A value becomes a bound parameter. A statement inside another one is spliced in with its own parameters. No value is ever
 * written into the text: only `sql` and `raw` make text. The text of a template is built once for each combination of nested
 * texts, and the same string is reused, because connections cache prepared statements by text.
 */
import { hasNul } from '#core/nul.ts'
import type { SqlValue, Statement } from './database.ts'

/** A class, so that a template does not splice an object that merely looks like a statement. */
class SqlText implements Statement {
  readonly sql: string
  readonly args: readonly SqlValue[]

  constructor(text: string, args: readonly SqlValue[]) {
    this.sql = text
    this.args = args
  }
}

/** A parameter of a template: a value to bind (a boolean as 1 or 0), or a statement to splice in. */
export type SqlParameter = SqlValue | boolean | Statement

/** One text of a template: the nested text at each place (null for a parameter) and the joined text. */
type Variant = Readonly<{ nested: readonly (string | null)[]; text: string }>

/** A template with more variants than this builds its text at each call, so that the cache is bounded. */
const MAX_VARIANTS = 64

const variantsOf = new WeakMap<TemplateStringsArray, Variant[]>()

const nestedText = (value: SqlParameter): string | null =>
  value instanceof SqlText ? value.sql : null

const isVariant = ({ nested }: Variant, values: readonly SqlParameter[]): boolean => {
  // the same string objects recur, so most comparisons only compare two pointers
  for (let at = 0; at < values.length; at += 1) {
    if (nested[at] !== nestedText(values[at] ?? null)) return false
  }
  return true
}

const joinText = (strings: TemplateStringsArray, nested: readonly (string | null)[]): string =>
  strings.reduce((text, next, at) => `${text}${nested[at - 1] ?? '?'}${next}`)

const textOf = (strings: TemplateStringsArray, values: readonly SqlParameter[]): string => {
  let variants = variantsOf.get(strings)
  if (variants === undefined) {
    variants = []
    variantsOf.set(strings, variants)
  }
  for (const variant of variants) if (isVariant(variant, values)) return variant.text
  const nested = values.map(nestedText)
  const text = joinText(strings, nested)
  if (variants.length < MAX_VARIANTS) variants.push({ nested, text })
  return text
}

/** The driver of files returns a text only up to its first NUL, so none is stored: what is read is what was written. */
const withoutNul = (value: SqlValue): SqlValue =>
  typeof value === 'string' && hasNul(value) ? value.replaceAll('\0', '\u{FFFD}') : value

const bind = (value: SqlParameter, args: SqlValue[]): void => {
  if (value instanceof SqlText) {
    for (const nested of value.args) args.push(nested)
  } else if (typeof value === 'boolean') args.push(value ? 1 : 0)
  else if (typeof value !== 'object' || value === null || value instanceof Uint8Array)
    args.push(withoutNul(value))
  else throw new TypeError('A template of SQL takes values and statements made by sql or raw.')
}

/** Makes a statement, or a part of one. It takes well under a microsecond. */
export const sql = (
  strings: TemplateStringsArray,
  ...values: readonly SqlParameter[]
): Statement => {
  const args: SqlValue[] = []
  for (const value of values) bind(value, args)
  return new SqlText(textOf(strings, values), args)
}

/**
 * Makes text that is spliced in unchanged, for a name that the source chooses from its own constants, such as a table.
 * Never pass it anything that comes from a caller of the API.
 */
export const raw = (text: string): Statement => new SqlText(text, [])

/** States how many statements of one row take as long as this one, so that a large batch can be divided (stretches.ts). */
export const weighing = (weight: number, { sql: text, args }: Statement): Statement =>
  Object.assign(new SqlText(text, args), { weight })

/** Binds each value of a list, separated by commas. */
export const valueList = (values: readonly SqlValue[]): Statement =>
  join(
    values.map((value) => sql`${value}`),
    ', ',
  )

/** Selects the values of a list, for `IN`. The list is one parameter, so that the text does not depend on its length. */
export const listed = (values: readonly SqlValue[]): Statement =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`

/** Joins statements into one. */
export const join = (parts: readonly Statement[], separator: string): Statement =>
  new SqlText(
    parts.map((part) => part.sql).join(separator),
    parts.flatMap((part) => part.args),
  )

/** Joins conditions with AND, ignoring null ones. Without conditions the result is true. */
export const allOf = (...conditions: readonly (Statement | null)[]): Statement => {
  const given = conditions.filter((condition) => condition !== null)
  return given.length === 0 ? TRUE : join(given, ' AND ')
}

/** A condition that is always true: the guard of a statement that needs none. */
export const TRUE = raw('1')

/** The database's clock in milliseconds since 1970. Leases and due times are compared only with it. */
export const SQL_NOW = raw("CAST(unixepoch('subsec') * 1000 AS INTEGER)")
