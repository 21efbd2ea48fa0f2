/** API tokens. Only the hash and the prefix of a token are stored. */
import { z } from 'zod'
import { normalizeEmail } from '#core/access/email.ts'
import { type GrantedScope, isGrantedScope, type Role } from '#core/access/scope.ts'
import type { Database, Row, Statement } from '../database.ts'
import { bool, exists, parsed, type RowOf, row, text, time } from '../row.ts'
import { type IdPage, isBehind } from '../search.ts'
import { listed, SQL_NOW, sql, TRUE } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'
import { IS_BEING_REVOKED, type TokenTree } from './token-revocations.ts'

const tokenRow = row({
  id: text,
  ws: text,
  email: text,
  label: text,
  prefix: text,
  scopes: parsed((json) => scopeList.parse(JSON.parse(json))),
  isAdmin: bool('admin'),
  expiresAt: time.nullable,
  revokedAt: time.nullable,
  createdBy: text,
  /** The token that made it; null if a person did. */
  madeBy: text.nullable,
  createdAt: time,
})
export type Token = RowOf<typeof tokenRow>

const scopeList = z.array(z.string()).transform((scopes) => scopes.filter(isGrantedScope))

/** A token with what decides whether it is valid. */
export type TokenHolder = Readonly<{
  token: Token
  isExpired: boolean
  /** Whether it was revoked, or is among the tokens that are being revoked with the one that made them. */
  isRevoked: boolean
  userDisabled: boolean
  isSuperAdmin: boolean
  /** Null if the user is not an enabled member of the token's workspace. */
  role: Role | null
}>

/** Holders of reused rows. Parsing a row costs as much as the rest of the look-up. */
const holders = new WeakMap<Row, TokenHolder>()

/**
 * Finds a token with all that authentication checks. The database's clock decides whether it has expired. A reused row returns
 * the same object again.
 */
export const findTokenByHash = async (db: Database, hash: string): Promise<TokenHolder | null> => {
  const row = await db.one(
    sql`SELECT ${tokenRow.columns('t')}, t.expires_at IS NOT NULL AND t.expires_at <= ${SQL_NOW} AS expired,
        t.revoked_at IS NOT NULL OR ${IS_BEING_REVOKED} AS revoked,
        u.disabled_at IS NOT NULL AS user_disabled, u.super_admin, m.role
      FROM tokens t JOIN users u ON u.email = t.email
      LEFT JOIN members m ON m.ws = t.ws AND m.email = t.email AND m.disabled_at IS NULL
      WHERE t.hash = ${hash} AND ${isNotHeld('t.ws')}`,
    { reuse: true },
  )
  if (row === null) return null
  const holder = holders.get(row) ?? toHolder(row)
  holders.set(row, holder)
  return holder
}

const toHolder = (row: Row): TokenHolder => ({
  token: tokenRow.read(row),
  isExpired: row.expired === 1,
  isRevoked: row.revoked === 1,
  userDisabled: row.user_disabled === 1,
  isSuperAdmin: row.super_admin === 1,
  role: row.role === 'admin' || row.role === 'member' ? row.role : null,
})

/** Finds a token of the workspace, even if it is revoked. */
export const findToken = (db: Database, ws: string, id: string): Promise<Token | null> =>
  tokenRow.one(
    db,
    sql`SELECT ${tokenRow.columns('t')} FROM tokens t WHERE t.id = ${id} AND t.ws = ${ws}`,
  )

/** Lists the tokens of a workspace, newest first. */
export const listTokens = (
  db: Database,
  ws: string,
  { beforeId, limit }: IdPage,
): Promise<readonly Token[]> =>
  tokenRow.all(
    db,
    sql`SELECT ${tokenRow.columns('t')} FROM tokens t WHERE t.ws = ${ws}
      AND ${isBehind('t.id', beforeId)}
      ORDER BY t.id DESC LIMIT ${limit}`,
  )

export type NewToken = Readonly<{
  id: string
  ws: string
  email: string
  label: string
  hash: string
  prefix: string
  scopes: readonly GrantedScope[]
  isAdmin: boolean
  expiresInDays: number | null
  createdBy: string
  /** The token that makes it; null if a person does. */
  madeBy: string | null
  /** Whether its owner has to be a member, which super admins need not be. */
  needsMember: boolean
}>

/**
 * Inserts a token that expires after `expiresInDays`, or never if that is null. Inserts nothing if the token that makes it was
 * revoked meanwhile, or its owner removed from the workspace.
 * @param guard a further condition
 */
