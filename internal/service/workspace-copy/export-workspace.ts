/**
 * Exports everything of a workspace as the lines of one file (format.ts), from a snapshot: a job that runs meanwhile is in the
 * file as it was when the export began [access 20.5]. Only one page of rows is in memory at a time.
 */
import { createHmac } from 'node:crypto'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { notFound } from '#core/error.ts'
import { derivePassphraseKeys, SALT_BYTES } from '#crypto/passphrase-keys.ts'
import { insertAuditEntry } from '#store/audit-log.ts'
import type { Reader, SqlValue } from '#store/database.ts'
import { SCHEMA_VERSION } from '#store/migrate.ts'
import { readRows, readSettings } from '#store/workspace-copy/read-rows.ts'
import { copiedSchema } from '#store/workspace-copy/tables.ts'
import { findHeldWorkspace } from '#store/workspaces/held.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { importUnfinished } from '../cells/find-database.ts'
import type { Deps } from '../deps.ts'
import { createTally, FORMAT_VERSION, type Header, type TableContent, toLine } from './format.ts'

export type ExportRequest = Readonly<{
  ws: string
  passphrase: string
  /** The version of this svc, for the header. */
  version: string
  /** Called for each table that has rows, after all of them were yielded. */
  onTable?: (table: string, rows: number) => void
}>

type ExportDeps = Pick<Deps, 'db' | 'now' | 'newId' | 'randomBytes' | 'keyring'>

type Snapshot = Pick<Reader, 'one' | 'all'>

/**
 * Creates the keys of the file and its header. An import that ends after the moment of the snapshot is not whole in it.
 * @throws {AppError} not_found, conflict
 */
const begin = async (
  deps: ExportDeps,
  snapshot: Snapshot,
  { ws, passphrase, version }: ExportRequest,
) => {
  const workspace = await findWorkspace(snapshot, ws)
  if (workspace === null) throw notFound(`Workspace "${ws}"`)
  if ((await findHeldWorkspace(snapshot, ws)) !== null) throw importUnfinished(ws)
  const salt = deps.randomBytes(SALT_BYTES)
  const keys = await derivePassphraseKeys(passphrase, salt)
  const header: Header = {
    svc_workspace: FORMAT_VERSION,
    id: deps.newId(),
    workspace: ws,
    schema: SCHEMA_VERSION,
    svc: version,
    exported_at: new Date(deps.now()).toISOString(),
    salt: Buffer.from(salt).toString('base64url'),
    data_key: deps.keyring.wrapFor(keys.wrapping, workspace.wrappedKey, ws),
  }
  return { header, mac: createHmac('sha256', keys.mac) }
}

/** Yields blocks of whole lines of one table. */
async function* exportTable(
  pages: AsyncIterable<readonly (readonly SqlValue[])[]>,
  table: Readonly<{ name: string; columns: readonly string[]; volatile: readonly string[] }>,
  onEnd: (content: TableContent) => void,
): AsyncGenerator<string> {
  const tally = createTally(table)
  yield `${JSON.stringify({ table: table.name, columns: table.columns })}\n`
  for await (const page of pages) {
    for (const row of page) tally.add(row)
    yield page.map((row) => `${toLine(row)}\n`).join('')
  }
  onEnd(tally.end())
}

/**
 * Yields the file in blocks of whole lines.
 * @param snapshot a reader that sees one moment (store/workspace-copy/snapshot.ts)
 * @throws {AppError} not_found, conflict: the import of the workspace has not ended @throws {DatabaseError}
 */
export async function* exportWorkspace(
  deps: ExportDeps,
  snapshot: Snapshot,
  request: ExportRequest,
): AsyncGenerator<string> {
  const { ws, onTable = () => undefined } = request
  const { header, mac } = await begin(deps, snapshot, request)
  const signed = (block: string): string => {
    mac.update(block)
    return block
  }
  yield signed(`${JSON.stringify(header)}\n`)
  const { tables, workspaceColumns } = copiedSchema()
  const contents: Record<string, TableContent> = {}
  const settings = { name: 'workspaces', columns: workspaceColumns, volatile: ['notify'] }
  const copied = [
    { table: settings, pages: readSettings(snapshot, ws, workspaceColumns) },
    ...tables.map((table) => ({ table, pages: readRows(snapshot, table, ws) })),
  ]
  for (const { table, pages } of copied) {
    const onEnd = (content: TableContent): void => {
      contents[table.name] = content
      if (content.rows > 0) onTable(table.name, content.rows)
    }
    for await (const block of exportTable(pages, table, onEnd)) yield signed(block)
  }
  yield signed(`${JSON.stringify({ tables: contents })}\n`)
  yield `${JSON.stringify({ mac: mac.digest('hex') })}\n`
  await deps.db.write([
    insertAuditEntry({
      id: deps.newId(),
      ws,
      actor: CLI_ACTOR,
      action: 'workspace.exported',
      target: ws,
    }),
  ])
}
