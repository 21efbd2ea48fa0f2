/**
 * Bytes that a workspace stores, read in portions along primary keys, so that no statement blocks other work for long.
 * octet_length reads the size of a value from the row's header instead of reading the value.
 */
import { asNumber, asText } from '../column.ts'
import type { Reader } from '../database.ts'
import { raw, sql, valueList } from '../sql.ts'

/** The tables that count. Each is read separately. */
export const STORAGE_SOURCES = [
  'jobs',
  'flow_runs',
  'app_state',
  'function_calls',
  'events',
  'drafts',
  'git_packs',
  'app_function_versions',
] as const
export type StorageSource = (typeof STORAGE_SOURCES)[number]

const size = (column: string): string => `coalesce(octet_length(${column}), 0)`
const sumOf = (expression: string, table: string, where: string): string =>
  `coalesce((SELECT sum(${expression}) FROM ${table} WHERE ${where}), 0)`

/** For each source: its key columns after `ws`, and the bytes that belong to one row. */
const SOURCES: Readonly<
  Record<StorageSource, Readonly<{ key: readonly string[]; bytes: string }>>
> = {
  jobs: {
    key: ['id'],
    bytes: [
      size('r.result'),
      sumOf(`${size('i.input')} + ${size('i.trigger')}`, 'job_inputs i', 'i.job_id = r.id'),
      sumOf(size('l.chunk'), 'job_logs l', 'l.job_id = r.id'),
      sumOf(`${size('s.result')} + ${size('s.error')}`, 'job_steps s', 's.job_id = r.id'),
      sumOf(size('h.entries'), 'job_history h', 'h.job_id = r.id'),
    ].join(' + '),
  },
  flow_runs: {
    key: ['id'],
    bytes: [
      `${size('r.input')} + ${size('r.result')} + ${size('r.trigger')}`,
      sumOf(size('s.result'), 'flow_steps s', 's.run_id = r.id'),
      sumOf(size('w.input'), 'flow_slots w', 'w.run_id = r.id'),
    ].join(' + '),
  },
  app_state: { key: ['app', 'key'], bytes: size('r.value') },
  function_calls: { key: ['app', 'name', 'id'], bytes: size('r.log') },
  events: { key: ['id'], bytes: size('r.data') },
  drafts: {
    key: ['app'],
    bytes: `${size('r.files')} + ${sumOf(size('p.content'), 'draft_parts p', 'p.ws = r.ws AND p.app = r.app')}`,
  },
  // also those of pushes that were not accepted, until they are swept
  git_packs: { key: ['repository_id', 'name'], bytes: 'r.bytes' },
  app_function_versions: {
    key: ['app', 'name', 'hash'],
    bytes: [
      `${size('r.files')} + ${size('r.definition')}`,
      sumOf(`${size('b.code')} + ${size('b.source_map')}`, 'bundles b', 'b.hash = r.bundle_hash'),
      sumOf(
        size('s.content'),
        'json_each(CASE WHEN json_valid(r.shared) THEN r.shared END) e JOIN source_files s ON s.hash = e.value',
        'TRUE',
      ),
    ].join(' + '),
  },
}

/** The values of the key columns at the end of a portion; null before the first row. */
export type StoragePosition = readonly string[] | null

export type StoragePortion = Readonly<{
  bytes: number
  /** Where the next portion starts; null after the last. */
  next: StoragePosition
}>

export type StoragePortionQuery = Readonly<{
  ws: string
  source: StorageSource
  after: StoragePosition
  limit: number
}>

/** Reads the bytes of up to `limit` rows after `after`. */
export const readStoragePortion = async (
  db: Reader,
  { ws, source, after, limit }: StoragePortionQuery,
): Promise<StoragePortion> => {
  const { key, bytes } = SOURCES[source]
  const columns = raw(key.map((column) => `r.${column}`).join(', '))
  const position = after ?? key.map(() => '')
  const rows = await db.all(
    sql`SELECT ${columns}, ${raw(bytes)} AS bytes FROM ${raw(source)} r
      WHERE r.ws = ${ws} AND (${columns}) > (${valueList(position)})
      ORDER BY ${columns} LIMIT ${limit}`,
  )
  const last = rows.length < limit ? undefined : rows.at(-1)
  return {
    bytes: rows.reduce((sum, row) => sum + asNumber(row.bytes), 0),
    next: last === undefined ? null : key.map((column) => asText(last[column])),
  }
}
