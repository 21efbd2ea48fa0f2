/** Reads the lines of a workspace's file (format.ts) and checks them as far as the file alone allows. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { AppError, invalid } from '#core/error.ts'
import { derivePassphraseKeys } from '#crypto/passphrase-keys.ts'
import { SCHEMA_VERSION } from '#store/migrate.ts'
import { type CopiedTable, copiedSchema } from '#store/workspace-copy/tables.ts'
import type { Deps } from '../deps.ts'
import {
  type CopiedRow,
  createTally,
  FORMAT_VERSION,
  type Header,
  headerSchema,
  type Manifest,
  macSchema,
  manifestSchema,
  parseLine,
  parseRow,
  type TableContent,
  tableSchema,
  unreadable,
} from './format.ts'

/** Reads the file from its beginning at each call, as lines without their ends. */
export type OpenLines = () => AsyncIterable<string>

/** A table of the file. `workspaces` comes first, with one row. */
export type FileTable = Pick<CopiedTable, 'name' | 'columns' | 'volatile'>

const fileTables = (): readonly FileTable[] => {
  const { tables, workspaceColumns } = copiedSchema()
  return [{ name: 'workspaces', columns: workspaceColumns, volatile: ['notify'] }, ...tables]
}

/** @throws {AppError} invalid: another format or another schema */
const parseHeader = (line: string): Header => {
  const parsed = headerSchema.safeParse(parseLine(line))
  if (!parsed.success) throw unreadable('its first line', parsed.error)
  const { svc_workspace: format, schema, svc } = parsed.data
  if (format !== FORMAT_VERSION) {
    throw invalid(`The file has format ${format}; this svc reads ${FORMAT_VERSION}.`)
  }
  if (schema !== SCHEMA_VERSION) {
    throw invalid(
      `The file is of schema ${schema} (svc ${svc}), this svc has ${SCHEMA_VERSION}. Import it with svc ${svc} and upgrade that database, or export it again after the upgrade.`,
      { code: 'schema_differs' },
    )
  }
  return parsed.data
}

export type FileRow = Readonly<{ table: FileTable; row: CopiedRow }>

/** @throws {AppError} invalid: the row belongs to another workspace, or its content does not have its hash */
const checkRow = ({ name, columns }: FileTable, row: CopiedRow, ws: string): void => {
  const place = columns.indexOf(name === 'workspaces' ? 'id' : 'ws')
  if (place >= 0 && row[place] !== ws) throw unreadable(`a row of ${name} is of another workspace`)
  for (const column of KEYS[name] ?? []) {
    const key = row[columns.indexOf(column)] ?? null
    if (key === null || (typeof key === 'string' && key.startsWith(`${ws}/`))) continue
    throw unreadable(`a ${column} of ${name} is of another workspace`)
  }
  const hashed = HASHED[name]
  if (hashed === undefined) return
  const hash = createHash('sha256')
  for (const [at, column] of hashed.entries()) {
    const value = row[columns.indexOf(column)]
    if (!(value instanceof Uint8Array)) throw unreadable(`a row of ${name}`)
    hash.update(at === 0 ? '' : '\0').update(value)
  }
  if (hash.digest('hex') !== row[columns.indexOf('hash')]) {
    throw unreadable(`a row of ${name} does not have the content of its hash`)
  }
}

/**
 * Columns with keys by which jobs and runs wait for one another. Queries find them without the workspace, with which every key
 * begins: a waiting job with the key of another workspace would delay the jobs of that one.
 */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  jobs: ['concurrency_key', 'rate_key', 'debounce_key', 'fair_group'],
  flow_runs: ['concurrency_key'],
}

/** Rows that workspaces share are found by the hash of their content (hash-bundle, keep-sources). */
const HASHED: Readonly<Record<string, readonly string[]>> = {
  bundles: ['code', 'source_map'],
  source_files: ['content'],
}

