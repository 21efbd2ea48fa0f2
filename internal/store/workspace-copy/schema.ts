/** The schema that the migrations create, as facts about tables. The copy of a workspace derives its tables from it. */
import Libsql from 'libsql'
import { z } from 'zod'
import { MIGRATIONS_TABLE } from '../migrate.ts'
import { MIGRATIONS } from '../migrations.gen.ts'

export type Reference = Readonly<{ column: string; table: string; to: string }>

export type SchemaTable = Readonly<{
  name: string
  columns: readonly string[]
  /** Columns of the primary key, in its order. */
  primaryKey: readonly string[]
  /** Declared foreign keys. */
  references: readonly Reference[]
  /** Columns of each index that is not partial, including the primary key. */
  indexes: readonly (readonly string[])[]
}>

const names = z.array(z.object({ name: z.string() }))
const columns = z.array(z.object({ name: z.string(), pk: z.number() }))
const references = z.array(z.object({ from: z.string(), table: z.string(), to: z.string() }))
const indexes = z.array(z.object({ name: z.string(), partial: z.number() }))

const readTable = (connection: Libsql.Database, name: string): SchemaTable => {
  const all = (text: string, argument: string) => connection.prepare(text).all(argument)
  const found = columns.parse(all('SELECT name, pk FROM pragma_table_info(?)', name))
  const primaryKey = found.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  return {
    name,
    columns: found.map((column) => column.name),
    primaryKey: primaryKey.map((column) => column.name),
    references: references
      .parse(all('SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)', name))
      .map(({ from, table, to }) => ({ column: from, table, to })),
    indexes: indexes
      .parse(all('SELECT name, partial FROM pragma_index_list(?)', name))
      .filter(({ partial }) => partial === 0)
      .map((index) =>
        names
          .parse(all('SELECT name FROM pragma_index_info(?) ORDER BY seqno', index.name))
          .map((column) => column.name),
      ),
  }
}

/** Reads the tables of a schema in the order of their creation, so that rows come after the rows that they refer to. */
export const readSchema = (
  migrations: readonly Readonly<{ statements: readonly string[] }>[] = MIGRATIONS,
): readonly SchemaTable[] => {
  const connection = new Libsql(':memory:')
  try {
    connection.exec(MIGRATIONS_TABLE)
    for (const text of migrations.flatMap(({ statements }) => statements)) connection.exec(text)
    const tables = names.parse(
      connection
        .prepare(
          `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY rowid`,
        )
        .all(),
    )
    return tables.map(({ name }) => readTable(connection, name))
  } finally {
    connection.close()
  }
}
