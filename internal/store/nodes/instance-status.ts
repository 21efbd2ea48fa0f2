/**
 * What a node periodically reads about its instance, in one read: other servers, the database's clock, and changes after which
 * the node cannot continue.
 */
import { z } from 'zod'
import { type Database, DatabaseError, type Statement } from '../database.ts'
import { type Durability, toDurability } from '../durability.ts'
import type { Schema } from '../migrate.ts'
import { number, parsed, row, text, time } from '../row.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import type { ServerNode } from './nodes.ts'

export type InstanceStatus = Readonly<{
  /** The database's clock, in milliseconds since 1970. */
  now: number
  /** Servers that pinged within the given time, in order of registration. */
  servers: readonly ServerNode[]
  durability: Durability
  /** The check value of the instance key; null if the database has none. */
  keyCheck: string | null
  schema: Schema
}>

/** With the times of request and answer, in milliseconds since 1970 by this machine's clock. */
export type SeenStatus = InstanceStatus & Readonly<{ askedAt: number; answeredAt: number }>

const serverList = z.array(z.tuple([z.string(), z.string(), z.string()]))

const toServers = (json: string): readonly ServerNode[] =>
  serverList.parse(JSON.parse(json)).map(([id, host, address]) => ({ id, host, address }))

const statusRow = row({
  now: time,
  servers: parsed(toServers),
  synchronous: number.nullable,
  keyCheck: text.nullable,
  version: number,
  oldestCode: number,
})

const select = (synchronous: Statement, withinMs: number): Statement =>
  sql`SELECT ${SQL_NOW} AS now, ${synchronous} AS synchronous, m.version, COALESCE(m.oldest_code, m.version) AS oldest_code,
      (SELECT value FROM meta WHERE key = 'instance_key_check') AS key_check,
      (SELECT json_group_array(json_array(id, host, address)) FROM (SELECT id, host, address FROM nodes
        WHERE address IS NOT NULL AND pinged_at > ${SQL_NOW} - ${withinMs} ORDER BY started_at)) AS servers
    FROM schema_migrations m ORDER BY m.version DESC LIMIT 1`

const SYNCHRONOUS = raw('(SELECT synchronous FROM pragma_synchronous)')
const UNKNOWN = raw('NULL')

/** @param withinMs milliseconds; excludes servers that have not pinged for longer @throws {DatabaseError} */
export const findInstanceStatus = async (
  db: Pick<Database, 'one'>,
  withinMs: number,
): Promise<InstanceStatus> => {
  const read = (synchronous: Statement) => statusRow.one(db, select(synchronous, withinMs))
  const found = await read(SYNCHRONOUS).catch((error: unknown) => {
    // a server that does not answer this pragma guarantees nothing
    if (error instanceof DatabaseError && error.kind === 'other') return read(UNKNOWN)
    throw error
  })
  if (found === null) throw new Error('The database has no schema.')
  const { now, servers, synchronous, keyCheck, version, oldestCode } = found
  return {
    now,
    servers,
    durability: toDurability(synchronous),
    keyCheck,
    schema: { version, oldestCode },
  }
}
