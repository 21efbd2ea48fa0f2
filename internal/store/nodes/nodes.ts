/** The nodes of an instance: how they find each other, and which are alive where the bus does not reach. */
import type { NodeRole } from '#core/node-role.ts'
import { asNumber } from '../column.ts'
import type { Database, Statement } from '../database.ts'
import { type RowOf, row, text, time } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

export type NewNode = Readonly<{
  id: string
  role: NodeRole
  name: string
  host: string
  version: string
  /** Null if the node accepts no connections of other nodes. */
  address: string | null
  /** JSON of a worker that no server reaches over the bus; null for others. */
  workerJson: string | null
}>

/** Inserts a node. `started_at` gives the order of the inserts: it is later than that of every existing node. */
const insert = (node: NewNode): Statement =>
  sql`INSERT INTO nodes (id, role, name, host, version, address, worker, started_at, pinged_at)
    VALUES (${node.id}, ${node.role}, ${node.name}, ${node.host}, ${node.version}, ${node.address},
      ${node.workerJson},
      (SELECT max(${SQL_NOW}, coalesce(max(started_at) + 1, 0)) FROM nodes), ${SQL_NOW})
    ON CONFLICT (id)`

/** Inserts the node, and deletes the row that an earlier process left behind at the same address. */
export const insertNode = (node: NewNode): readonly Statement[] => [
  sql`DELETE FROM nodes WHERE host = ${node.host} AND address = ${node.address}`,
  sql`${insert(node)} DO NOTHING`,
]

/** Records that the node is alive. Inserts it again if a sweep has deleted it. */
export const pingNode = (node: NewNode): Statement =>
  sql`${insert(node)} DO UPDATE SET pinged_at = excluded.pinged_at, worker = excluded.worker`

/** Deletes the row of a node that stops. */
export const deleteNode = (id: string): Statement => sql`DELETE FROM nodes WHERE id = ${id}`

const serverNodeRow = row({ id: text, host: text, address: text })
export type ServerNode = RowOf<typeof serverNodeRow>

/** Lists servers that pinged within `withinMs`, in order of registration, and the database's clock in milliseconds since 1970. */
export const listServers = async (
  db: Database,
  withinMs: number,
): Promise<Readonly<{ servers: readonly ServerNode[]; now: number }>> => {
  const rows = await db.all(
    sql`SELECT id, host, address, started_at, ${SQL_NOW} AS now FROM nodes
      WHERE address IS NOT NULL AND pinged_at > ${SQL_NOW} - ${withinMs}
      UNION ALL SELECT '', '', '', 9e15, ${SQL_NOW} ORDER BY started_at`,
  )
  return {
    servers: rows.map(serverNodeRow.read).filter(({ id }) => id !== ''),
    now: asNumber(rows.at(-1)?.now),
  }
}

const pingedWorkerRow = row({
  id: text,
  name: text,
  version: text,
  workerJson: text('worker'),
  pingedAt: time,
})
export type PingedWorker = RowOf<typeof pingedWorkerRow>

/** Lists workers that pinged within `withinMs`. */
export const listPingedWorkers = (
  db: Database,
  withinMs: number,
): Promise<readonly PingedWorker[]> =>
  pingedWorkerRow.all(
    db,
    sql`SELECT ${pingedWorkerRow.columns()} FROM nodes
      WHERE worker IS NOT NULL AND pinged_at > ${SQL_NOW} - ${withinMs}`,
  )
