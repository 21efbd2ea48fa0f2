/** API tokens: hash and prefix, never the text (document 1, Token responses). */
import { z } from 'zod'
import { type GrantedScope, isGrantedScope, type Role } from '#core/access/scope.ts'
import { normalizeEmail } from '#core/email.ts'
import { asNumber, asNumberOrNull, asText } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type Token = Readonly<{
  id: string
  ws: string
  email: string
  label: string
  prefix: string
  scopes: readonly GrantedScope[]
  isAdmin: boolean
  expiresAt: number | null
  revokedAt: number | null
  createdBy: string
  createdAt: number
}>

const scopeList = z.array(z.string()).transform((scopes) => scopes.filter(isGrantedScope))

const toToken = (row: Row): Token => ({
  id: asText(row.id),
  ws: asText(row.ws),
  email: asText(row.email),
  label: asText(row.label),
  prefix: asText(row.prefix),
  scopes: scopeList.parse(JSON.parse(asText(row.scopes))),
  isAdmin: asNumber(row.admin) === 1,
  expiresAt: asNumberOrNull(row.expires_at),
  revokedAt: asNumberOrNull(row.revoked_at),
  createdBy: asText(row.created_by),
  createdAt: asNumber(row.created_at),
})

const COLUMNS =
  't.id, t.ws, t.email, t.label, t.prefix, t.scopes, t.admin, t.expires_at, t.revoked_at, t.created_by, t.created_at'

/** A token with what decides whether it still counts. */
export type TokenHolder = Readonly<{
  token: Token
  isExpired: boolean
  userDisabled: boolean
  isSuperAdmin: boolean
  /** Null: no enabled member of the token's workspace. */
  role: Role | null
}>

/** One read for the whole check; expiry is decided by the database's clock. */
export const findTokenByHash = async (db: Database, hash: string): Promise<TokenHolder | null> => {
  const row = await db.one(
    sql(
      `SELECT ${COLUMNS}, t.expires_at IS NOT NULL AND t.expires_at <= ${SQL_NOW} AS expired,
         u.disabled_at IS NOT NULL AS user_disabled, u.super_admin, m.role
       FROM tokens t JOIN users u ON u.email = t.email
       LEFT JOIN members m ON m.ws = t.ws AND m.email = t.email AND m.disabled_at IS NULL
       WHERE t.hash = ?`,
      hash,
    ),
  )
  if (row === null) return null
  return {
    token: toToken(row),
    isExpired: row.expired === 1,
    userDisabled: row.user_disabled === 1,
    isSuperAdmin: row.super_admin === 1,
    role: row.role === 'admin' || row.role === 'member' ? row.role : null,
  }
}

export const findToken = async (db: Database, ws: string, id: string): Promise<Token | null> => {
  const row = await db.one(
    sql(`SELECT ${COLUMNS} FROM tokens t WHERE t.id = ? AND t.ws = ?`, id, ws),
  )
  return row === null ? null : toToken(row)
}

export type TokenPage = Readonly<{ beforeId: string | null; limit: number }>

/** Newest first. */
export const listTokens = async (
  db: Database,
  ws: string,
  { beforeId, limit }: TokenPage,
): Promise<readonly Token[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM tokens t WHERE t.ws = ? AND (? IS NULL OR t.id < ?)
       ORDER BY t.id DESC LIMIT ?`,
      ws,
      beforeId,
      beforeId,
      limit,
    ),
  )
  return rows.map(toToken)
}

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
}>

export const insertToken = (token: NewToken): Statement =>
  sql(
    `INSERT INTO tokens (id, ws, email, label, hash, prefix, scopes, admin, expires_at, created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${SQL_NOW} + ? * 86400000, ?, ${SQL_NOW})
     ON CONFLICT (id) DO NOTHING`,
    token.id,
    token.ws,
    token.email,
    token.label,
    token.hash,
    token.prefix,
    JSON.stringify(token.scopes),
    token.isAdmin ? 1 : 0,
    token.expiresInDays,
    token.createdBy,
  )

/** Revoking twice keeps the first time. */
export const revokeToken = (ws: string, id: string): Statement =>
  sql(
    `UPDATE tokens SET revoked_at = ${SQL_NOW} WHERE id = ? AND ws = ? AND revoked_at IS NULL`,
    id,
    ws,
  )

/** Goes after the removal of the member, in the same batch: who joins again begins without the old tokens. */
export const revokeTokensOfRemoved = (ws: string, email: string): Statement =>
  sql(
    `UPDATE tokens SET revoked_at = ${SQL_NOW} WHERE ws = ? AND email = ? AND revoked_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM members m WHERE m.ws = tokens.ws AND m.email = tokens.email)`,
    ws,
    normalizeEmail(email),
  )