/** Yields the rows in order, and reads what follows them. @throws {AppError} invalid */
export async function* readFileRows(open: OpenLines): AsyncGenerator<FileRow> {
  const tables = fileTables()
  let next = 0
  let table: FileTable | undefined
  let isFirst = true
  for await (const line of open()) {
    if (isFirst) isFirst = false
    else if (!line.startsWith('[')) {
      const parsed = tableSchema.safeParse(parseLine(line))
      table = parsed.success ? tables[next] : undefined
      next += 1
      if (!parsed.success) continue
      const { table: name, columns } = parsed.data
      if (table?.name !== name || table.columns.join() !== columns.join()) {
        throw unreadable(`table ${name}`)
      }
    } else if (table === undefined) throw unreadable('a row without a table')
    else yield { table, row: parseRow(line, table.columns.length) }
  }
}

/** Yields all lines but the last one, which it passes to `onLast`. */
const signedLines = async function* (
  open: OpenLines,
  mac: (line: string) => void,
  onLast: (line: string) => void,
): AsyncGenerator<string> {
  let before: string | null = null
  for await (const line of open()) {
    if (before !== null) {
      mac(before)
      yield before
    }
    before = line
  }
  onLast(before ?? '')
}

export type CheckedFile = Readonly<{
  header: Header
  manifest: Manifest
  /** Wraps the data key of the workspace. */
  wrappingKey: Uint8Array
}>

/** Reads only the header. @throws {AppError} invalid */
export const readHeader = async (open: OpenLines): Promise<Header> => {
  for await (const line of open()) return parseHeader(line)
  throw unreadable('it is empty')
}

/** @throws {AppError} invalid: the passphrase is not that of the file */
const openKeys = async (keyring: Deps['keyring'], header: Header, passphrase: string) => {
  const keys = await derivePassphraseKeys(passphrase, Buffer.from(header.salt, 'base64url'))
  try {
    keyring.wrapFrom(keys.wrapping, header.data_key, header.workspace)
  } catch (error) {
    throw invalid('The passphrase does not fit this file.', { code: 'passphrase', cause: error })
  }
  return keys
}

/**
 * Reads the whole file and changes nothing. Checks that it was written with this passphrase, that it is complete and unchanged,
 * and that its rows are those that its manifest counts.
 * @throws {AppError} invalid
 */
export const checkFile = async (
  { keyring }: Pick<Deps, 'keyring'>,
  open: OpenLines,
  passphrase: string,
): Promise<CheckedFile> => {
  const header = await readHeader(open)
  const keys = await openKeys(keyring, header, passphrase)
  const mac = createHmac('sha256', keys.mac)
  let lastLine = ''
  let manifestLine = ''
  const lines = signedLines(
    open,
    (line) => {
      mac.update(line).update('\n')
      manifestLine = line
    },
    (line) => {
      lastLine = line
    },
  )
  const contents = await tallyRows(() => lines, header.workspace)
  const expected = macSchema.safeParse(parseLine(lastLine))
  const found = mac.digest()
  const isWhole =
    expected.success &&
    expected.data.mac.length === found.length * 2 &&
    timingSafeEqual(Buffer.from(expected.data.mac, 'hex'), found)
  if (!isWhole) throw unreadable('it is incomplete or was changed')
  const manifest = manifestSchema.parse(parseLine(manifestLine))
  for (const { name } of fileTables()) {
    const [wanted, is] = [manifest.tables[name], contents.get(name) ?? EMPTY()]
    if (wanted?.rows !== is.rows || wanted.sha256 !== is.sha256) throw unreadable(`table ${name}`)
  }
  return { header, manifest, wrappingKey: keys.wrapping }
}

const EMPTY = (): TableContent => createTally({ columns: [], volatile: [] }).end()

const tallyRows = async (
  open: OpenLines,
  ws: string,
): Promise<ReadonlyMap<string, TableContent>> => {
  const tallies = new Map<string, ReturnType<typeof createTally>>()
  for await (const { table, row } of readFileRows(open)) {
    checkRow(table, row, ws)
    const tally = tallies.get(table.name) ?? createTally(table)
    tallies.set(table.name, tally)
    tally.add(row)
  }
  return new Map([...tallies].map(([name, tally]) => [name, tally.end()]))
}

/** Builds the error of a fault that a person must decide about, with the remedy. */
export const cannotEnd = (ws: string, why: string): AppError =>
  new AppError(
    'conflict',
    `${why} Nothing of workspace "${ws}" is active. Remove what was imported: svc workspace discard ${ws}`,
    { code: 'import_differs' },
  )
