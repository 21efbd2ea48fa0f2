/**
 * Detects changes of the database that a running node cannot recover from, so that it stops [wire 9.5]: another instance
 * key, with which jobs that need a secret would fail; a schema that is newer than this binary and does not serve it; and
 * commits that would not survive a power cut, where that is required.
 */
import type { Logger } from '#log/logger.ts'
import { WrongInstanceKeyError } from '#service/bootstrap.ts'
import type { Deps } from '#service/deps.ts'
import { holdsInstanceKey } from '#service/rotate-key.ts'
import type { DatabaseCondition } from '#store/database-condition.ts'
import { RelaxedDatabaseError } from '#store/durability.ts'
import { SCHEMA_VERSION, type Schema, schemaTooNew, serves } from '#store/migrate.ts'

const POLL_EVERY_MS = 5_000

export type DatabaseWatchOptions = Readonly<{
  /** Called once. */
  onChanged: (error: Error) => void
  /** Called with the schema of each poll, which this node can work on. */
  onSchema?: (schema: Schema) => void
  /** @default 5 s */
  everyMs?: number
  /** SVC_REQUIRE_DURABLE. @default false */
  mustBeDurable?: boolean
}>

type WatchDeps = Pick<Deps, 'db' | 'keyring'> & Readonly<{ condition: DatabaseCondition }>

/** Logs once of each newer schema that this node works on. */
export const createSchemaReport = (log: Logger): ((schema: Schema) => void) => {
  let reported = SCHEMA_VERSION
  return ({ version }) => {
    if (version <= reported) return
    reported = version
    log.info('A newer svc has migrated the database. This node goes on; upgrade it too.', {
      schema: version,
      known: SCHEMA_VERSION,
    })
  }
}

const findChange = async (
  deps: WatchDeps,
  {
    mustBeDurable,
    onSchema,
  }: Readonly<{ mustBeDurable: boolean; onSchema: (schema: Schema) => void }>,
): Promise<Error | null> => {
  // a database server that was replaced keeps its address
  const durability = await deps.condition.readDurability()
  if (mustBeDurable && durability === 'relaxed') return new RelaxedDatabaseError()
  if (!(await holdsInstanceKey(deps))) return new WrongInstanceKeyError()
  const schema = await deps.condition.readSchema()
  if (!serves(schema)) return schemaTooNew(schema, SCHEMA_VERSION)
  onSchema(schema)
  return null
}

/**
 * Polls for changes that a running node cannot recover from, every `everyMs` milliseconds, and reports the first one.
 */
export const startDatabaseWatch = (
  deps: WatchDeps,
  {
    onChanged,
    onSchema = () => undefined,
    everyMs = POLL_EVERY_MS,
    mustBeDurable = false,
  }: DatabaseWatchOptions,
): Readonly<{ stop: () => Promise<void> }> => {
  let timer: ReturnType<typeof setTimeout> | null = null
  let polling: Promise<void> = Promise.resolve()
  let isStopped = false
  const poll = async (): Promise<void> => {
    // a database that is away has not changed
    const change = await findChange(deps, { mustBeDurable, onSchema }).catch(() => null)
    if (isStopped) return
    if (change === null) pollLater()
    else onChanged(change)
  }
  const pollLater = (): void => {
    timer = setTimeout(() => {
      polling = poll()
    }, everyMs)
  }
  pollLater()
  return {
    stop: async () => {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      await polling
    },
  }
}
