/**
 * The file of a workspace, version 1: lines of JSON in UTF-8 (docs/operating.md).
 *
 * It consists of a header; for each table a line with its columns and a line for each row, an array of values in which a
 * blob is `{"b64": …}`; a manifest with the number and the digest of the rows of each table; and an HMAC over all lines
 * before it. The header contains the data key of the workspace, wrapped by a key of the passphrase, so that encrypted
 * values are copied as they are.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { invalid } from '#core/error.ts'
import { hasMoreValuesThan } from '#core/json/values.ts'
import { isWorkspaceId } from '#core/workspace-id.ts'
import type { SqlValue } from '#store/database.ts'

export const FORMAT_VERSION = 1

export const headerSchema = z.object({
  svc_workspace: z.number().int(),
  /** Identifies this file, also among files of the same workspace. */
  id: z.uuid(),
  workspace: z.string().refine(isWorkspaceId),
  schema: z.number().int(),
  svc: z.string(),
  exported_at: z.iso.datetime(),
  salt: z.base64url(),
  data_key: z.string(),
})
export type Header = z.infer<typeof headerSchema>

export const tableSchema = z.object({ table: z.string(), columns: z.array(z.string()) })

const contentSchema = z.object({ rows: z.number().int(), sha256: z.hex() })
export const manifestSchema = z.object({ tables: z.record(z.string(), contentSchema) })
/** The number of rows of a table, and their digest in order. */
export type TableContent = z.infer<typeof contentSchema>
export type Manifest = z.infer<typeof manifestSchema>

export const macSchema = z.object({ mac: z.hex() })

export type CopiedRow = readonly SqlValue[]

/** Builds the error of a file that does not have the form of its version. */
export const unreadable = (where: string, cause?: unknown): Error =>
  invalid(`The file is damaged, or was not written by svc workspace export: ${where}.`, {
    code: 'workspace_file_unreadable',
    cause,
  })

const toJsonValue = (value: SqlValue) =>
  value instanceof Uint8Array ? { b64: Buffer.from(value).toString('base64') } : value

/** One row as a line, without its end. */
export const toLine = (row: CopiedRow): string => JSON.stringify(row.map(toJsonValue))

const isBlob = (value: unknown): value is Readonly<{ b64: string }> =>
  typeof value === 'object' && value !== null && 'b64' in value && typeof value.b64 === 'string'

const toSqlValue = (value: unknown): SqlValue => {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return value
  if (isBlob(value)) return new Uint8Array(Buffer.from(value.b64, 'base64'))
  throw unreadable('a value of a row')
}

/** @throws {AppError} invalid: the line is not a row with this number of values */
export const parseRow = (line: string, columns: number): CopiedRow => {
  const parsed = parseLine(line)
  // without a schema, because a file may have millions of rows
  if (!Array.isArray(parsed) || parsed.length !== columns) throw unreadable('a row')
  return parsed.map(toSqlValue)
}

/** Values, lists and objects of a line. A row has some for each column, and the manifest some for each table. */
const MOST_VALUES = 10_000

/** @throws {AppError} invalid: it is not JSON, or has more values than any line */
export const parseLine = (line: string): unknown => {
  if (line.length > MOST_VALUES && hasMoreValuesThan(line, MOST_VALUES)) {
    throw unreadable('a line has too many values')
  }
  try {
    return JSON.parse(line)
  } catch (error) {
    throw unreadable('a line is not JSON', error)
  }
}

/** Counts the rows of a table and digests them. */
export const createTally = (
  table: Readonly<{ columns: readonly string[]; volatile: readonly string[] }>,
) => {
  const hash = createHash('sha256')
  const places = table.volatile.map((column) => table.columns.indexOf(column))
  let rows = 0
  return {
    add: (row: CopiedRow): void => {
      rows += 1
      const stable =
        places.length === 0 ? row : row.map((value, at) => (places.includes(at) ? null : value))
      hash.update(toLine(stable)).update('\n')
    },
    end: (): TableContent => ({ rows, sha256: hash.digest('hex') }),
  }
}