export const insertToken = (token: NewToken, guard: Statement = TRUE): Statement =>
  sql`INSERT INTO tokens (id, ws, email, label, hash, prefix, scopes, admin, expires_at, created_by, made_by, created_at)
    SELECT ${token.id}, ${token.ws}, ${token.email}, ${token.label}, ${token.hash}, ${token.prefix},
      ${JSON.stringify(token.scopes)}, ${token.isAdmin}, ${SQL_NOW} + ${token.expiresInDays} * 86400000,
      ${token.createdBy}, ${token.madeBy}, ${SQL_NOW}
    WHERE (${token.madeBy} IS NULL
        OR EXISTS (SELECT 1 FROM tokens t WHERE t.id = ${token.madeBy} AND t.ws = ${token.ws} AND t.revoked_at IS NULL
          AND NOT ${IS_BEING_REVOKED}))
      AND (NOT ${token.needsMember}
        OR EXISTS (SELECT 1 FROM members WHERE ws = ${token.ws} AND email = ${token.email}))
      AND ${guard}
    ON CONFLICT (id) DO NOTHING`

/** Inserts a token if the statement right before it in the batch changed a row. */
export const insertTokenIfChanged = (token: NewToken): Statement =>
  insertToken(token, sql`changes() > 0`)

/**
 * Revokes a token with few others: the tokens that it made, and those that they made. Revoking twice keeps the first time.
 * The token that revokes stays valid with what it made, unless it revokes itself.
 */
export const revokeToken = ({ ws, id, callerId }: TokenTree): Statement =>
  sql`UPDATE tokens SET revoked_at = ${SQL_NOW} WHERE ws = ${ws} AND revoked_at IS NULL AND id IN (
      WITH RECURSIVE revoked (id) AS (
        SELECT ${id} UNION SELECT t.id FROM tokens t JOIN revoked ON t.made_by = revoked.id
          WHERE revoked.id IS NOT ${callerId} AND t.id IS NOT ${callerId})
      SELECT id FROM revoked)`

/** Revokes these tokens alone. Revoking twice keeps the first time. */
export const revokeTokens = (ws: string, ids: readonly string[]): Statement =>
  sql`UPDATE tokens SET revoked_at = ${SQL_NOW} WHERE ws = ${ws} AND revoked_at IS NULL AND id IN ${listed(ids)}`

/** Returns whether one of these tokens is not revoked. */
export const hasUnrevoked = (db: Database, ids: readonly string[]): Promise<boolean> =>
  exists(db, sql`SELECT 1 FROM tokens WHERE id IN ${listed(ids)} AND revoked_at IS NULL`)

export type MadePage = Readonly<{ ws: string; makerId: string; afterId: string; limit: number }>

/** Lists the ids of the tokens that a token made, in order. */
export const listTokensMadeBy = (
  db: Database,
  { ws, makerId, afterId, limit }: MadePage,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT id FROM tokens INDEXED BY tokens_by_maker WHERE made_by = ${makerId} AND ws = ${ws} AND id > ${afterId}
      ORDER BY id LIMIT ${limit}`,
  )

/** Lists those of these tokens that made others. */
export const listMakers = (db: Database, ids: readonly string[]): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT value FROM json_each(${JSON.stringify(ids)}) WHERE EXISTS (SELECT 1 FROM tokens t WHERE t.made_by = value)`,
  )

/** A place in the order of a person's tokens: by workspace and id. */
export type TokenPlace = Readonly<{ ws: string; id: string }>

const tokenPlace = row({ ws: text, id: text })

export type OwnedTokens = Readonly<{
  /** Null for the tokens of all workspaces. */
  ws: string | null
  /** Normalized. */
  email: string
  /** Null starts with the first token. */
  after: TokenPlace | null
  limit: number
}>

/** Lists the tokens of a person after one, by workspace and id. */
export const listTokensOf = (
  db: Database,
  { ws, email, after, limit }: OwnedTokens,
): Promise<readonly TokenPlace[]> => {
  const afterId = after?.id ?? ''
  const isNext =
    ws === null
      ? sql`(ws, id) > (${after?.ws ?? ''}, ${afterId})`
      : sql`ws = ${ws} AND id > ${afterId}`
  return tokenPlace.all(
    db,
    sql`SELECT ${tokenPlace.columns()} FROM tokens INDEXED BY tokens_by_owner
      WHERE email = ${email} AND ${isNext} ORDER BY ws, id LIMIT ${limit}`,
  )
}

/** Deletes these tokens. */
export const deleteTokens = (ids: readonly string[]): Statement =>
  sql`DELETE FROM tokens WHERE id IN ${listed(ids)}`

/**
 * Revokes tokens. Runs after the removal of the member in the same batch, so that old tokens stay invalid after a new invite.
 * @param afterId leaves out the tokens up to this one; an empty text leaves out none
 */
export const revokeTokensOfRemoved = (ws: string, email: string, afterId: string): Statement =>
  sql`UPDATE tokens INDEXED BY tokens_by_owner SET revoked_at = ${SQL_NOW}
    WHERE email = ${normalizeEmail(email)} AND ws = ${ws} AND id > ${afterId} AND revoked_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM members m WHERE m.ws = tokens.ws AND m.email = tokens.email)`
