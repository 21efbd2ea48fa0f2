/** `svc db migrate|check|backup|restore|move`. */
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { type Config, databaseAddressOf } from '#config/config.ts'
import { shownAddress } from '#config/shown-address.ts'
import { invalid } from '#core/error.ts'
import { openConfigured } from '#node/compose.ts'
import { bringToSchema } from '#node/database/bring-to-schema.ts'
import { existingDatabasePath } from '#node/with-deps.ts'
import { moveDatabase } from '#store/maintenance/move.ts'
import { openDatabase, toDatabasePath } from '#store/open-database.ts'
import { commandGroup } from '../command.ts'
import { parseArguments } from '../command-arguments.ts'
import { cellOption, loadCellConfig, loadCommandConfig } from '../command-config.ts'
import { printLine, showProgress } from '../print.ts'
import { backupCommand } from './db-backup.ts'
import { checkCommand } from './db-check.ts'
import { restoreCommand } from './db-restore.ts'

const migrateCommand: CommandModule = {
  command: 'migrate',
  describe: 'Migrate the database to the schema of this version',
  builder: (yargs) =>
    yargs
      .option('backup', {
        type: 'boolean',
        default: true,
        describe: 'Copy the database file first; --no-backup skips the copy',
      })
      .option('cell', cellOption)
      .example('$0 db migrate --data-dir /var/lib/svc', '')
      .example('$0 db migrate --cell eu', 'Servers also migrate when they start'),
  handler: async (flags) => {
    const config = loadCellConfig(flags)
    const db = await openConfigured(config)
    try {
      const { from, to, ran, backup } = await bringToSchema(config, db, {
        hasBackup: flags.backup !== false,
      })
      if (backup !== null) printLine(`Kept a copy of schema ${from}: ${backup.file}`)
      printLine(ran === 0 ? `Schema ${to} already.` : `Brought from schema ${from} to ${to}.`)
    } finally {
      await db.close()
    }
  },
}

const urlArgument = z.object({ url: z.string().min(1, '<url> must not be empty.') })

const moveCommand: CommandModule = {
  command: 'move <url>',
  describe: 'Move a database file to an empty sqld or Turso database; svc must be stopped',
  builder: (yargs) =>
    yargs
      .positional('url', {
        type: 'string',
        describe: 'URL of the database; its token is read from SVC_DATABASE_AUTH_TOKEN',
      })
      .example('$0 db move http://db:8080', 'Leaves the file unchanged'),
  handler: async (flags) => {
    const { url } = parseArguments(urlArgument, flags)
    await move(loadCommandConfig(flags), url)
  },
}

const move = async (config: Config, url: string): Promise<void> => {
  const path = existingDatabasePath(config)
  if (toDatabasePath(url) !== null) {
    throw invalid('The address must be that of a server: http://, https://, ws://, libsql://.')
  }
  const target = await openDatabase({ ...databaseAddressOf(config), url })
  try {
    const { tables, rows } = await moveDatabase(path, target, ({ table, rows: moved }) =>
      showProgress(`${table}: ${moved} rows`),
    )
    showProgress('')
    printLine(
      `Moved ${rows} rows of ${tables} tables to ${shownAddress(url)}; both sides were compared.`,
    )
    printLine(`Start nodes with --database-url ${shownAddress(url)} and the same instance key.`)
    printLine(`${path} is unchanged. Keep it until you have checked the new database.`)
  } finally {
    await target.close()
  }
}

export const command = commandGroup([
  migrateCommand,
  checkCommand,
  backupCommand,
  restoreCommand,
  moveCommand,
])
