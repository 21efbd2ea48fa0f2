/**
 * Imports a workspace from its file (format.ts) into this database [access 20.5].
 *
 * Guarantees: the whole file is checked before the first write. Until the last batch the workspace is held, so that nothing of
 * it is claimed, fired, sent or shown. Before that batch, the rows in the database are read back and compared with the file
 * table by table, with their references and the invariants of `svc db check`. If a call was interrupted anywhere, the same call
 * continues: each row is inserted once.
 * Fails with AppError: invalid (file, passphrase), conflict (the workspace exists, another import holds it, or a difference).
 */
import { CLI_ACTOR } from '#core/access/actor.ts'
import { conflict } from '#core/error.ts'
import { sizeOfRow } from '#store/batch.ts'
import type { Database, SqlValue } from '#store/database.ts'
import { type CopiedTable, copiedSchema } from '#store/workspace-copy/tables.ts'
import {
  insertCopiedRow,
  insertCopiedWorkspace,
  restartFunctionsSince,
  revokeTokensOfSuperAdmins,
  setNotifyRules,
} from '#store/workspace-copy/write-rows.ts'
import {
  findHeldWorkspace,
  type HeldWorkspace,
  holdNewWorkspace,
  releaseWorkspace,
  renewHold,
} from '#store/workspaces/held.ts'
import { checkWorkspaceRow, findWorkspace } from '#store/workspaces/workspaces.ts'
import { audited } from '../audited.ts'
import { WrongInstanceKeyError } from '../bootstrap.ts'
import { refuseMoving } from '../cells/other-move.ts'
import type { Deps } from '../deps.ts'
import { createSmallWrites } from '../portions/small-writes.ts'
import { compareWithFile } from './compare-with-file.ts'
import { type CopiedRow, type Header, unreadable } from './format.ts'
import { checkFile, type FileRow, type OpenLines, readFileRows, readHeader } from './read-file.ts'

export type ImportRequest = Readonly<{
  open: OpenLines
  passphrase: string
  /** Called after each batch with the number of rows that were read from the file. */
  onProgress?: (rows: number) => void
}>

export type Imported = Readonly<{
  ws: string
  rows: number
  /** Tokens of super admins of this instance, which were revoked. */
  revokedTokens: number
}>

type ImportDeps = Pick<Deps, 'db' | 'home' | 'newId' | 'keyring' | 'passFault'>

const alreadyThere = (ws: string): Error =>
  conflict(
    `Workspace "${ws}" exists already. A workspace is imported only where there is none of its id.`,
  )

const heldByOther = (ws: string): Error =>
  conflict(
    `Another file is being imported as workspace "${ws}". Import that file again to end it, or remove what was imported: svc workspace discard ${ws}`,
  )

/** @throws {AppError} conflict */
const refuseTaken = async (deps: ImportDeps, { workspace: ws, id }: Header): Promise<void> => {
  const { db } = deps
  const held = await findHeldWorkspace(db, ws)
  if (held !== null && held.fileId !== id) {
    await refuseMoving(deps, ws)
    throw heldByOther(ws)
  }
  if (held === null && (await findWorkspace(db, ws)) !== null) throw alreadyThere(ws)
}

type Settings = Readonly<{ columns: readonly string[]; row: CopiedRow }>

/** Leaves out notification rules until the last batch, so that imported failures are not reported. */
const withoutRules = ({ columns, row }: Settings): CopiedRow =>
  row.map((value, at) => (columns[at] === 'notify' ? null : value))

/** Holds the workspace and inserts its own row. @throws {AppError} conflict @throws {WrongInstanceKeyError} */
const hold = async (
  deps: ImportDeps,
  held: HeldWorkspace,
  { settings, wrappedKey }: Readonly<{ settings: Settings; wrappedKey: string }>,
): Promise<void> => {
  const keyCheck = deps.keyring.checkValue()
  const row = withoutRules(settings)
  const workspace = { columns: settings.columns, row, wrappedKey, keyCheck }
  const holding = [holdNewWorkspace(held), renewHold(held)]
  await deps.db.write([...holding, insertCopiedWorkspace(held, workspace)], { retry: true })
  const now = await findHeldWorkspace(deps.db, held.ws)
  if (now === null) throw alreadyThere(held.ws)
  if (now.fileId !== held.fileId) throw heldByOther(held.ws)
  if ((await findWorkspace(deps.db, held.ws)) === null) throw new WrongInstanceKeyError()
}

