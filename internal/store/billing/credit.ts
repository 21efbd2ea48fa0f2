/**
 * Credit of workspaces: append-only entries and their sum. One statement both checks the sum and writes an entry that
 * reduces it, so that two calls cannot spend the same amount.
 */
import type { Account } from '#core/billing/balance.ts'
import type { Database, Reader, Statement } from '../database.ts'
import { bool, number, oneOf, type RowOf, row, text, time } from '../row.ts'
import { type IdPage, isBehind } from '../search.ts'
import { allOf, SQL_NOW, sql } from '../sql.ts'

const creditEntryRow = row({
  id: text,
  kind: oneOf(['opening', 'credit', 'charge']),
  amountWon: number,
  note: text.nullable,
  /** Route, key and request of a charge; null in other entries. */
  route: text.nullable,
  apiKeyId: text.nullable,
  requestId: text.nullable,
  createdAt: time,
})
export type CreditEntry = RowOf<typeof creditEntryRow>

const balanceOf = (ws: string): Statement =>
  sql`(SELECT COALESCE(SUM(amount_won), 0) FROM credit_entries WHERE ws = ${ws})`

const accountRow = row({ balanceWon: number, isSuspended: bool('suspended') })

/** Finds the credit of a workspace; null if the workspace does not exist. */
export const findAccount = (db: Database, ws: string): Promise<Account | null> =>
  accountRow.one(
    db,
    sql`SELECT ${balanceOf(ws)} AS balance_won, suspended_at IS NOT NULL AS suspended
      FROM workspaces WHERE id = ${ws}`,
  )

/** Finds an entry of the workspace's credit. */
export const findCreditEntry = (
  db: Database,
  ws: string,
  id: string,
): Promise<CreditEntry | null> =>
  creditEntryRow.one(
    db,
    sql`SELECT ${creditEntryRow.columns()} FROM credit_entries WHERE ws = ${ws} AND id = ${id}`,
  )

/** Lists the entries of a workspace, newest first. */
export const listCreditEntries = (
  db: Reader,
  ws: string,
  { beforeId, limit }: IdPage,
): Promise<readonly CreditEntry[]> =>
  creditEntryRow.all(
    db,
    sql`SELECT ${creditEntryRow.columns()} FROM credit_entries
      WHERE ws = ${ws} AND ${isBehind('id', beforeId)} ORDER BY id DESC LIMIT ${limit}`,
  )

type NewEntry = Omit<CreditEntry, 'createdAt'> & Readonly<{ ws: string }>

const insertEntry = (entry: NewEntry, condition: Statement): Statement =>
  sql`INSERT INTO credit_entries
      (ws, id, kind, amount_won, note, route, api_key_id, request_id, created_at)
    SELECT ${entry.ws}, ${entry.id}, ${entry.kind}, ${entry.amountWon}, ${entry.note}, ${entry.route},
      ${entry.apiKeyId}, ${entry.requestId}, ${SQL_NOW}
    WHERE ${condition} ON CONFLICT (ws, id) DO NOTHING`

const NO_USAGE = { route: null, apiKeyId: null, requestId: null } as const

/** Id of a workspace's only opening entry. It sorts before all others. */
const OPENING_ID = '00000000-0000-7000-8000-000000000000'

/** Inserts the opening entry if the statement right before it in the batch created the workspace. */
export const insertOpeningCreditIfChanged = (ws: string, amountWon: number): Statement =>
  insertEntry(
    { ws, id: OPENING_ID, kind: 'opening', amountWon, note: null, ...NO_USAGE },
    sql`changes() > 0`,
  )

export type NewCredit = Readonly<{ ws: string; id: string; amountWon: number; note: string | null }>

/**
 * Inserts a credit, unless the balance would fall below zero or the workspace does not exist.
 * @param guard a further condition; null for none
 */
export const insertCredit = (credit: NewCredit, guard: Statement | null): Statement =>
  insertEntry(
    { ...credit, kind: 'credit', ...NO_USAGE },
    allOf(
      sql`EXISTS (SELECT 1 FROM workspaces WHERE id = ${credit.ws})`,
      sql`${balanceOf(credit.ws)} + ${credit.amountWon} >= 0`,
      guard,
    ),
  )

export type NewCharge = Readonly<{
  ws: string
  id: string
  priceWon: number
  route: string
  apiKeyId: string
  requestId: string
}>

/** Inserts a charge, unless the balance does not cover it or the workspace is suspended. */
export const insertCharge = ({ priceWon, ...charge }: NewCharge): Statement =>
  insertEntry(
    // 0 - price avoids -0, which the database would keep
    { ...charge, kind: 'charge', amountWon: 0 - priceWon, note: null },
    sql`EXISTS (SELECT 1 FROM workspaces WHERE id = ${charge.ws} AND suspended_at IS NULL)
      AND ${balanceOf(charge.ws)} >= ${priceWon}`,
  )

/** Suspends a workspace, or ends its suspension. Suspending twice keeps the first time. */
export const updateSuspended = (ws: string, isSuspended: boolean): Statement =>
  sql`UPDATE workspaces SET suspended_at = CASE WHEN ${isSuspended} THEN ${SQL_NOW} END
    WHERE id = ${ws} AND (suspended_at IS NULL) = ${isSuspended}`
