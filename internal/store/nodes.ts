/** The nodes of an instance: how they find each other, and who is alive where the bus does not reach. */
import { asNumber, asText, asTextOrNull } from './column.ts'
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'

export type NewNode = Readonly<{
  id: string
  role: string
  name: string
  host: string
  version: string
  /** Null: it listens to no other node. */
  address: string | null
  /** JSON of a worker that the bus joins to no server; null: everybody knows already. */
  workerJson: string | null
}>

/** In the place of what an earlier process left behind at the same address. */
export const insertNode = (node: NewNode): readonly Statement[] => [
  sql('DELETE FROM nodes WHERE host = ? AND address = ?', node.host, node.address),
  sql(
    `INSERT INTO nodes (id, role, name, host, version, address, worker, started_at, pinged_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ${SQL_NOW}, ${SQL_NOW}) ON CONFLICT (id) DO NOTHING`,
    node.id,
    node.role,
    node.name,
    node.host,
    node.version,
    node.address,
    node.workerJson,
  ),
]

/** Makes it anew when a sweep took it for dead. */
export const pingNode = (node: NewNode): Statement =>
  sql(
    `INSERT INTO nodes (id, role, name, host, version, address, worker, started_at, pinged_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ${SQL_NOW}, ${SQL_NOW})
     ON CONFLICT (id) DO UPDATE SET pinged_at = excluded.pinged_at, worker = excluded.worker`,
    node.id,
    node.role,
    node.name,
    node.host,
    node.version,
    node.address,
    node.workerJson,
  )

export const deleteNode = (id: string): Statement => sql('DELETE FROM nodes WHERE id = ?', id)

export type ServerNode = Readonly<{ id: string; host: string; address: string }>

/** Servers that gave a sign of life within `withinMs`, with the database's clock. */
export const listServers = async (
  db: Database,
  withinMs: number,
): Promise<Readonly<{ servers: readonly ServerNode[]; now: number }>> => {
  const rows = await db.all(
    sql(
      `SELECT id, host, address, ${SQL_NOW} AS now FROM nodes
       WHERE address IS NOT NULL AND pinged_at > ${SQL_NOW} - ?
       UNION ALL SELECT '', '', '', ${SQL_NOW}`,
      withinMs,
    ),
  )
  return {
    servers: rows
      .map((row) => ({
        id: asText(row.id),
        host: asText(row.host),
        address: asText(row.address),
      }))
      .filter(({ id }) => id !== ''),
    now: asNumber(rows.at(-1)?.now),
  }
}

export type PingedWorker = Readonly<{
  id: string
  name: string
  version: string
  workerJson: string
  pingedAt: number
}>

/** Workers that wrote a sign of life within `withinMs`. */
export const listPingedWorkers = async (
  db: Database,
  withinMs: number,
): Promise<readonly PingedWorker[]> => {
  const rows = await db.all(
    sql(
      `SELECT id, name, version, worker, pinged_at FROM nodes
       WHERE worker IS NOT NULL AND pinged_at > ${SQL_NOW} - ?`,
      withinMs,
    ),
  )
  return rows.map((row) => ({
    id: asText(row.id),
    name: asText(row.name),
    version: asText(row.version),
    workerJson: asTextOrNull(row.worker) ?? '{}',
    pingedAt: asNumber(row.pinged_at),
  }))
}
