/** Leader leases by the database's clock. `epoch` counts how often the leader changed. */
import type { Database, Statement } from './database.ts'
import { number, type RowOf, row, text } from './row.ts'
import { SQL_NOW, sql } from './sql.ts'

const leaderRow = row({
  owner: text,
  epoch: number,
  /** Milliseconds until the lease ends; negative when it has ended. */
  leftMs: number(sql`lease_until - ${SQL_NOW}`),
})
export type Leader = RowOf<typeof leaderRow>

/** Who holds or last held the lease of this name; null when it was never taken. */
export const findLeader = (db: Database, name: string): Promise<Leader | null> =>
  leaderRow.one(db, sql`SELECT ${leaderRow.columns()} FROM leaders WHERE name = ${name}`)

export type LeaseRequest = Readonly<{ name: string; owner: string; leaseMs: number }>

/** Takes the lease when it is free or has ended, or renews the owner's own. Returns `{epoch}` when the owner holds it now. */
export const takeLease = ({ name, owner, leaseMs }: LeaseRequest): Statement =>
  sql`INSERT INTO leaders (name, owner, epoch, lease_until) VALUES (${name}, ${owner}, 1, ${SQL_NOW} + ${leaseMs})
    ON CONFLICT (name) DO UPDATE SET
      epoch = epoch + (owner <> excluded.owner), owner = excluded.owner, lease_until = excluded.lease_until
    WHERE owner = excluded.owner OR lease_until <= ${SQL_NOW}
    RETURNING epoch`

/** Ends the owner's lease, so that another node can take it at once. */
export const releaseLease = ({ name, owner }: Pick<LeaseRequest, 'name' | 'owner'>): Statement =>
  sql`UPDATE leaders SET lease_until = 0 WHERE name = ${name} AND owner = ${owner}`
