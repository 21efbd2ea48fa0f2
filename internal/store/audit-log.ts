/** Who did what (issue "Access"). An entry stands in the batch of the change that it tells of, so neither is without the other. */
import type { Actor } from '#core/actor.ts'
import { asNumber, asText, asTextOrNull } from './column.ts'
import {
  type Database,
  type Reader,
  type Row,
  SQL_NOW,
  type SqlValue,
  type Statement,
  sql,
} from './database.ts'

export type AuditEntry = Readonly<{
  id: string
  ws: string | null
  identity: string
  credentialKind: string
  credentialPrefix: string | null
  address: string | null
  /** `<noun>.<past participle>`: `token.revoked`. */
  action: string
  /** What it was done to: an id, a key, an e-mail address; never a secret. */
  target: string
  at: number
}>

export type NewAuditEntry = Readonly<{
  id: string
  /** Null: an act on the instance. */
  ws: string | null
  actor: Actor
  action: string
  target: string
}>

const insert = (entry: NewAuditEntry, condition: string): Statement =>
  sql(
    `INSERT INTO audit_log (id, ws, identity, credential_kind, credential_prefix, address, action, target, at)
     SELECT ?, ?, ?, ?, ?, ?, ?, ?, ${SQL_NOW} WHERE ${condition} ON CONFLICT (id) DO NOTHING`,
    entry.id,
    entry.ws,
    entry.actor.identity,
    entry.actor.credentialKind,
    entry.actor.credentialPrefix,
    entry.actor.address,
    entry.action,
    entry.target,
  )

/** Stands right behind the statement that it tells of, and is written only when that changed a row. */
export const insertAuditEntryIfChanged = (entry: NewAuditEntry): Statement =>
  insert(entry, 'changes() > 0')

/** For requests that are on record whether they change something or not. */
export const insertAuditEntry = (entry: NewAuditEntry): Statement => insert(entry, '1')

const toAuditEntry = (row: Row): AuditEntry => ({
  id: asText(row.id),
  ws: asTextOrNull(row.ws),
  identity: asText(row.identity),
  credentialKind: asText(row.credential_kind),
  credentialPrefix: asTextOrNull(row.credential_prefix),
  address: asTextOrNull(row.address),
  action: asText(row.action),
  target: asText(row.target),
  at: asNumber(row.at),
})

export type AuditFilter = Readonly<{
  identity: string | null
  action: string | null
  /** Milliseconds since 1970, both inclusive. */
  since: number | null
  until: number | null
}>

export type AuditPage = Readonly<{ beforeId: string | null; limit: number }>

/** Newest first. @param ws null: acts on the instance */
export const listAuditEntries = async (
  db: Reader,
  ws: string | null,
  { identity, action, since, until, beforeId, limit }: AuditFilter & AuditPage,
): Promise<readonly AuditEntry[]> => {
  const conditions: readonly (readonly [string, SqlValue])[] = [
    ['ws IS ?', ws],
    ...(identity === null ? [] : [['identity = ?', identity] as const]),
    ...(action === null ? [] : [['action = ?', action] as const]),
    ...(since === null ? [] : [['at >= ?', since] as const]),
    ...(until === null ? [] : [['at <= ?', until] as const]),
    ...(beforeId === null ? [] : [['id < ?', beforeId] as const]),
  ]
  const rows = await db.all(
    sql(
      `SELECT * FROM audit_log INDEXED BY audit_log_by_workspace
       WHERE ${conditions.map(([text]) => text).join(' AND ')} ORDER BY id DESC LIMIT ?`,
      ...conditions.map(([, arg]) => arg),
      limit,
    ),
  )
  return rows.map(toAuditEntry)
}

const isOlder = `at < ${SQL_NOW} - ? * 86400000`

/** A look without a write: an idle node writes nothing. */
export const hasOldAuditEntries = async (db: Database, days: number): Promise<boolean> =>
  (await db.one(sql(`SELECT 1 FROM audit_log WHERE ${isOlder} LIMIT 1`, days))) !== null

/** At most `limit` rows, the oldest first, of all workspaces and of the instance. */
export const deleteOldAuditEntries = (days: number, limit: number): Statement =>
  sql(
    `DELETE FROM audit_log WHERE id IN
       (SELECT id FROM audit_log WHERE ${isOlder} ORDER BY at LIMIT ?)`,
    days,
    limit,
  )
