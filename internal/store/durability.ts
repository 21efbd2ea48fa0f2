/**
 * What the database does with a commit. `durable`: the commit is on disk before the answer. `relaxed`: the operating system
 * may still buffer it, so a power cut can lose it. Files that svc opens are durable; sqld is relaxed unless configured.
 */
import { DatabaseError, type Reader } from './database.ts'
import { sql } from './sql.ts'

export type Durability = 'durable' | 'relaxed'

/**
 * Makes a server durable that was found to be relaxed.
 * @param readAgain opens another connection and reads its durability, which a server sets when a connection opens. It is called
 *   only if the server accepted the change
 * @returns the durability after it
 */
export type MakeDurable = (readAgain: () => Promise<Durability>) => Promise<Durability>

/** Value of `PRAGMA synchronous`: 2 is FULL, 3 is EXTRA. */
const LEAST_SYNCHRONOUS = 2

/** @param synchronous result of `PRAGMA synchronous`; null if there is none */
export const toDurability = (synchronous: number | null): Durability =>
  synchronous !== null && synchronous >= LEAST_SYNCHRONOUS ? 'durable' : 'relaxed'

/** Reads the durability of a database. @throws {DatabaseError} the database does not answer */
export const findDurability = async (db: Pick<Reader, 'one'>): Promise<Durability> => {
  try {
    const row = await db.one(sql`PRAGMA synchronous`)
    return toDurability(Number(row?.synchronous))
  } catch (error) {
    // a server that does not answer this pragma guarantees nothing
    if (error instanceof DatabaseError && error.kind === 'other') return 'relaxed'
    throw error
  }
}

export const RELAXED_SENTENCE =
  'The database answers before a commit is on its disk (PRAGMA synchronous is below 2): a power cut can lose acknowledged work.'

export const RELAXED_REMEDY = `Start sqld with --admin-listen-addr 127.0.0.1:8081 and set SVC_SQLD_ADMIN_URL=http://127.0.0.1:8081, which serves the first database alone. If it is set, no admin API answers there, or it is that of another sqld. Or, and for each further cell, run after each start of sqld, which forgets this: curl -H 'content-type: application/json' -d '{"block_reads":false,"block_writes":false,"durability_mode":"strong"}' http://127.0.0.1:8081/v1/namespaces/default/config`

/** Thrown when SVC_REQUIRE_DURABLE is on and the database is relaxed. Waiting does not help. */
export class RelaxedDatabaseError extends Error {
  override readonly name = 'RelaxedDatabaseError'

  constructor() {
    super(`${RELAXED_SENTENCE} SVC_REQUIRE_DURABLE is on, so svc does not run. ${RELAXED_REMEDY}`)
  }
}
