/** Device logins (RFC 8628). Only a hash of the device code is stored. */
import type { Database, Statement } from '../database.ts'
import { bool, number, oneOf, type RowOf, row, text } from '../row.ts'
import { SQL_NOW, sql, TRUE } from '../sql.ts'

const DEVICE_LOGIN_STATUSES = ['pending', 'approved', 'denied', 'used'] as const

const deviceLoginRow = row({
  id: text,
  userCode: text,
  status: oneOf(DEVICE_LOGIN_STATUSES),
  email: text.nullable,
  ws: text.nullable,
  intervalS: number,
  /** Milliseconds since the last poll; null before the first. */
  sincePollMs: number.nullable(sql`${SQL_NOW} - last_polled_at`),
  isExpired: bool(sql`expires_at <= ${SQL_NOW}`),
})
export type DeviceLogin = RowOf<typeof deviceLoginRow>

/** Finds the login with this hash of the device code, or null. */
export const findDeviceLoginByHash = (db: Database, hash: string): Promise<DeviceLogin | null> =>
  deviceLoginRow.one(
    db,
    sql`SELECT ${deviceLoginRow.columns()} FROM device_logins WHERE hash = ${hash}`,
  )

/** Finds the login with this user code that waits for approval, or null. */
export const findPendingDeviceLogin = (
  db: Database,
  userCode: string,
): Promise<DeviceLogin | null> =>
  deviceLoginRow.one(
    db,
    sql`SELECT ${deviceLoginRow.columns()} FROM device_logins
      WHERE user_code = ${userCode} AND status = 'pending' AND expires_at > ${SQL_NOW}`,
  )

export type NewDeviceLogin = Readonly<{
  id: string
  hash: string
  userCode: string
  intervalS: number
  lifetimeMs: number
}>

/** Inserts a login. `login` changes no row if another login has the user code; `expired` first deletes an expired one. */
export const insertDeviceLogin = (login: NewDeviceLogin) => ({
  expired: sql`DELETE FROM device_logins WHERE user_code = ${login.userCode} AND status = 'pending'
    AND expires_at <= ${SQL_NOW}`,
  login: sql`INSERT INTO device_logins (id, hash, user_code, status, interval_s, expires_at, created_at)
    VALUES (${login.id}, ${login.hash}, ${login.userCode}, 'pending', ${login.intervalS},
      ${SQL_NOW} + ${login.lifetimeMs}, ${SQL_NOW}) ON CONFLICT DO NOTHING`,
})

/** Records a poll and the interval, in seconds, until the next one. */
export const updateDevicePoll = (id: string, intervalS: number): Statement =>
  sql`UPDATE device_logins SET last_polled_at = ${SQL_NOW}, interval_s = ${intervalS} WHERE id = ${id}`

/** Approves a pending login. Changes no row when it has expired or was decided. */
export const approveDeviceLogin = (id: string, email: string, ws: string): Statement =>
  sql`UPDATE device_logins SET status = 'approved', email = ${email}, ws = ${ws}
    WHERE id = ${id} AND status = 'pending' AND expires_at > ${SQL_NOW}`

/** Denies a pending login. Changes no row when it has expired or was decided. */
export const denyDeviceLogin = (id: string): Statement =>
  sql`UPDATE device_logins SET status = 'denied'
    WHERE id = ${id} AND status = 'pending' AND expires_at > ${SQL_NOW}`

/**
 * Denies logins that a person has approved and whose tokens were not collected. It goes with the end of the person's other sessions,
 * one of which may have approved them. @param guard a condition
 */
export const denyApprovedLogins = (email: string, guard: Statement = TRUE): Statement =>
  sql`UPDATE device_logins SET status = 'denied', email = NULL, ws = NULL
    WHERE email = ${email} AND status = 'approved' AND ${guard}`

/** Marks an approved login as used, at the first poll after the approval. A later poll changes no row. */
export const takeDeviceLogin = (id: string): Statement =>
  sql`UPDATE device_logins SET status = 'used'
    WHERE id = ${id} AND status = 'approved' AND expires_at > ${SQL_NOW}`