const firstRow = async (rows: AsyncIterable<FileRow>): Promise<Settings> => {
  for await (const { table, row } of rows) return { columns: table.columns, row }
  throw new Error('The file has no row of the workspace.')
}

/** Refuses settings that svc could not read: lists of all workspaces would fail with them. @throws {AppError} invalid */
const checkSettings = ({ columns, row }: Settings, wrappedKey: string): void => {
  try {
    const values = columns.map((column, at) => [column, row[at] ?? null] as const)
    checkWorkspaceRow({ ...Object.fromEntries(values), wrapped_key: wrappedKey })
  } catch (error) {
    throw unreadable('the settings of the workspace', error)
  }
}

/** Removes the proof of a host name. A name leads to one workspace of an instance, which has to prove it again. */
const asImported = (table: CopiedTable, row: CopiedRow): CopiedRow =>
  table.name === 'app_host_claims'
    ? row.map((value, at) => (table.columns[at] === 'proof' ? null : value))
    : row

/** @returns the number of rows */
const insertRows = async (
  { db, passFault }: ImportDeps,
  held: HeldWorkspace,
  { open, onProgress = () => undefined }: ImportRequest,
): Promise<number> => {
  const tables = new Map(copiedSchema().tables.map((table) => [table.name, table]))
  let rows = 0
  const writes = createSmallWrites({ db }, () => {
    passFault('import_batch')
    onProgress(rows)
  })
  for await (const {
    table: { name },
    row,
  } of readFileRows(open)) {
    rows += 1
    const table = tables.get(name)
    // the workspace itself was inserted when it was held
    if (table === undefined) continue
    await writes.add(insertCopiedRow(held, table, asImported(table, row)), sizeOfRow(row))
  }
  await writes.end()
  return rows
}

const isActive = async (db: Database, ws: string): Promise<boolean> =>
  (await findHeldWorkspace(db, ws)) === null && (await findWorkspace(db, ws)) !== null

const wasDiscarded = (ws: string): Error =>
  conflict(`Another command discards the import of workspace "${ws}". Import it again after that.`)

/** Writes the last batch, after which the workspace is active. @returns how many tokens of super admins were revoked */
const release = async (deps: ImportDeps, held: HeldWorkspace, rules: SqlValue): Promise<number> => {
  const { revoked, released } = await deps.db.write(
    {
      rules: setNotifyRules(held, rules),
      hosts: restartFunctionsSince(held),
      revoked: revokeTokensOfSuperAdmins(held),
      released: releaseWorkspace(held),
      audit: audited(deps, { ws: held.ws, actor: CLI_ACTOR }, 'workspace.imported', held.ws),
    },
    { retry: true },
  )
  // no change is also what the second of two equal writes reports
  if (released.changes === 0 && !(await isActive(deps.db, held.ws))) throw wasDiscarded(held.ws)
  return revoked.changes
}

/** Imports the workspace of a file. @throws {AppError} invalid, conflict @throws {DatabaseError} */
export const importWorkspace = async (
  deps: ImportDeps,
  request: ImportRequest,
): Promise<Imported> => {
  const { open, passphrase } = request
  await refuseTaken(deps, await readHeader(open))
  const file = await checkFile(deps, open, passphrase)
  const { workspace: ws, id: fileId, data_key: dataKey } = file.header
  const held = { ws, fileId }
  const settings = await firstRow(readFileRows(open))
  const wrappedKey = deps.keyring.wrapFrom(file.wrappingKey, dataKey, ws)
  checkSettings(settings, wrappedKey)
  await hold(deps, held, { settings, wrappedKey })
  deps.passFault('import_held')
  const rows = await insertRows(deps, held, request)
  deps.passFault('import_inserted')
  await compareWithFile(deps.db, file.manifest, ws)
  deps.passFault('import_compared')
  const rules = settings.row[settings.columns.indexOf('notify')] ?? null
  const revokedTokens = await release(deps, held, rules)
  deps.passFault('import_released')
  return { ws, rows, revokedTokens }
}
