/**
 * Sees what was changed under a running node and waiting cannot mend (contract, fine print 29), so that it ends: the
 * instance key, without which it would fail the jobs that need a secret, and the schema, which a newer svc has taken
 * further than this one knows.
 */
import { WrongInstanceKeyError } from '#service/bootstrap.ts'
import type { Deps } from '#service/deps.ts'
import { holdsInstanceKey } from '#service/rotate-key.ts'
import { findSchemaVersion, SCHEMA_VERSION, SchemaTooNewError } from '#store/migrate.ts'

const EVERY_MS = 5_000

export type DatabaseWatchOptions = Readonly<{
  /** Called once. */
  onChanged: (error: Error) => void
  /** @default 5 s */
  everyMs?: number
}>

const findChange = async (deps: Pick<Deps, 'db' | 'keyring'>): Promise<Error | null> => {
  if (!(await holdsInstanceKey(deps))) return new WrongInstanceKeyError()
  const version = await findSchemaVersion(deps.db)
  if (version <= SCHEMA_VERSION) return null
  return new SchemaTooNewError(
    `A newer svc has brought the database to schema ${version}, this one knows ${SCHEMA_VERSION}. Upgrade this node too.`,
  )
}

export const startDatabaseWatch = (
  deps: Pick<Deps, 'db' | 'keyring'>,
  { onChanged, everyMs = EVERY_MS }: DatabaseWatchOptions,
): Readonly<{ stop: () => Promise<void> }> => {
  let timer: ReturnType<typeof setTimeout> | null = null
  let looking: Promise<void> = Promise.resolve()
  let isStopped = false
  const look = async (): Promise<void> => {
    // a database that is away says nothing
    const change = await findChange(deps).catch(() => null)
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
