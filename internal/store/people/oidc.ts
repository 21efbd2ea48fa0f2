/** Identities of OpenID Connect providers, and the accounts that they sign in to [access 21]. */
import type { Database, Statement } from '../database.ts'
import { type RowOf, row, text } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

export type Identity = Readonly<{ issuer: string; subject: string }>

/** Finds the e-mail address of the identity's account, or null. */
export const findIdentity = (db: Database, { issuer, subject }: Identity): Promise<string | null> =>
  text.one(
    db,
    sql`SELECT email FROM oidc_identities WHERE issuer = ${issuer} AND subject = ${subject}`,
  )

/** Links an identity to an existing account. An identity that is already linked is not changed. */
export const insertIdentity = ({ issuer, subject }: Identity, email: string): Statement =>
  sql`INSERT INTO oidc_identities (issuer, subject, email, created_at)
    SELECT ${issuer}, ${subject}, email, ${SQL_NOW} FROM users WHERE email = ${email}
    ON CONFLICT DO NOTHING`

/** Links an identity to an account if that has no password. */
export const insertIdentityWithoutPassword = (
  { issuer, subject }: Identity,
  email: string,
): Statement =>
  sql`INSERT INTO oidc_identities (issuer, subject, email, created_at)
    SELECT ${issuer}, ${subject}, email, ${SQL_NOW} FROM users
    WHERE email = ${email} AND password_hash IS NULL
    ON CONFLICT DO NOTHING`

/** Marks a state as used. Changes no row if it was used before. */
export const takeState = (hash: string, lifetimeMs: number): Statement =>
  sql`INSERT INTO oidc_states (hash, expires_at) VALUES (${hash}, ${SQL_NOW} + ${lifetimeMs}) ON CONFLICT DO NOTHING`

const linkRow = row({ issuer: text, subject: text, email: text })
export type PendingLink = RowOf<typeof linkRow>

/** Stores an identity until the person has proved the account's password. */
export const insertLink = (hash: string, link: PendingLink, lifetimeMs: number): Statement =>
  sql`INSERT INTO oidc_links (hash, issuer, subject, email, expires_at)
    VALUES (${hash}, ${link.issuer}, ${link.subject}, ${link.email}, ${SQL_NOW} + ${lifetimeMs})
    ON CONFLICT DO NOTHING`

/** Finds a link that waits for the account's password, or null. */
export const findLink = (db: Database, hash: string): Promise<PendingLink | null> =>
  linkRow.one(
    db,
    sql`SELECT ${linkRow.columns()} FROM oidc_links WHERE hash = ${hash} AND expires_at > ${SQL_NOW}`,
  )

/** Deletes a link that was used. */
export const deleteLink = (hash: string): Statement =>
  sql`DELETE FROM oidc_links WHERE hash = ${hash}`
