/**
 * Sees what was changed under a running node and waiting cannot mend [wire 9.5], so that it ends: the
 * instance key, without which it would fail the jobs that need a secret, the schema, which a newer svc has taken
 * further than this one knows, and a commit that no longer survives a power cut where that is required.
 */
import { WrongInstanceKeyError } from '#service/bootstrap.ts'
import type { Deps } from '#service/deps.ts'
import { holdsInstanceKey } from '#service/rotate-key.ts'
import type { DatabaseCondition } from '#store/database-condition.ts'
import { RelaxedDatabaseError } from '#store/durability.ts'
import { findSchemaVersion, SCHEMA_VERSION, SchemaTooNewError } from '#store/migrate.ts'

const EVERY_MS = 5_000

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
  // A server that was replaced or set up again keeps its address.
  const durability = await deps.condition.readDurability()
  if (mustBeDurable && durability === 'relaxed') return new RelaxedDatabaseError()
  if (!(await holdsInstanceKey(deps))) return new WrongInstanceKeyError()
  const version = await findSchemaVersion(deps.db)
  if (version <= SCHEMA_VERSION) return null
  return new SchemaTooNewError(
    `A newer svc has brought the database to schema ${version}, this one knows ${SCHEMA_VERSION}. Upgrade this node too.`,
  )
}

export const startDatabaseWatch = (
  deps: WatchDeps,
  { onChanged, everyMs = EVERY_MS, mustBeDurable = false }: DatabaseWatchOptions,
): Readonly<{ stop: () => Promise<void> }> => {
  let timer: ReturnType<typeof setTimeout> | null = null
  let looking: Promise<void> = Promise.resolve()
  let isStopped = false
  const look = async (): Promise<void> => {
    // a database that is away says nothing
    const change = await findChange(deps, mustBeDurable).catch(() => null)
    if (isStopped) return
    if (change === null) lookLater()
    else onChanged(change)
  }
  const lookLater = (): void => {
    timer = setTimeout(() => {
      looking = look()
    }, everyMs)
  }
  lookLater()
  return {
    stop: async () => {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      await looking
    },
  }
}
