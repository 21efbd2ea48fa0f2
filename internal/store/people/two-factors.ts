/** Second factors of people and their recovery codes [access 22]. A code is valid once: each use is one conditional UPDATE. */
import type { Database, Statement } from '../database.ts'
import { count, type RowOf, row, text, time } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

const twoFactorRow = row({
  email: text,
  wrappedKey: text,
  /** The secret, encrypted with the key of this row. */
  secret: text,
  confirmedAt: time.nullable,
})
export type TwoFactor = RowOf<typeof twoFactorRow>

/** Finds the second factor of a person, confirmed or not. */
export const findTwoFactor = (db: Database, email: string): Promise<TwoFactor | null> =>
  twoFactorRow.one(
    db,
    sql`SELECT ${twoFactorRow.columns()} FROM two_factors WHERE email = ${email}`,
  )

/** A condition: the person has a confirmed second factor. */
export const hasTwoFactor = (email: string): Statement =>
  sql`EXISTS (SELECT 1 FROM two_factors WHERE email = ${email} AND confirmed_at IS NOT NULL)`

export const hasNoTwoFactor = (email: string): Statement => sql`NOT ${hasTwoFactor(email)}`

/** Counts the unused recovery codes. */
export const countRecoveryCodes = (db: Database, email: string): Promise<number> =>
  count(db, sql`SELECT count(*) FROM recovery_codes WHERE email = ${email} AND used_at IS NULL`)

export type NewTwoFactor = Pick<TwoFactor, 'email' | 'wrappedKey' | 'secret'> &
  Readonly<{
    /** The check value of the instance key that wrapped the key. */
    keyCheck: string
  }>

/** Inserts a factor or replaces an unconfirmed one. Changes no row if one is confirmed or the instance key has changed. */
export const offerTwoFactor = (factor: NewTwoFactor): Statement =>
  sql`INSERT INTO two_factors (email, wrapped_key, secret, created_at)
    SELECT ${factor.email}, ${factor.wrappedKey}, ${factor.secret}, ${SQL_NOW}
    WHERE EXISTS (SELECT 1 FROM meta WHERE key = 'instance_key_check' AND value = ${factor.keyCheck})
    ON CONFLICT (email) DO UPDATE SET wrapped_key = excluded.wrapped_key, secret = excluded.secret,
      created_at = excluded.created_at WHERE two_factors.confirmed_at IS NULL`

/** Confirms the offered factor with this secret, which the code of `interval` has proved. */
export const confirmTwoFactor = (
  { email, secret }: Pick<TwoFactor, 'email' | 'secret'>,
  interval: number,
): Statement =>
  sql`UPDATE two_factors SET confirmed_at = ${SQL_NOW}, last_interval = ${interval}
    WHERE email = ${email} AND secret = ${secret} AND confirmed_at IS NULL`

/** Inserts recovery codes if the statement right before it in the batch confirmed the factor. */
export const insertRecoveryCodesIfChanged = (email: string, hashes: readonly string[]): Statement =>
  sql`INSERT INTO recovery_codes (email, hash)
    SELECT ${email}, value FROM json_each(${JSON.stringify(hashes)}) WHERE changes() = 1`

/** Takes the code of an interval. Changes no row if this interval or a later one was already taken. */
export const takeInterval = (email: string, interval: number): Statement =>
  sql`UPDATE two_factors SET last_interval = ${interval}
    WHERE email = ${email} AND confirmed_at IS NOT NULL AND last_interval < ${interval}`

/** Takes a recovery code. Changes no row if it was already taken. */
export const takeRecoveryCode = (email: string, hash: string): Statement =>
  sql`UPDATE recovery_codes SET used_at = ${SQL_NOW}
    WHERE email = ${email} AND hash = ${hash} AND used_at IS NULL`

/** Removes the factor. */
export const deleteTwoFactor = (email: string): Statement =>
  sql`DELETE FROM two_factors WHERE email = ${email}`

/** Removes the factor if the statement right before it in the batch took a code. */
export const deleteTwoFactorIfChanged = (email: string): Statement =>
  sql`DELETE FROM two_factors WHERE email = ${email} AND changes() = 1`

/** Removes the codes if the factor no longer exists. */
export const deleteUnusableCodes = (email: string): Statement =>
  sql`DELETE FROM recovery_codes WHERE email = ${email}
    AND NOT EXISTS (SELECT 1 FROM two_factors WHERE email = ${email})`
