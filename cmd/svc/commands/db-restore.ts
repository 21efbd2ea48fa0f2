/** `svc db restore`: replaces the database file with a copy from a file, a folder or S3. */
import { rmSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { isS3Address } from '#core/backup/s3-place.ts'
import { AppError } from '#core/error.ts'
import { parseTime } from '#core/rfc3339.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { fetchS3Backup } from '#node/backups/s3-backup-place.ts'
import { describeKeyFault } from '#node/keys/instance-key.ts'
import { restoreByMove } from '#node/with-deps.ts'
import { restoreDatabase } from '#store/maintenance/backup.ts'
import { findBackup } from '#store/maintenance/backup-folder.ts'
import { toDatabasePath } from '#store/open-database.ts'
import { parseArguments, textOption } from '../command-arguments.ts'
import { cellOption, loadCellConfig, namedCell, requireCell } from '../command-config.ts'
import { UsageError } from '../exit.ts'
import { printLine } from '../print.ts'
import { fileArgument, s3PlaceOf } from './backup-arguments.ts'

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
  describe: 'Restore the database from a backup; svc must be stopped',
  builder: (yargs) =>
    yargs
      .positional('file', {
        type: 'string',
        describe: 'Backup file, or a folder or s3:// prefix, of which the newest backup is used',
      })
      .option('at', textOption('Use the newest backup that was started at or before this time'))
      .option('cell', cellOption)
      .example('$0 db restore svc-2026-01-31.db', 'Keeps the old database next to it')
      .example(
        '$0 db restore --at 2026-01-31T15:00:00Z /backups/svc',
        'Restore the state of that time',
      )
      .example('$0 db restore s3://backups/svc', 'Restore the newest backup'),
  handler: async (flags) => {
    const { file, at } = parseArguments(restoreArguments, flags)
    const config = loadCellConfig(flags)
    const target = { config, path: requireCell(flags, targetOf(config)), cell: namedCell(flags) }
    if (isS3Address(file)) await restoreFromS3(target, file, at ?? null)
    else await restore(target, { file: chooseBackup(file, at ?? null) })
  },
}

type Target = Readonly<{
  config: Config
  path: string
  /** The cell that the database at `path` is; null if the command names none. */
  cell: string | null
}>

/** @throws {AppError} not_found: the folder has no such backup */
const chooseBackup = (file: string, at: number | null): string => {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) {
    if (at === null) return file
    throw new UsageError(`--at needs a folder of backups, and ${file} is a file.`)
  }
  const found = findBackup(file, at)
  if (found !== null) return found
  const when = at === null ? '' : ` of ${new Date(at).toISOString()} or before`
  const newest = at === null ? null : findBackup(file, null)
  const remedy =
    newest === null
      ? 'Those of `svc db backup --every` are named svc-<time>.db: name another folder, or the file itself.'
      : `The newest there is ${basename(newest)}.`
  throw new AppError('not_found', `${file} has no backup${when}. ${remedy}`)
}

/** Downloads next to the database first, so that an incomplete download changes nothing. */
const restoreFromS3 = async (target: Target, address: string, at: number | null): Promise<void> => {
  const place = s3PlaceOf(address)
  if (place.name !== null && at !== null) {
    throw new UsageError(`--at needs a folder of backups, and ${address} is a file.`)
  }
  const file = `${target.path}.download`
  // remove the file of a process that died
  rmSync(file, { force: true })
  try {
    const from = await fetchS3Backup(target.config, place, { at, file })
    await restore(target, { file, from })
  } finally {
    rmSync(file, { force: true })
  }
}

/** The path of the database, in a folder that exists. @throws {AppError} invalid: the database is on a server */
const targetOf = (config: Config): string => {
  const path = toDatabasePath(databaseUrlOf(config))
  if (path === null) throw restoreByMove()
  makeFolder(dirname(path), 0o700)
  return path
}

type Source = Readonly<{
  file: string
  /** The origin of the file, for the message. @default the file */
  from?: string
}>

const restore = async (
  { config, path, cell }: Target,
  { file, from = file }: Source,
): Promise<void> => {
  const suffix = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const { schemaVersion, kept } = restoreDatabase(file, path, suffix, cell)
  printLine(`Restored ${path} from ${from}, schema ${schemaVersion}.`)
  if (kept !== null) printLine(`The previous database is kept as ${kept}.`)
  const fault = await describeKeyFault(config)
  if (fault !== null) process.stderr.write(`${fault}\n`)
}
