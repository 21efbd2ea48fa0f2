/** Device logins (RFC 8628): of the device's own code only the hash. */
import { asNumber, asNumberOrNull, asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

const DEVICE_LOGIN_STATUSES = ['pending', 'approved', 'denied', 'used'] as const
export type DeviceLoginStatus = (typeof DEVICE_LOGIN_STATUSES)[number]

export type DeviceLogin = Readonly<{
  id: string
  userCode: string
  status: DeviceLoginStatus
  email: string | null
  ws: string | null
  intervalS: number
  /** Milliseconds since the last poll; null before the first. */
  sincePollMs: number | null
  isExpired: boolean
}>

const COLUMNS = `id, user_code, status, email, ws, interval_s,
  ${SQL_NOW} - last_polled_at AS since_poll, expires_at <= ${SQL_NOW} AS expired`

const toDeviceLogin = (row: Row): DeviceLogin => {
  const status = DEVICE_LOGIN_STATUSES.find((known) => known === row.status)
  if (status === undefined) throw new Error(`Unknown device login status ${row.status}.`)
  return {
    id: asText(row.id),
    userCode: asText(row.user_code),
    status,
    email: asTextOrNull(row.email),
    ws: asTextOrNull(row.ws),
    intervalS: asNumber(row.interval_s),
    sincePollMs: asNumberOrNull(row.since_poll),
    isExpired: row.expired === 1,
  }
}

export const findDeviceLoginByHash = async (
  db: Database,
  hash: string,
): Promise<DeviceLogin | null> => {
  const row = await db.one(sql(`SELECT ${COLUMNS} FROM device_logins WHERE hash = ?`, hash))
  return row === null ? null : toDeviceLogin(row)
}

/** One that waits for its person. */
export const findPendingDeviceLogin = async (
  db: Database,
  userCode: string,
): Promise<DeviceLogin | null> => {
  const row = await db.one(
    sql(
      `SELECT ${COLUMNS} FROM device_logins
       WHERE user_code = ? AND status = 'pending' AND expires_at > ${SQL_NOW}`,
      userCode,
    ),
  )
  return row === null ? null : toDeviceLogin(row)
}

export type NewDeviceLogin = Readonly<{
  id: string
  hash: string
  userCode: string
  intervalS: number
  lifetimeMs: number
}>

/** Changes no row when the user code is another's; an expired holder gives it up first. */
export const insertDeviceLogin = (login: NewDeviceLogin): readonly Statement[] => [
  sql(
    `DELETE FROM device_logins WHERE user_code = ? AND status = 'pending' AND expires_at <= ${SQL_NOW}`,
    login.userCode,
  ),
  sql(
    `INSERT INTO device_logins (id, hash, user_code, status, interval_s, expires_at, created_at)
     VALUES (?, ?, ?, 'pending', ?, ${SQL_NOW} + ?, ${SQL_NOW}) ON CONFLICT DO NOTHING`,
    login.id,
    login.hash,
    login.userCode,
    login.intervalS,
    login.lifetimeMs,
  ),
]

export const updateDevicePoll = (id: string, intervalS: number): Statement =>
  sql(
    `UPDATE device_logins SET last_polled_at = ${SQL_NOW}, interval_s = ? WHERE id = ?`,
    intervalS,
    id,
  )

export const approveDeviceLogin = (id: string, email: string, ws: string): Statement =>
  sql(
    `UPDATE device_logins SET status = 'approved', email = ?, ws = ?
     WHERE id = ? AND status = 'pending' AND expires_at > ${SQL_NOW}`,
    email,
    ws,
    id,
  )

export const denyDeviceLogin = (id: string): Statement =>
  sql(
    `UPDATE device_logins SET status = 'denied'
     WHERE id = ? AND status = 'pending' AND expires_at > ${SQL_NOW}`,
    id,
  )

/** The first poll after the approval takes it; another changes no row. */
export const takeDeviceLogin = (id: string): Statement =>
  sql(
    `UPDATE device_logins SET status = 'used'
     WHERE id = ? AND status = 'approved' AND expires_at > ${SQL_NOW}`,
    id,
  )
