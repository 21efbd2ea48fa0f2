/**
 * Row shapes: one description of a query's columns provides the type of the rows, their reader and the list of columns.
 *
 *     const schedule = row({ id: text, inputJson: text('input'), isEnabled: bool('enabled'), nextFireAt: time.nullable })
 *     type Schedule = RowOf<typeof schedule>
 *     schedule.all(db, sql`SELECT ${schedule.columns('s')} FROM schedules s WHERE s.ws = ${ws}`)
 *
 * A field reads the column with its name in snake_case, unless another name or an expression is given.
 * A value whose type differs from the schema is a bug of svc, so reading it throws.
 */
import { z } from 'zod'
import { asBytes, asNumber, asText, unexpected } from './column.ts'
import type { Reader, ReadOptions, Row, SqlValue, Statement } from './database.ts'
import { join, raw, sql } from './sql.ts'

type Read<Value> = (value: SqlValue | undefined) => Value

/** A column's name, with or without its table (`d.commit_id`), or an expression; null for the field's name in snake_case. */
type Source = string | Statement | null

export type Column<Value> = Readonly<{ source: Source; read: Read<Value> }>

/** A column with the field's own name. Calling it sets another source. */
type Sourced<Value> = Column<Value> &
  ((source: string | Statement) => Column<Value>) &
  Readonly<{
    /** Returns the first column of the first row that a statement finds, or null. @throws {DatabaseError} */
    one: (db: Pick<Reader, 'one'>, statement: Statement) => Promise<Value | null>
    /** Returns the first column of all rows that a statement finds. @throws {DatabaseError} */
    all: (db: Pick<Reader, 'all'>, statement: Statement) => Promise<readonly Value[]>
  }>

export type ColumnKind<Value> = Sourced<Value> & Readonly<{ nullable: Sourced<Value | null> }>

const sourced = <Value>(read: Read<Value>): Sourced<Value> => {
  const readFirst = (found: Row): Value => read(Object.values(found)[0])
  return Object.assign((source: string | Statement) => ({ source, read }), {
    source: null,
    read,
    one: async (db: Pick<Reader, 'one'>, statement: Statement) => {
      const found = await db.one(statement)
      return found === null ? null : readFirst(found)
    },
    all: async (db: Pick<Reader, 'all'>, statement: Statement) =>
      (await db.all(statement)).map(readFirst),
  })
}

const kind = <Value>(read: Read<Value>): ColumnKind<Value> =>
  Object.assign(sourced(read), {
    nullable: sourced((value) => (value === null ? null : read(value))),
  })

export const text = kind(asText)
export const number = kind(asNumber)
/** Milliseconds since 1970. */
export const time = number
/** Stored as 1 or 0. */
export const bool = kind((value) => asNumber(value) === 1)
export const bytes = kind(asBytes)

/** A text that is one of the given ones. */
export const oneOf = <const Value extends string>(values: readonly Value[]): ColumnKind<Value> =>
  kind((value) => {
    const found = values.find((known) => known === value)
    if (found === undefined) throw unexpected(values.join(', '), value)
    return found
  })

/** A text that `parse` turns into a value. */
export const parsed = <Value>(parse: (text: string) => Value): ColumnKind<Value> =>
  kind((value) => parse(asText(value)))

/** Reads a JSON array of texts. */
export const readTexts = (json: string): readonly string[] =>
  z.array(z.string()).parse(JSON.parse(json))
export const texts = parsed(readTexts)

/** Returns the number that a statement counts. @throws {DatabaseError} */
export const count = async (db: Pick<Reader, 'one'>, statement: Statement): Promise<number> =>
  (await number.one(db, statement)) ?? 0

/** Returns whether a statement finds a row. @throws {DatabaseError} */
export const exists = async (db: Pick<Reader, 'one'>, statement: Statement): Promise<boolean> =>
  (await db.one(statement)) !== null

/** Returns whether a condition is true at this moment. @throws {DatabaseError} */
export const holds = async (db: Pick<Reader, 'one'>, condition: Statement): Promise<boolean> =>
  (await bool.one(db, sql`SELECT ${condition}`)) === true

type Fields = Readonly<Record<string, Column<unknown>>>

type ValuesOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Column<infer Value> ? Value : never
}

export type RowShape<Value, F extends Fields = Fields> = Readonly<{
  /** The fields that `row` was called with. A wider shape spreads them. */
  fields: F
  /** Returns the columns for SELECT or RETURNING. Those that name no table are taken from the table `alias`. */
  columns: (alias?: string) => Statement
  /** @throws {Error} a column is missing or holds another type */
  read: (row: Row) => Value
  /** Returns the first row that a statement finds, or null. @throws {DatabaseError} */
  one: (
    db: Pick<Reader, 'one'>,
    statement: Statement,
    options?: ReadOptions,
  ) => Promise<Value | null>
  /** Returns all rows that a statement finds. @throws {DatabaseError} */
  all: (db: Pick<Reader, 'all'>, statement: Statement) => Promise<readonly Value[]>
}>

/** The type of the rows that a shape reads. */
export type RowOf<Shape> = Shape extends RowShape<infer Value, infer _> ? Value : never

const snakeCase = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns the name of a column in the result. */
const keyOf = (field: string, source: Source): string =>
  typeof source === 'string' ? source.slice(source.indexOf('.') + 1) : snakeCase(field)

const columnText = (alias: string, field: string, source: Source): Statement => {
  const key = keyOf(field, source)
  if (source !== null && typeof source !== 'string') return sql`${source} AS ${raw(key)}`
  if (source?.includes('.') === true) return raw(source)
  return raw(alias === '' ? key : `${alias}.${key}`)
}

/** Makes the shape of a row from its fields. */
export const row = <const F extends Fields>(fields: F): RowShape<ValuesOf<F>, F> => {
  const readers = Object.entries(fields).map(([field, { source, read }]) => ({
    field,
    key: keyOf(field, source),
    read,
  }))
  const lists = new Map<string, Statement>()
  const columns = (alias = ''): Statement => {
    const known = lists.get(alias)
    if (known !== undefined) return known
    const all = Object.entries(fields).map(([field, column]) =>
      columnText(alias, field, column.source),
    )
    const list = join(all, ', ')
    lists.set(alias, list)
    return list
  }
  const read = (found: Row): ValuesOf<F> => {
    const values: Record<string, unknown> = {}
    for (const reader of readers) values[reader.field] = reader.read(found[reader.key])
    return values as ValuesOf<F>
  }
  /** Values of reused rows, for which the database returns the same row object again. */
  const values = new WeakMap<Row, ValuesOf<F>>()
  return {
    fields,
    columns,
    read,
    one: async (db, statement, options) => {
      const found = await db.one(statement, options)
      if (found === null) return null
      const value = values.get(found) ?? read(found)
      if (options?.reuse === true) values.set(found, value)
      return value
    },
    all: async (db, statement) => (await db.all(statement)).map(read),
  }
}
