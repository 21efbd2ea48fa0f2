/**
 * Detects changes of the database that a running node cannot recover from, so that it stops [wire 9.5]: another instance key,
 * with which jobs that need a secret would fail; a newer schema that does not support this binary; and commits that would not
 * survive a power cut, if SVC_REQUIRE_DURABLE demands that.
 */
import type { Logger } from '#log/logger.ts'
import { WrongInstanceKeyError } from '#service/bootstrap.ts'
import type { Deps } from '#service/deps.ts'
import type { DatabaseCondition } from '#store/database-condition.ts'
import { RelaxedDatabaseError } from '#store/durability.ts'
import { SCHEMA_VERSION, type Schema, schemaTooNew, serves } from '#store/migrate.ts'
import type { InstanceStatus, SeenStatus } from '#store/nodes/instance-status.ts'
import { SERVER_VALID_MS } from '../membership.ts'

const POLL_EVERY_MS = 5_000
/** The interval while the bus connects this node with all known servers. */
const POLL_LINKED_EVERY_MS = 30_000
/** Polls stay frequent for this long after the start, so that nodes that start together find each other soon. */
const YOUNG_FOR_MS = 60_000

export type DatabaseWatchOptions = Readonly<{
  /** Called once. */
  onChanged: (error: Error) => void
  /** Called with the schema of each poll, if this node can work on it. */
  onSchema?: (schema: Schema) => void
  /** Called with what each poll has read. */
  onStatus?: (seen: SeenStatus) => Promise<void>
  /** Whether polls may be rare, because the bus connects this node with all servers. @default false */
  isLinked?: () => boolean
  /** @default 5 s */
  everyMs?: number
  /** SVC_REQUIRE_DURABLE. @default false */
  mustBeDurable?: boolean
}>

type WatchDeps = Pick<Deps, 'keyring'> & Readonly<{ condition: DatabaseCondition }>

/** Logs each newer schema that this node still works on, once per version. */
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

const findChange = (
  { durability, keyCheck, schema }: InstanceStatus,
  { keyring }: WatchDeps,
  mustBeDurable: boolean,
): Error | null => {
  // a replaced database server has the same address
  if (mustBeDurable && durability === 'relaxed') return new RelaxedDatabaseError()
  if (keyCheck === null || !keyring.matches(keyCheck)) return new WrongInstanceKeyError()
  return serves(schema) ? null : schemaTooNew(schema, SCHEMA_VERSION)
}

/**
 * Polls every `everyMs` milliseconds for changes that a running node cannot recover from, and reports the first one. While
 * the bus connects this node with all servers it polls every 30 s, except in its first minute.
 */
export const startDatabaseWatch = (
  deps: WatchDeps,
  {
    onChanged,
    onSchema = () => undefined,
    onStatus = async () => undefined,
    isLinked = () => false,
    everyMs = POLL_EVERY_MS,
    mustBeDurable = false,
  }: DatabaseWatchOptions,
): Readonly<{ stop: () => Promise<void> }> => {
  let timer: ReturnType<typeof setTimeout> | null = null
  let polling: Promise<void> = Promise.resolve()
  let isStopped = false
  const startedAt = performance.now()

  /** @returns whether the node can continue */
  const check = async (): Promise<boolean> => {
    const askedAt = Date.now()
    const status = await deps.condition.readInstanceStatus(SERVER_VALID_MS)
    if (isStopped) return false
    const change = findChange(status, deps, mustBeDurable)
    if (change !== null) {
      onChanged(change)
      return false
    }
    onSchema(status.schema)
    await onStatus({ ...status, askedAt, answeredAt: Date.now() })
    return true
  }
  const poll = async (): Promise<void> => {
    // an unreachable database has not changed; store/database-condition.ts reports it
    const goesOn = await check().catch(() => true)
    if (goesOn && !isStopped) pollLater()
  }
  /** Sleeps in short pieces, so that other servers are found soon after a lost link. */
  const pollLater = (sleptMs = 0): void => {
    timer = setTimeout(() => {
      const slept = sleptMs + everyMs
      const isYoung = performance.now() - startedAt < YOUNG_FOR_MS
      if (isLinked() && !isYoung && slept < POLL_LINKED_EVERY_MS) return pollLater(slept)
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
