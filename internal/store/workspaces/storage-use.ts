/**
 * Bytes that a workspace stores, read in portions along primary keys, so that no statement blocks other work for long.
 * octet_length reads the size of a value from the row's header instead of reading the value.
 */
import { asNumber, asText } from '../column.ts'
import type { Reader } from '../database.ts'
import { text } from '../row.ts'
import { raw, sql, TRUE, valueList } from '../sql.ts'

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

type Source = Readonly<{
  /** The key columns after `ws`. */
  key: readonly string[]
  /** The bytes that belong to one row. */
  bytes: string
  /** The tables of which a row of `id` may have thousands, with the column that names it. @default none */
  many?: readonly (readonly [table: string, owner: string])[]
}>

const SOURCES: Readonly<Record<StorageSource, Source>> = {
  jobs: {
    key: ['id'],
    bytes: [
      size('r.result'),
      sumOf(`${size('i.input')} + ${size('i.trigger')}`, 'job_inputs i', 'i.job_id = r.id'),
      sumOf(size('l.chunk'), 'job_logs l', 'l.job_id = r.id'),
      sumOf(`${size('s.result')} + ${size('s.error')}`, 'job_steps s', 's.job_id = r.id'),
      sumOf(size('h.entries'), 'job_history h', 'h.job_id = r.id'),
    ].join(' + '),
    many: [
      ['job_logs', 'job_id'],
      ['job_steps', 'job_id'],
    ],
  },
  flow_runs: {
    key: ['id'],
    bytes: [
      `${size('r.input')} + ${size('r.result')} + ${size('r.trigger')}`,
      sumOf(size('s.result'), 'flow_steps s', 's.run_id = r.id'),
      sumOf(size('w.input'), 'flow_slots w', 'w.run_id = r.id'),
    ].join(' + '),
    many: [['flow_slots', 'run_id']],
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

/** Rows of one table in `many` that a portion reads in about 5 ms, unless a single job or run has more. */
const MOST_OF_MANY = 5_000

/** Returns the id with which a portion has that many of these rows; null if it has fewer. */
const idOfMost = async (
  db: Reader,
  { ws, source, after, limit }: StoragePortionQuery,
): Promise<string | null> => {
  const ids: string[] = []
  for (const [table, owner] of SOURCES[source].many ?? []) {
    const id = await text.one(
      db,
      sql`SELECT r.id FROM (SELECT id FROM ${raw(source)} WHERE ws = ${ws} AND id > ${after?.[0] ?? ''} ORDER BY id LIMIT ${limit}) r
        CROSS JOIN ${raw(table)} c ON c.${raw(owner)} = r.id LIMIT 1 OFFSET ${MOST_OF_MANY - 1}`,
    )
    if (id !== null) ids.push(id)
  }
  return ids.toSorted()[0] ?? null
}

/** Reads the bytes of up to `limit` rows after `after`. */
export const readStoragePortion = async (
  db: Reader,
  query: StoragePortionQuery,
): Promise<StoragePortion> => {
  const { ws, source, after, limit } = query
  const { key, bytes } = SOURCES[source]
  const columns = raw(key.map((column) => `r.${column}`).join(', '))
  const position = after ?? key.map(() => '')
  const until = await idOfMost(db, query)
  const isWithin = until === null ? TRUE : sql`r.id <= ${until}`
  const rows = await db.all(
    sql`SELECT ${columns}, ${raw(bytes)} AS bytes FROM ${raw(source)} r
      WHERE r.ws = ${ws} AND (${columns}) > (${valueList(position)}) AND ${isWithin}
      ORDER BY ${columns} LIMIT ${limit}`,
  )
  const last = rows.length < limit && until === null ? undefined : rows.at(-1)
  return {
    bytes: rows.reduce((sum, row) => sum + asNumber(row.bytes), 0),
    next: last === undefined ? null : key.map((column) => asText(last[column])),
  }
}
