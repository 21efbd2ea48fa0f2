/**
 * What a migration means to nodes of the previous release, which keep running while a rolling upgrade replaces them. Its
 * first line declares it (docs/checklists/new-migration.md):
 *
 *     -- expansion
 *     -- contraction, serves 43
 *
 * After an expansion, every statement of older code still works as before. A contraction
 * names the schema of the oldest code that still works.
 */

/** Migrations up to this one were released before declarations existed: they serve only their own code. */
export const UNDECLARED = 40

export type MigrationKind =
  | Readonly<{ kind: 'expansion' }>
  | Readonly<{ kind: 'contraction'; serves: number }>

const DECLARATION = /^-- (?:(expansion)|contraction, serves (\d+))\n/

/** Reads the declaration of a migration. @throws {Error} it is missing, or names an impossible schema */
export const readMigrationKind = (version: number, script: string): MigrationKind => {
  const [, expansion, serves] = DECLARATION.exec(script) ?? []
  if (expansion !== undefined) return { kind: 'expansion' }
  const oldest = Number(serves)
  if (serves !== undefined && oldest >= UNDECLARED && oldest <= version) {
    return { kind: 'contraction', serves: oldest }
  }
  throw new Error(
    `Migration ${version} must begin with the line "-- expansion" or "-- contraction, serves NN", with NN from ${UNDECLARED} to ${version} (docs/checklists/new-migration.md).`,
  )
}

const NAME = '"?(\\w+)"?'
const start = (pattern: string): RegExp => new RegExp(`^\\s*${pattern}`, 'i')

const ADD_COLUMN = start(`ALTER\\s+TABLE\\s+${NAME}\\s+ADD\\s+(?:COLUMN\\s+)?${NAME}([\\s\\S]*)$`)
const CREATE_TABLE = start(`CREATE\\s+TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${NAME}`)
const CREATE_VIEW = start(`CREATE\\s+VIEW\\s`)
const CREATE_INDEX = start(
  `CREATE\\s+(UNIQUE\\s+)?INDEX\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?\\w+\\s+ON\\s+${NAME}`,
)
const CREATE_TRIGGER = start(`CREATE\\s+TRIGGER\\s[\\s\\S]*?\\sON\\s+${NAME}([\\s\\S]*)$`)
const INSERT = start(`INSERT\\s+(?:OR\\s+\\w+\\s+)?INTO\\s+${NAME}`)
const UPDATE = start(`UPDATE\\s+${NAME}\\s+SET\\s+([\\s\\S]*?)(?:\\sFROM\\s|\\sWHERE\\s|$)`)

/** Whether a trigger contains an INSERT that fails if the row exists, and thereby fails the statement of older code. */
const hasFailingInsert = (body: string): boolean =>
  body
    .split(';')
    .some(
      (part) =>
        /\bINSERT\s+INTO\b/i.test(part) &&
        !/\bON\s+CONFLICT\b[\s\S]*\bDO\s+(?:NOTHING|UPDATE)\b/i.test(part),
    )

/** Why a trigger could fail a write of older code. */
const triggerFault = (body: string): string | null => {
  if (/\bRAISE\s*\(/i.test(body)) return 'its trigger refuses writes of older code'
  return hasFailingInsert(body) ? 'an INSERT of its trigger has no ON CONFLICT' : null
}

type Made = Readonly<{ tables: Set<string>; columns: Set<string> }>

const columnFault = (rest: string): string | null => {
  const isRequired = /\bNOT\s+NULL\b/i.test(rest) && !/\bDEFAULT\b/i.test(rest)
  return isRequired ? 'a column that is NOT NULL needs a DEFAULT' : null
}

/** The columns that a SET list assigns, provided that no value in it begins with a comparison. */
const assigned = (list: string): readonly string[] =>
  [...list.matchAll(/(?:^|,)\s*"?(\w+)"?\s*=/g)].map(([, column = '']) => column)

const updateFault = (table: string, list: string, { tables, columns }: Made): string | null => {
  const changed = assigned(list).map((column) => `${table}.${column}`)
  const isNew =
    tables.has(table) || (changed.length > 0 && changed.every((each) => columns.has(each)))
  return isNew ? null : 'it changes rows of a table that older code uses'
}

const faultOf = (statement: string, made: Made): string | null => {
  const [isColumn, table = '', column = '', rest = ''] = ADD_COLUMN.exec(statement) ?? []
  if (isColumn !== undefined) {
    made.columns.add(`${table}.${column}`)
    return columnFault(rest)
  }
  const created = CREATE_TABLE.exec(statement)?.[1]
  if (created !== undefined) {
    made.tables.add(created)
    return null
  }
  if (CREATE_VIEW.test(statement)) return null
  const index = CREATE_INDEX.exec(statement)
  if (index !== null) {
    const isStrict = index[1] !== undefined && !made.tables.has(index[2] ?? '')
    return isStrict ? 'a UNIQUE index on a table that is there fails writes of older code' : null
  }
  const trigger = CREATE_TRIGGER.exec(statement)
  if (trigger !== null)
    return made.tables.has(trigger[1] ?? '') ? null : triggerFault(trigger[2] ?? '')
  const inserted = INSERT.exec(statement)?.[1]
  if (inserted !== undefined && made.tables.has(inserted)) return null
  const update = UPDATE.exec(statement)
  if (update !== null) return updateFault(update[1] ?? '', update[2] ?? '', made)
  return 'it is not additive'
}

/** Returns a message for each statement of a migration that older code may notice; an empty list means an expansion. */
export const expansionFaults = (statements: readonly string[]): readonly string[] => {
  const made: Made = { tables: new Set(), columns: new Set() }
  return statements.flatMap((statement) => {
    const fault = faultOf(statement, made)
    return fault === null ? [] : [`${statement.slice(0, 80).replaceAll(/\s+/g, ' ')}: ${fault}`]
  })
}
