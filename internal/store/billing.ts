/**
 * Credit of workspaces: entries that only ever are added, and their sum. Every entry that takes something away is written
 * by one statement that looks at the sum itself, so that no two calls spend the same won.
 */
import type { Account } from '#core/billing/balance.ts'
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

export type CreditEntry = Readonly<{
  id: string
  kind: 'opening' | 'credit' | 'charge'
  amountWon: number
  note: string | null
  /** Of a charge: what was called, by which key, in which request. */
  route: string | null
  apiKeyId: string | null
  requestId: string | null
  createdAt: number
}>

const COLUMNS = 'id, kind, amount_won, note, route, api_key_id, request_id, created_at'

const toKind = (text: string): CreditEntry['kind'] =>
  text === 'opening' || text === 'charge' ? text : 'credit'

const toCreditEntry = (row: Row): CreditEntry => ({
  id: asText(row.id),
  kind: toKind(asText(row.kind)),
  amountWon: asNumber(row.amount_won),
  note: asTextOrNull(row.note),
  route: asTextOrNull(row.route),
  apiKeyId: asTextOrNull(row.api_key_id),
  requestId: asTextOrNull(row.request_id),
  createdAt: asNumber(row.created_at),
})

const BALANCE = '(SELECT COALESCE(SUM(amount_won), 0) FROM credit_entries WHERE ws = ?)'

/** Null: there is no such workspace. */
export const findAccount = async (db: Database, ws: string): Promise<Account | null> => {
  const row = await db.one(
    sql(
      `SELECT ${BALANCE} AS balance_won, suspended_at IS NOT NULL AS suspended
       FROM workspaces WHERE id = ?`,
      ws,
      ws,
    ),
  )
  return row === null
    ? null
    : { balanceWon: asNumber(row.balance_won), isSuspended: asNumber(row.suspended) === 1 }
}

export const findCreditEntry = async (
  db: Database,
  ws: string,
  id: string,
): Promise<CreditEntry | null> => {
  const row = await db.one(
    sql(`SELECT ${COLUMNS} FROM credit_entries WHERE ws = ? AND id = ?`, ws, id),
  )
  return row === null ? null : toCreditEntry(row)
}

export type CreditPage = Readonly<{ beforeId: string | null; limit: number }>

/** Newest first. */
export const listCreditEntries = async (
  db: Reader,
  ws: string,
  { beforeId, limit }: CreditPage,
): Promise<readonly CreditEntry[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM credit_entries
       WHERE ws = ? AND (? IS NULL OR id < ?) ORDER BY id DESC LIMIT ?`,
      ws,
      beforeId,
      beforeId,
      limit,
    ),
  )
  return rows.map(toCreditEntry)
}

type NewEntry = Omit<CreditEntry, 'createdAt'> & Readonly<{ ws: string }>

const insertEntry = (entry: NewEntry, condition: string, ...args: SqlValue[]): Statement =>
  sql(
    `INSERT INTO credit_entries
       (ws, id, kind, amount_won, note, route, api_key_id, request_id, created_at)
     SELECT ?, ?, ?, ?, ?, ?, ?, ?, ${SQL_NOW} WHERE ${condition} ON CONFLICT (ws, id) DO NOTHING`,
    entry.ws,
    entry.id,
    entry.kind,
    entry.amountWon,
    entry.note,
    entry.route,
    entry.apiKeyId,
    entry.requestId,
    ...args,
  )

const NO_USAGE = { route: null, apiKeyId: null, requestId: null } as const

/** There is one opening entry in a workspace, before all others. */
const OPENING_ID = '00000000-0000-7000-8000-000000000000'

/** Stands right behind the statement that makes the workspace, and is written only when that did. */
export const insertOpeningCreditIfChanged = (ws: string, amountWon: number): Statement =>
  insertEntry(
    { ws, id: OPENING_ID, kind: 'opening', amountWon, note: null, ...NO_USAGE },
    'changes() > 0',
  )

export type NewCredit = Readonly<{ ws: string; id: string; amountWon: number; note: string | null }>

/** Writes nothing where the balance would fall below zero, or the workspace is not there. */
export const insertCredit = (credit: NewCredit): Statement =>
  insertEntry(
    { ...credit, kind: 'credit', ...NO_USAGE },
    `EXISTS (SELECT 1 FROM workspaces WHERE id = ?) AND ${BALANCE} + ? >= 0`,
    credit.ws,
    credit.ws,
    credit.amountWon,
  )

export type NewCharge = Readonly<{
  ws: string
  id: string
  priceWon: number
  route: string
  apiKeyId: string
  requestId: string
}>

/** Writes nothing where the balance does not cover it, or the workspace is suspended. */
export const insertCharge = ({ priceWon, ...charge }: NewCharge): Statement =>
  insertEntry(
    // 0 has a sign of its own, which the database would keep
    { ...charge, kind: 'charge', amountWon: 0 - priceWon, note: null },
    `EXISTS (SELECT 1 FROM workspaces WHERE id = ? AND suspended_at IS NULL) AND ${BALANCE} >= ?`,
    charge.ws,
    charge.ws,
    priceWon,
  )

/** Suspending twice keeps the first time. */
export const updateSuspended = (ws: string, isSuspended: boolean): Statement =>
  sql(
    `UPDATE workspaces SET suspended_at = CASE WHEN ? THEN ${SQL_NOW} END
     WHERE id = ? AND (suspended_at IS NULL) = ?`,
    isSuspended ? 1 : 0,
    ws,
    isSuspended ? 1 : 0,
  )
