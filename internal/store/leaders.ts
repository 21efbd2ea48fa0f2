/** Who does the duties of one; the lease is on the database's clock, `epoch` counts the changes of hands. */
import { asNumber, asText } from './column.ts'
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'

export type Leader = Readonly<{ owner: string; epoch: number; leftMs: number }>

export const findLeader = async (db: Database, name: string): Promise<Leader | null> => {
  const row = await db.one(
    sql(
      `SELECT owner, epoch, lease_until - ${SQL_NOW} AS left_ms FROM leaders WHERE name = ?`,
      name,
    ),
  )
  if (row === null) return null
  return { owner: asText(row.owner), epoch: asNumber(row.epoch), leftMs: asNumber(row.left_ms) }
}

export type LeaseRequest = Readonly<{ name: string; owner: string; leaseMs: number }>

/** Takes the lease when it is free or run out, renews it when it is ours; `{epoch}` comes back when it is ours now. */
export const takeLease = ({ name, owner, leaseMs }: LeaseRequest): Statement =>
  sql(
    `INSERT INTO leaders (name, owner, epoch, lease_until) VALUES (?, ?, 1, ${SQL_NOW} + ?)
     ON CONFLICT (name) DO UPDATE SET
       epoch = epoch + (owner <> excluded.owner), owner = excluded.owner, lease_until = excluded.lease_until
     WHERE owner = excluded.owner OR lease_until <= ${SQL_NOW}
     RETURNING epoch`,
    name,
    owner,
    leaseMs,
  )

/** The next one need not wait. */
export const releaseLease = ({ name, owner }: Pick<LeaseRequest, 'name' | 'owner'>): Statement =>
  sql('UPDATE leaders SET lease_until = 0 WHERE name = ? AND owner = ?', name, owner)
