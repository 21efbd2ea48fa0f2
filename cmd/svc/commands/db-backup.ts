/** `svc db backup` and `svc db restore`: copies of a database file, once or at each interval, and back. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { notFound } from '#core/error.ts'
import { parseTime } from '#core/rfc3339.ts'
import { parseGoDuration } from '#core/schedule/go-duration.ts'
import { describeKeyFault } from '#node/instance-key.ts'
import { keepBackups } from '#node/keep-backups.ts'
import { existingDatabasePath, serverHasOwnTools } from '#node/with-deps.ts'
import { backupDatabase, restoreDatabase } from '#store/backup.ts'
import { findBackup } from '#store/backup-folder.ts'
import { toDatabasePath } from '#store/open-database.ts'
import { parseArguments, wholeArgument } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'
import { UsageError } from '../exit.ts'
import { printLine } from '../print.ts'

const MOST_KEPT = 10_000
const DEFAULT_KEPT = 24
const SHORTEST_MS = 1_000
const LONGEST_MS = 31 * 86_400_000

const fileArgument = z.string().min(1, 'The name must not be empty.')

const everyArgument = z.string().transform((text, context) => {
  const everyMs = parseGoDuration(text)
  if (everyMs !== null && everyMs >= SHORTEST_MS && everyMs <= LONGEST_MS) return everyMs
  context.addIssue('--every must be a time from 1s to 744h, for example 1h, 30m or 24h.')
  return z.NEVER
})

const backupArguments = z.object({
  file: fileArgument,
  every: everyArgument.optional(),
  keep: wholeArgument('keep', 1, MOST_KEPT).optional(),
})

export const backupCommand: CommandModule = {
  command: 'backup <file>',
  describe: 'Copy the database to a new file, or keep copies of it; svc may run meanwhile',
  builder: (yargs) =>
    yargs
      .positional('file', {
        type: 'string',
        describe: 'A name that is not taken; with --every a folder',
      })
      .option('every', {
        type: 'string',
        requiresArg: true,
        describe: 'Run on, and copy into the folder at this interval, for example 1h',
      })
      .option('keep', {
        type: 'string',
        requiresArg: true,
        describe: `How many copies stay with --every [default: ${DEFAULT_KEPT}]`,
      })
      .example('$0 db backup svc-$(date +%F).db', 'Keep secret.key too, in another place')
      .example('$0 db backup --every 1h --keep 24 /backups/svc', 'Until SIGTERM or Ctrl-C'),
  handler: async (flags) => {
    const { file, every, keep } = parseArguments(backupArguments, flags)
    if (keep !== undefined && every === undefined) {
      throw new UsageError('--keep needs --every: a single copy removes no others.')
    }
    const path = existingDatabasePath(loadCommandConfig(flags))
    if (every === undefined) {
      const backup = backupDatabase(path, file)
      printLine(`Wrote ${backup.file}: ${backup.bytes} bytes, schema ${backup.schemaVersion}.`)
      return
    }
    const plan = { path, folder: resolve(file), everyMs: every, keep: keep ?? DEFAULT_KEPT }
    await keepBackups(plan, untilTold())
  },
}

/** Aborts at the first SIGTERM or SIGINT. A copy that is being written ends first, because it blocks this process. */
const untilTold = (): AbortSignal => {
  const abort = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => abort.abort())
  return abort.signal
}

const restoreArguments = z.object({
  file: fileArgument,
  at: z
    .string()
    .transform((text, context) => {
      const at = parseTime(text)
      if (at !== null) return at
      context.addIssue('--at must be a time such as 2026-01-31T15:00:00Z or …T15:00:00+09:00.')
      return z.NEVER
    })
    .optional(),
})

export const restoreCommand: CommandModule = {
  command: 'restore <file>',
  describe: 'Put a copy in the place of the database; svc must be stopped',
  builder: (yargs) =>
    yargs
      .positional('file', {
        type: 'string',
        describe: 'What `svc db backup` wrote, or its folder, of which the newest is taken',
      })
      .option('at', {
        type: 'string',
        requiresArg: true,
        describe: 'Of a folder: the newest that was begun at or before this time',
      })
      .example('$0 db restore svc-2026-01-31.db', 'The old database is kept next to it')
      .example('$0 db restore --at 2026-01-31T15:00:00Z /backups/svc', 'As it was then'),
  handler: async (flags) => {
    const { file, at } = parseArguments(restoreArguments, flags)
    const config = loadCommandConfig(flags)
    await restore(config, chooseBackup(file, at ?? null))
  },
}

/** @throws {AppError} not_found: the folder has no such backup */
const chooseBackup = (file: string, at: number | null): string => {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) {
    if (at === null) return file
    throw new UsageError(`--at chooses among the backups of a folder, and ${file} is none.`)
  }
  const found = findBackup(file, at)
  if (found !== null) return found
  const when = at === null ? '' : ` of ${new Date(at).toISOString()} or before`
  throw notFound(`A backup${when} in ${file}`)
}

const restore = async (config: Config, file: string): Promise<void> => {
  const path = toDatabasePath(databaseUrlOf(config))
  if (path === null) throw serverHasOwnTools()
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const suffix = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const { schemaVersion, kept } = restoreDatabase(file, path, suffix)
  printLine(`Restored ${path} from ${file}, schema ${schemaVersion}.`)
  if (kept !== null) printLine(`What was there is kept as ${kept}.`)
  const fault = await describeKeyFault(config)
  if (fault !== null) process.stderr.write(`${fault}\n`)
}
