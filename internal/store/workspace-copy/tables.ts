/**
 * Which rows belong to a workspace, for each table of the schema. The first of these that fits places a table: a rule for it
 * below, a column `ws`, a declared foreign key on the first column of its primary key, or a primary key that begins with
 * `job_id` or `run_id`. A table without a match is an error, so that a migration cannot add a table that copies silently leave
 * out.
 */
import type { Statement } from '../database.ts'
import { raw, sql } from '../sql.ts'
import { EXCLUDED } from './exclusions.ts'
import { readSchema, type SchemaTable } from './schema.ts'

/** A table whose rows belong to the rows of another table. */
export type Parent = Readonly<{ column: string; table: CopiedTable }>

export type CopiedTable = Readonly<{
  name: string
  /** The columns to copy. */
  columns: readonly string[]
  /** The columns that order the rows within a workspace: the primary key without `ws`. */
  key: readonly string[]
  /** True if an index leads from the workspace to its rows in the order of `key`. */
  isIndexed: boolean
  /** A condition: the row belongs to the workspace. */
  scope: (ws: string) => Statement
  parent: Parent | null
  /** True if other workspaces may have the same rows. */
  isShared: boolean
  /** Columns that may differ in an exact copy, because the instance changes them by itself or already has the row. */
  volatile: readonly string[]
  references: SchemaTable['references']
}>

/** Lists columns as SQL. */
export const quoted = (columns: readonly string[]): Statement =>
  raw(columns.map((column) => `"${column}"`).join(', '))

type Scope = (ws: string) => Statement

/** Keys of these tables begin with the id of the workspace and a slash. In ASCII, '0' comes right after the slash. */
const byPrefix =
  (column: string): Scope =>
  (ws) =>
    sql`${raw(column)} >= ${`${ws}/`} AND ${raw(column)} < ${`${ws}0`}`

/** Scopes of rows that several workspaces may share, and of rows that only their key assigns to a workspace. */
const SCOPES: Readonly<Record<string, Scope>> = {
  // a list of the addresses would be made again for each page
  users: (ws) =>
    sql`(EXISTS (SELECT 1 FROM members m WHERE m.ws = ${ws} AND m.email = users.email)
      OR EXISTS (SELECT 1 FROM tokens t INDEXED BY tokens_by_owner WHERE t.email = users.email AND t.ws = ${ws}))`,
  bundles: (ws) =>
    sql`hash IN (SELECT a.bundle_hash FROM deployments d JOIN deployment_actions a ON a.deployment_id = d.id
        WHERE d.ws = ${ws}
      UNION SELECT bundle_hash FROM app_functions WHERE ws = ${ws}
      UNION SELECT bundle_hash FROM app_function_versions WHERE ws = ${ws})`,
  source_files: (ws) =>
    sql`hash IN (SELECT f.hash FROM deployments d JOIN deployment_files f ON f.deployment_id = d.id WHERE d.ws = ${ws}
      UNION SELECT e.value FROM app_functions f, json_each(f.shared) e WHERE f.ws = ${ws}
      UNION SELECT e.value FROM app_function_versions v, json_each(v.shared) e WHERE v.ws = ${ws}
      UNION SELECT e.value FROM drafts d, json_each(d.carried) e WHERE d.ws = ${ws})`,
  traces: (ws) =>
    sql`(EXISTS (SELECT 1 FROM jobs j WHERE j.ws = ${ws} AND j.id = owner_id)
      OR EXISTS (SELECT 1 FROM flow_runs r WHERE r.ws = ${ws} AND r.id = owner_id))`,
  rate_starts: byPrefix('key'),
  fair_turns: byPrefix('fair_group'),
}

/** Tables whose rows several workspaces may share. */
const SHARED: readonly string[] = ['users', 'bundles', 'source_files']

/** The columns to copy of tables that are not copied completely. An account stays with its instance. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  users: ['email', 'name', 'created_at'],
}

const VOLATILE: Readonly<Record<string, readonly string[]>> = {
  users: ['name', 'created_at'],
  bundles: ['created_at'],
  // a name leads to one workspace of an instance, which must prove it there
  app_host_claims: ['proof'],
  // a delayed job becomes ready when it is due, and a jump of the clock moves leases and fire times
  jobs: ['ready', 'blocked', 'lease_until'],
  schedules: ['next_fire_at'],
}

/** Parents that no foreign key declares, by the first column of the primary key. */
const PARENTS: Readonly<Record<string, string>> = {
  schedule_id: 'schedules',
  job_id: 'jobs',
  run_id: 'flow_runs',
  link_id: 'flow_links',
}

