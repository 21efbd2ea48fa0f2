/**
 * Detects changes of the database that a running node cannot recover from, so that it stops [wire 9.5]: another instance
 * key, with which jobs that need a secret would fail; a schema that is newer than this binary; and commits that would not
 * survive a power cut, where that is required.
 */
import { WrongInstanceKeyError } from '#service/bootstrap.ts'
import type { Deps } from '#service/deps.ts'
import { holdsInstanceKey } from '#service/rotate-key.ts'
import type { DatabaseCondition } from '#store/database-condition.ts'
import { RelaxedDatabaseError } from '#store/durability.ts'
import { findSchemaVersion, SCHEMA_VERSION, SchemaTooNewError } from '#store/migrate.ts'

const POLL_EVERY_MS = 5_000

export type DatabaseWatchOptions = Readonly<{
  /** Called once. */
  onChanged: (error: Error) => void
  /** @default 5 s */
  everyMs?: number
  /** SVC_REQUIRE_DURABLE. @default false */
  mustBeDurable?: boolean
}>

type WatchDeps = Pick<Deps, 'db' | 'keyring'> & Readonly<{ condition: DatabaseCondition }>

const findChange = async (deps: WatchDeps, mustBeDurable: boolean): Promise<Error | null> => {
  // a database server that was replaced keeps its address
  const durability = await deps.condition.readDurability()
  if (mustBeDurable && durability === 'relaxed') return new RelaxedDatabaseError()
  if (!(await holdsInstanceKey(deps))) return new WrongInstanceKeyError()
  const version = await findSchemaVersion(deps.db)
  if (version <= SCHEMA_VERSION) return null
  return new SchemaTooNewError(
    `A newer svc has brought the database to schema ${version}, this one knows ${SCHEMA_VERSION}. Upgrade this node too.`,
  )
}

/**
 * Polls for changes that a running node cannot recover from, every `everyMs` milliseconds, and reports the first one.
 */
export const startDatabaseWatch = (
  deps: WatchDeps,
  { onChanged, everyMs = POLL_EVERY_MS, mustBeDurable = false }: DatabaseWatchOptions,
): Readonly<{ stop: () => Promise<void> }> => {
  let timer: ReturnType<typeof setTimeout> | null = null
  let polling: Promise<void> = Promise.resolve()
  let isStopped = false
  const poll = async (): Promise<void> => {
    // a database that is away has not changed
    const change = await findChange(deps, mustBeDurable).catch(() => null)
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
