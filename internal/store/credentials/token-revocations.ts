/**
 * Revocations of tokens that made very many others, which small writes revoke. Until all are revoked, a row names the token that
 * was revoked, and authentication refuses what is below it. So the revocation takes effect as a whole at once, and any node may
 * continue it after a crash.
 */
import type { Database, Statement } from '../database.ts'
import { row, text } from '../row.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

export type TokenTree = Readonly<{
  ws: string
  id: string
  /** The token that revokes, null for a person. It is left out with what it made. */
  callerId: string | null
}>

/** Milliseconds after which a revocation is taken to be interrupted. A request needs a few seconds for half a million tokens. */
const INTERRUPTED_AFTER_MS = 30_000

const PENDING = sql`token_revocations WHERE ${isNotHeld('ws')}`

/** Milliseconds until the first revocation is due to be continued; null if all have ended. */
export const REVOCATION_MS = sql`(SELECT min(at) FROM ${PENDING}) + ${raw(String(INTERRUPTED_AFTER_MS))} - ${SQL_NOW}`

/** Begins a revocation. It belongs to the write that revokes the token itself. */
export const beginRevocation = ({ ws, id, callerId }: TokenTree): Statement =>
  sql`INSERT INTO token_revocations (ws, token_id, spared_id, at) VALUES (${ws}, ${id}, ${callerId ?? ''}, ${SQL_NOW})
    ON CONFLICT DO NOTHING`

/** Ends a revocation that has revoked all. */
export const endRevocation = ({ ws, id, callerId }: TokenTree): Statement =>
  sql`DELETE FROM token_revocations WHERE ws = ${ws} AND token_id = ${id} AND spared_id = ${callerId ?? ''}`

const treeRow = row({ ws: text, tokenId: text, sparedId: text })

/** Lists the oldest revocations that were interrupted. */
export const listInterruptedRevocations = async (
  db: Database,
  limit: number,
): Promise<readonly TokenTree[]> => {
  const rows = await treeRow.all(
    db,
    sql`SELECT ${treeRow.columns()} FROM ${PENDING} AND at <= ${SQL_NOW} - ${INTERRUPTED_AFTER_MS} ORDER BY at LIMIT ${limit}`,
  )
  return rows.map(({ ws, tokenId, sparedId }) => ({
    ws,
    id: tokenId,
    callerId: sparedId === '' ? null : sparedId,
  }))
}

/**
 * A condition on a token `t`: a token that made it, or that made its maker and so on, is being revoked with all that it made. Only
 * while there is such a revocation in the workspace does it read the makers.
 */
export const IS_BEING_REVOKED = raw(`CASE
  WHEN t.made_by IS NULL OR NOT EXISTS (SELECT 1 FROM token_revocations r WHERE r.ws = t.ws) THEN 0
  ELSE EXISTS (SELECT 1 FROM token_revocations r WHERE r.ws = t.ws AND r.token_id IN (
    WITH RECURSIVE above (id) AS (
      SELECT t.id UNION SELECT m.made_by FROM above JOIN tokens m ON m.id = above.id
        WHERE m.ws = t.ws AND m.made_by IS NOT NULL AND m.id <> r.spared_id)
    SELECT id FROM above)) END`)
