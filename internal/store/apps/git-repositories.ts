/**
 * Repositories of apps, to which clients push. A pack is stored in chunks, in small writes, before the push that brings it is
 * accepted. The one batch that accepts the push names its packs and changes the refs.
 */
import { DAY_MS } from '#core/time-units.ts'
import type { Database, Statement } from '../database.ts'
import { bytes, exists, number, parsed, type RowOf, row, text } from '../row.ts'
import { allOf, listed, SQL_NOW, sql } from '../sql.ts'

/** The object id of each ref. */
export type Refs = ReadonlyMap<string, string>

const parseRefs = (json: string): Refs => {
  const object: Readonly<Record<string, string>> = JSON.parse(json)
  return new Map(Object.entries(object))
}

const repositoryRow = row({ id: text, pushId: text, refs: parsed(parseRefs) })
export type Repository = RowOf<typeof repositoryRow>

/** Finds the repository of an app; null before its first push. */
export const findRepository = (db: Database, ws: string, app: string): Promise<Repository | null> =>
  repositoryRow.one(
    db,
    sql`SELECT ${repositoryRow.columns()} FROM git_repositories WHERE ws = ${ws} AND app = ${app}`,
  )

/** The apps of a workspace that have a repository. */
export const listRepositoryApps = (db: Database, ws: string): Promise<readonly string[]> =>
  text.all(db, sql`SELECT app FROM git_repositories WHERE ws = ${ws}`)

export type RepositoryKey = Readonly<{ ws: string; repositoryId: string }>

const isOf = ({ ws, repositoryId }: RepositoryKey): Statement =>
  sql`ws = ${ws} AND repository_id = ${repositoryId}`

const packRow = row({ name: text, bytes: number })
export type Pack = RowOf<typeof packRow>

/** Lists the packs of accepted pushes. */
export const listPacks = (db: Database, repository: RepositoryKey): Promise<readonly Pack[]> =>
  packRow.all(
    db,
    sql`SELECT ${packRow.columns()} FROM git_packs WHERE ${isOf(repository)} AND push_id IS NOT NULL
      ORDER BY name`,
  )

export type PackKey = RepositoryKey & Readonly<{ name: string }>

/** Announces a pack that is about to be stored. If no push uses it, it is swept after a day. */
export const insertPack = ({ ws, repositoryId, name, bytes: size }: PackKey & Pack): Statement =>
  sql`INSERT INTO git_packs (ws, repository_id, name, bytes, begun_at)
    VALUES (${ws}, ${repositoryId}, ${name}, ${size}, ${SQL_NOW})
    ON CONFLICT (ws, repository_id, name) DO UPDATE SET begun_at = excluded.begun_at
    WHERE push_id IS NULL`

/** Inserts a chunk of a pack. Packs with the same name have the same content, so storing one twice changes nothing. */
export const insertPackChunk = (
  { ws, repositoryId, name }: PackKey,
  seq: number,
  content: Uint8Array,
): Statement =>
  sql`INSERT INTO git_pack_chunks (ws, repository_id, name, seq, content)
    VALUES (${ws}, ${repositoryId}, ${name}, ${seq}, ${content}) ON CONFLICT DO NOTHING`

/** Finds a chunk of a pack; null after the last. */
export const findPackChunk = (
  db: Database,
  { name, ...repository }: PackKey,
  seq: number,
): Promise<Uint8Array | null> =>
  bytes.one(
    db,
    sql`SELECT content FROM git_pack_chunks WHERE ${isOf(repository)} AND name = ${name} AND seq = ${seq}`,
  )

/** A condition: the database has all bytes of these packs. */
const areStored = (repository: RepositoryKey, names: readonly string[]): Statement | null =>
  names.length === 0
    ? null
    : sql`(SELECT count(*) FROM git_packs p WHERE ${isOf(repository)}
        AND name IN ${listed(names)}
        AND bytes = (SELECT sum(octet_length(content)) FROM git_pack_chunks c
          WHERE c.ws = p.ws AND c.repository_id = p.repository_id AND c.name = p.name)) = ${names.length}`

export type RefsChange = Readonly<{
  ws: string
  app: string
  repositoryId: string
  refs: Refs
  /** The packs that the push brings. */
  packs: readonly string[]
  pushId: string
  /** Id of the push that this one follows; null for the first. */
  follows: string | null
  /** A condition that must be true before the batch. */
  isExpected: Statement
}>

/** Matches the error of a batch whose push was overtaken. No other statement sets this column to null. */
const OVERTAKEN = /git_repositories\.push_id/

/** Returns whether a batch failed because its push was overtaken. */
export const wasOvertaken = (error: Readonly<{ message: string }>): boolean =>
  OVERTAKEN.test(error.message)

/**
 * Changes the refs and accepts the packs. If another push came first or the condition is false, the first statement violates
 * a constraint, so that nothing of its batch is written (`wasOvertaken`).
 */
export const changeRefs = (change: RefsChange): readonly Statement[] => {
  const { ws, app, repositoryId, pushId, follows } = change
  const repository = { ws, repositoryId }
  const isNext = allOf(
    sql`(SELECT push_id FROM git_repositories WHERE ws = ${ws} AND app = ${app}) IS ${follows}`,
    change.isExpected,
    areStored(repository, change.packs),
  )
  return [
    sql`INSERT INTO git_repositories (ws, app, id, refs, push_id, changed_at)
      VALUES (${ws}, ${app}, ${repositoryId}, ${JSON.stringify(Object.fromEntries(change.refs))},
        CASE WHEN ${isNext} THEN ${pushId} END, ${SQL_NOW})
      ON CONFLICT (ws, app) DO UPDATE SET refs = excluded.refs, push_id = excluded.push_id,
        changed_at = excluded.changed_at`,
    sql`UPDATE git_packs SET push_id = ${pushId} WHERE ${isOf(repository)} AND push_id IS NULL
      AND name IN ${listed(change.packs)}`,
  ]
}

/** Deletes the repository of an app. Its packs may be large, so the sweep deletes them. */
export const deleteRepositoryOfApp = (ws: string, app: string): readonly Statement[] => [
  sql`UPDATE git_packs SET push_id = NULL, begun_at = 0 WHERE ws = ${ws}
    AND repository_id = (SELECT id FROM git_repositories WHERE ws = ${ws} AND app = ${app})`,
  sql`DELETE FROM git_repositories WHERE ws = ${ws} AND app = ${app}`,
]

/** Not used by a push, and begun longer ago than any push takes. */
const isUnused = sql`push_id IS NULL AND begun_at < ${SQL_NOW} - ${DAY_MS}`

/** Returns whether there is an unused pack. It only reads, so that an idle node writes nothing. */
export const hasUnusedPacks = (db: Database): Promise<boolean> =>
  exists(db, sql`SELECT 1 FROM git_packs WHERE ${isUnused} LIMIT 1`)

/** Deletes up to `limit` chunks of unused packs, then packs without chunks. */
export const deleteUnusedPacks = (limit: number): readonly Statement[] => [
  sql`DELETE FROM git_pack_chunks WHERE rowid IN (SELECT c.rowid
    FROM git_packs p JOIN git_pack_chunks c ON c.ws = p.ws AND c.repository_id = p.repository_id AND c.name = p.name
    WHERE ${isUnused} LIMIT ${limit})`,
  sql`DELETE FROM git_packs WHERE ${isUnused} AND NOT EXISTS (SELECT 1 FROM git_pack_chunks c
    WHERE c.ws = git_packs.ws AND c.repository_id = git_packs.repository_id AND c.name = git_packs.name)`,
]