const byWorkspace: Scope = (ws) => sql`ws = ${ws}`

/** The plus prevents the planner from using an index with another order, which would read and sort all rows for each page. */
const byScan: Scope = (ws) => sql`+ws = ${ws}`

const parentNameOf = ({ primaryKey, references }: SchemaTable): string | null => {
  const [first = ''] = primaryKey
  return references.find(({ column }) => column === first)?.table ?? PARENTS[first] ?? null
}

const startsWith = (columns: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((column, at) => columns[at] === column)

const place = (table: SchemaTable, placed: ReadonlyMap<string, CopiedTable>): CopiedTable => {
  const { name, primaryKey, references } = table
  const rest = primaryKey.filter((column) => column !== 'ws')
  const key = rest.length === 0 ? primaryKey : rest
  const isIndexed = table.indexes.some((columns) => startsWith(columns, ['ws', ...key]))
  const common = {
    name,
    columns: COLUMNS[name] ?? table.columns,
    key,
    isIndexed,
    isShared: SHARED.includes(name),
    volatile: VOLATILE[name] ?? [],
    references,
  }
  const hasWorkspace = table.columns.includes('ws')
  const own = SCOPES[name] ?? (hasWorkspace ? (isIndexed ? byWorkspace : byScan) : undefined)
  if (own !== undefined) return { ...common, scope: own, parent: null }
  const parent = placed.get(parentNameOf(table) ?? '')
  const [parentKey = '', ...others] = parent?.key ?? []
  const [column = ''] = primaryKey
  if (parent === undefined || others.length > 0) throw new UnplacedTableError(name)
  const scope: Scope = (ws) =>
    sql`${raw(column)} IN (SELECT ${raw(parentKey)} FROM ${raw(parent.name)} WHERE ${parent.scope(ws)})`
  return { ...common, isIndexed: false, scope, parent: { column, table: parent } }
}

/** A table of the schema is neither placed nor excluded. */
export class UnplacedTableError extends Error {
  override readonly name = 'UnplacedTableError'

  constructor(table: string) {
    super(
      `A copy of a workspace does not know which rows of ${table} are its own. Place the table in workspace-copy/tables.ts or exclude it with a reason.`,
    )
  }
}

/** Places the tables with rows of a workspace. `workspaces` itself is separate, since its key is never copied unchanged. */
const placeAll = (schema: readonly SchemaTable[]): readonly CopiedTable[] => {
  const copied = schema.filter(({ name }) => name !== 'workspaces' && EXCLUDED[name] === undefined)
  const placed = new Map<string, CopiedTable>()
  // tables with a parent come last, because a table that a migration has recreated is younger than its children
  const [own, children] = [
    copied.filter((table) => SCOPES[table.name] !== undefined || table.columns.includes('ws')),
    copied.filter((table) => SCOPES[table.name] === undefined && !table.columns.includes('ws')),
  ]
  for (const table of [...own, ...children]) placed.set(table.name, place(table, placed))
  return [...placed.values()]
}

export type CopiedSchema = Readonly<{
  /** In an order in which rows can be inserted. */
  tables: readonly CopiedTable[]
  /** Columns of `workspaces` without the wrapped key. */
  workspaceColumns: readonly string[]
}>

/** @throws {UnplacedTableError} a migration has added a table that nothing here covers */
export const deriveCopiedSchema = (schema: readonly SchemaTable[]): CopiedSchema => {
  const workspaces = schema.find(({ name }) => name === 'workspaces')
  return {
    tables: placeAll(schema),
    workspaceColumns: (workspaces?.columns ?? []).filter((column) => column !== 'wrapped_key'),
  }
}

let derived: CopiedSchema | null = null

/** Returns the tables of this binary's schema. The first call takes about 100 ms. @throws {UnplacedTableError} */
export const copiedSchema = (): CopiedSchema => {
  derived ??= deriveCopiedSchema(readSchema())
  return derived
}
