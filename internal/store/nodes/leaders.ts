/** Leader leases by the database's clock. `epoch` counts how often the leader changed. */
import type { Database, Statement } from '../database.ts'
import { number, type RowOf, row, text } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

const leaderRow = row({
  owner: text,
  epoch: number,
  /** Milliseconds until the lease ends; negative after its end. */
  leftMs: number(sql`lease_until - ${SQL_NOW}`),
})
export type Leader = RowOf<typeof leaderRow>

/** Finds the current or last holder of the lease with this name; null if it was never taken. */
export const findLeader = (db: Database, name: string): Promise<Leader | null> =>
  leaderRow.one(db, sql`SELECT ${leaderRow.columns()} FROM leaders WHERE name = ${name}`)

export type LeaseRequest = Readonly<{ name: string; owner: string; leaseMs: number }>

/** Takes a lease that is free or has ended, or renews the owner's. Returns `{epoch}` if the owner now holds it. */
export const takeLease = ({ name, owner, leaseMs }: LeaseRequest): Statement =>
  sql`INSERT INTO leaders (name, owner, epoch, lease_until) VALUES (${name}, ${owner}, 1, ${SQL_NOW} + ${leaseMs})
    ON CONFLICT (name) DO UPDATE SET
      epoch = epoch + (owner <> excluded.owner), owner = excluded.owner, lease_until = excluded.lease_until
    WHERE owner = excluded.owner OR lease_until <= ${SQL_NOW}
    RETURNING epoch`

/** Ends the owner's lease, so that another node can take it at once. */
export const releaseLease = ({ name, owner }: Pick<LeaseRequest, 'name' | 'owner'>): Statement =>
  sql`UPDATE leaders SET lease_until = 0 WHERE name = ${name} AND owner = ${owner}`
