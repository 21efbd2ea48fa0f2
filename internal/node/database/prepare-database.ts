/** Prepares a database for a node: migrates its schema, and checks how it commits. */
import { type Config, databaseUrlOf } from '#config/config.ts'
import { shownAddress } from '#config/shown-address.ts'
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

/** An instance may have several databases, so a line of the log names the one that it is about. */
const namedIn = (config: Config) => ({ database: shownAddress(databaseUrlOf(config)) })

/** Only servers migrate the schema; other roles wait for one of them. */
const awaitSchema = async (
  config: Config,
  db: Database,
  { role, onWait }: Pick<PrepareDatabaseOptions, 'role' | 'onWait'>,
): Promise<void> => {
  if (!runsServer(role)) return requireSchema(db)
  const { from, to, ran } = await bringToSchema(config, db, {
    onBegin: (change) =>
      onWait?.(`It brings its database from schema ${change.from} to ${change.to}.`),
  })
  // another node that started at the same time ran the migrations, and its log reports them
  if (ran === 0) return
  createLogger('store').info('Brought the database to the schema of this binary.', {
    from,
    to,
    ...namedIn(config),
  })
}

/** @throws {RelaxedDatabaseError} durability is required, and the database does not provide it */
const checkDurability = async (config: Config, condition: DatabaseCondition): Promise<void> => {
  if ((await condition.readDurability()) === 'durable') return
  if (config.requireDurable === 'on') throw new RelaxedDatabaseError()
  createLogger('store').warn(`${RELAXED_SENTENCE} ${RELAXED_REMEDY}`, namedIn(config))
}

const checkCheckpoints = async (config: Config, db: Database): Promise<void> => {
  if (await checkpointsInCommits(db)) {
    createLogger('store').warn(IN_COMMITS_SENTENCE, namedIn(config))
  }
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
  await checkCheckpoints(config, db)
}
