/**
 * Fences a workspace in the database that it leaves: while the fence exists, every insert and update of its rows fails as
 * `moving`. A request that began before the move may write at any later time. Without the fence, such a write would be
 * acknowledged, and its rows would stay behind.
 *
 * A fence is a set of triggers that name the workspace, so it costs nothing while no workspace moves. Columns that an instance
 * changes for all workspaces at once are not fenced.
 */
import type { Statement } from '../database.ts'
import { MOVING } from '../database-error.ts'
import { raw } from '../sql.ts'
import { copiedSchema } from '../workspace-copy/tables.ts'

const WORKSPACE_ID = /^[a-z0-9-]+$/

type Fenced = Readonly<{ table: string; column: string; updates: readonly string[] }>

/** Columns that a trigger changes when rows of another table are deleted, which the move itself does behind the fence. */
const CHANGED_BY_DELETES: Readonly<Record<string, readonly string[]>> = {
  apps: ['functions_since'],
}

const fencedTables = (): readonly Fenced[] => {
  const { tables, workspaceColumns } = copiedSchema()
  const own = tables
    .filter(({ isShared, columns }) => !isShared && columns.includes('ws'))
    .map(({ name, columns, volatile }) => ({
      table: name,
      column: 'ws',
      updates: columns.filter(
        (column) => !volatile.includes(column) && !CHANGED_BY_DELETES[name]?.includes(column),
      ),
    }))
  return [...own, { table: 'workspaces', column: 'id', updates: workspaceColumns }]
}

const triggersOf = (
  ws: string,
  { table, column, updates }: Fenced,
): readonly Readonly<{ name: string; when: string }>[] => [
  { name: `"moving ${ws} insert ${table}"`, when: `INSERT ON ${table} WHEN NEW.${column}` },
  {
    name: `"moving ${ws} update ${table}"`,
    when: `UPDATE OF ${updates.map((each) => `"${each}"`).join(', ')} ON ${table} WHEN NEW.${column}`,
  },
]

const allTriggersOf = (ws: string) => {
  // a trigger takes no parameters, so the id becomes part of its text
  if (!WORKSPACE_ID.test(ws)) throw new Error(`Not the id of a workspace: ${ws}`)
  return fencedTables().flatMap((fenced) => triggersOf(ws, fenced))
}

/** Creates the fence. It may be repeated. */
export const raiseFence = (ws: string): readonly Statement[] =>
  allTriggersOf(ws).map(({ name, when }) =>
    raw(
      `CREATE TRIGGER IF NOT EXISTS ${name} BEFORE ${when} = '${ws}' BEGIN SELECT RAISE(ABORT, '${MOVING}'); END`,
    ),
  )

/** Removes the fence. It may be repeated, and run without a fence. */
export const dropFence = (ws: string): readonly Statement[] =>
  allTriggersOf(ws).map(({ name }) => raw(`DROP TRIGGER IF EXISTS ${name}`))

/** A condition on rows of a table with a column `ws`: no fence refuses to update them. */
export const isNotFenced = (table: string): Statement => {
  const [before, after] = ['moving ', ` update ${table}`]
  return raw(`ws NOT IN (SELECT substr(name, ${before.length + 1}, length(name) - ${before.length + after.length})
    FROM sqlite_schema WHERE name GLOB '${before}*${after}')`)
}
