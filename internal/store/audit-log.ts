/** The audit log: who did what. Each entry is in the batch of the change that it records, so neither exists without the other. */

import type { Actor } from '#core/access/actor.ts'
import type { Database, Reader, Statement } from './database.ts'
import { identityName } from './people/identity-name.ts'
import { exists, type RowOf, row, text, time } from './row.ts'
import { type IdPage, positionOf, searchRows } from './search.ts'
import { allOf, raw, SQL_NOW, sql, TRUE } from './sql.ts'
import { ID_SLACK_MS, idSpan, smallestIdAt } from './uuid-bounds.ts'

/**
 * The name that people know the target by, such as the label of a token, the action of a job or the device of a session. It
 * is read from the table of the noun in `action`. Null for targets that are names themselves, and for deleted ones.
 */
const TARGET_NAME = sql`CASE substr(action, 1, instr(action, '.') - 1)
    WHEN 'token' THEN (SELECT label FROM tokens t WHERE t.ws = audit_log.ws AND t.id = target)
    WHEN 'api_key' THEN (SELECT name FROM api_keys k WHERE k.ws = audit_log.ws AND k.key_id = target)
    WHEN 'consumer' THEN (SELECT name FROM consumers c WHERE c.ws = audit_log.ws AND c.id = target)
    WHEN 'consumer_key' THEN (SELECT c.name || ': ' || k.label FROM consumer_keys k
      JOIN consumers c ON c.ws = k.ws AND c.id = k.consumer_id WHERE k.ws = audit_log.ws AND k.id = target)
    WHEN 'git_source' THEN (SELECT name FROM git_sources g WHERE g.ws = audit_log.ws AND g.id = target)
    WHEN 'schedule' THEN (SELECT app || '/' || COALESCE(s.action, s.flow) || ' ' || cron FROM schedules s
      WHERE s.ws = audit_log.ws AND s.id = target)
    WHEN 'flow_link' THEN (SELECT app || '/' || flow FROM flow_links l WHERE l.ws = audit_log.ws AND l.id = target)
    WHEN 'invite' THEN (SELECT email FROM invites i WHERE i.ws = audit_log.ws AND i.id = target)
    WHEN 'job' THEN (SELECT app || '/' || j.action FROM jobs j WHERE j.ws = audit_log.ws AND j.id = target)
    WHEN 'flow_run' THEN (SELECT app || '/' || r.flow FROM flow_runs r WHERE r.ws = audit_log.ws AND r.id = target)
    WHEN 'session' THEN (SELECT COALESCE(s.device, s.address) FROM sessions s WHERE s.id = target)
    WHEN 'view_token' THEN (SELECT app || '/' || j.action FROM jobs j
      WHERE j.ws = audit_log.ws AND j.id = substr(target, 1, 36)) END`

const auditEntryRow = row({
  id: text,
  ws: text.nullable,
  identity: text,
  identityName: text.nullable(identityName('audit_log.identity', 'audit_log.ws')),
  credentialKind: text,
  credentialPrefix: text.nullable,
  address: text.nullable,
  /** `<noun>.<past participle>`: `token.revoked`. */
  action: text,
  /** What the action was done to: an id, a key or an e-mail address, never a secret. */
  target: text,
  targetName: text.nullable(TARGET_NAME),
  at: time,
})
export type AuditEntry = RowOf<typeof auditEntryRow>

export type NewAuditEntry = Readonly<{
  id: string
  /** Null for an action on the instance. */
  ws: string | null
  actor: Actor
  action: string
  target: string
}>

/** Inserts an entry for a request that is recorded whether it changes something or not. @param guard a condition */
export const insertAuditEntry = (entry: NewAuditEntry, guard: Statement = TRUE): Statement =>
  sql`INSERT INTO audit_log (id, ws, identity, credential_kind, credential_prefix, address, action, target, at)
    SELECT ${entry.id}, ${entry.ws}, ${entry.actor.identity}, ${entry.actor.credentialKind},
      ${entry.actor.credentialPrefix}, ${entry.actor.address}, ${entry.action}, ${entry.target}, ${SQL_NOW}
    WHERE ${guard} ON CONFLICT (id) DO NOTHING`

const HAS_CHANGED = sql`changes() > 0`

/** Inserts an entry if the statement right before it in the batch changed a row. */
export const insertAuditEntryIfChanged = (entry: NewAuditEntry): Statement =>
  insertAuditEntry(entry, HAS_CHANGED)

/** Returns a row if the entry exists. In the batch of its change, this also holds if the batch runs again. */
export const readAuditEntry = (id: string): Statement =>
  sql`SELECT 1 FROM audit_log WHERE id = ${id}`

export type AuditFilter = Readonly<{
  identity: string | null
  action: string | null
  /** Milliseconds since 1970. Both bounds are inclusive. */
  since: number | null
  until: number | null
}>

/** Lists the entries of a workspace, newest first. @param ws null for actions on the instance */
export const listAuditEntries = (
  db: Reader,
  ws: string | null,
  { identity, action, since, until, beforeId, limit }: AuditFilter & IdPage,
): Promise<readonly AuditEntry[]> => {
  const list = {
    from: raw('audit_log INDEXED BY audit_log_by_workspace'),
    within: sql`ws IS ${ws}`,
    span: idSpan({ since, until }),
    matching: allOf(
      identity === null ? null : sql`identity = ${identity}`,
      action === null ? null : sql`action = ${action}`,
      since === null ? null : sql`at >= ${since}`,
      until === null ? null : sql`at <= ${until}`,
    ),
    key: ['id'],
  }
  return searchRows(db, list, {
    columns: auditEntryRow.columns(),
    read: (page) => auditEntryRow.all(db, page),
    before: positionOf(beforeId),
    limit,
  })
}

export type AuditEvent = Readonly<{
  /** Null for an action on the instance. */
  ws: string | null
  action: string
  target: string
  /** Milliseconds since 1970, inclusive. */
  since: number
}>

/** Returns whether something was done to the target since then. */
export const hasAuditEntry = (
  db: Database,
  { ws, action, target, since }: AuditEvent,
): Promise<boolean> =>
  exists(
    db,
    sql`SELECT 1 FROM audit_log INDEXED BY audit_log_by_workspace
      WHERE ws IS ${ws} AND id >= ${smallestIdAt(since - ID_SLACK_MS)}
      AND action = ${action} AND target = ${target} AND at >= ${since}`,
  )
