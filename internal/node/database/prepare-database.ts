/** Prepares a database for a node: migrates its schema, and checks how it commits. */
import type { Config } from '#config/config.ts'
import { type NodeRole, runsServer } from '#core/node-role.ts'
import { createLogger } from '#log/logtape.ts'
import { checkpointsInCommits, IN_COMMITS_SENTENCE } from '#store/checkpoints.ts'
import type { Database } from '#store/database.ts'
import type { DatabaseCondition } from '#store/database-condition.ts'
import { RELAXED_REMEDY, RELAXED_SENTENCE, RelaxedDatabaseError } from '#store/durability.ts'
import { requireSchema } from '#store/migrate.ts'
import { bringToSchema } from './bring-to-schema.ts'

export type PrepareDatabaseOptions = Readonly<{
  role: NodeRole
  condition: DatabaseCondition
  /** Called with what the node does before it migrates an older schema. */
  onWait?: ((reason: string) => void) | undefined
}>

/** Only servers migrate the schema; other roles wait for one of them. */
const awaitSchema = async (
  config: Config,
  db: Database,
  { role, onWait }: Pick<PrepareDatabaseOptions, 'role' | 'onWait'>,
): Promise<void> => {
  if (!runsServer(role)) return requireSchema(db)
  const { from, to } = await bringToSchema(config, db, {
    onBegin: (change) =>
      onWait?.(`It brings its database from schema ${change.from} to ${change.to}.`),
  })
  if (from === to) return
  createLogger('store').info('Brought the database to the schema of this binary.', { from, to })
}

/** @throws {RelaxedDatabaseError} durability is required, and the database does not provide it */
const checkDurability = async (config: Config, condition: DatabaseCondition): Promise<void> => {
  if ((await condition.readDurability()) === 'durable') return
  if (config.requireDurable === 'on') throw new RelaxedDatabaseError()
  createLogger('store').warn(`${RELAXED_SENTENCE} ${RELAXED_REMEDY}`)
}

const checkCheckpoints = async (db: Database): Promise<void> => {
  if (await checkpointsInCommits(db)) createLogger('store').warn(IN_COMMITS_SENTENCE)
}

/** @throws {SchemaError} @throws {RelaxedDatabaseError} @throws {DatabaseError} */
export const prepareDatabase = async (
  config: Config,
  db: Database,
  { role, condition, onWait }: PrepareDatabaseOptions,
): Promise<void> => {
  await awaitSchema(config, db, { role, onWait })
  await condition.readSchema()
  await checkDurability(config, condition)
  await checkCheckpoints(db)
}
