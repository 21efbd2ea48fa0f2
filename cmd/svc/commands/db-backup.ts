/** `svc db backup`: copies a database to a file, a folder or S3, once or at an interval. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import type { Config } from '#config/config.ts'
import { isS3Address } from '#core/backup/s3-place.ts'
import { parseGoDuration } from '#core/schedule/go-duration.ts'
import { DAY_MS } from '#core/time-units.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { type BackupPlace, folderPlace } from '#node/backups/backup-place.ts'
import { type BackupSource, openBackupSource } from '#node/backups/backup-source.ts'
import { keepBackups } from '#node/backups/keep-backups.ts'
import { s3Place } from '#node/backups/s3-backup-place.ts'
import { backupDatabase } from '#store/maintenance/backup.ts'
import { parseArguments, textOption, wholeArgument } from '../command-arguments.ts'
import { cellOption, loadCellConfig, requireCell } from '../command-config.ts'
import { UsageError } from '../exit.ts'
import { explainError } from '../explain-error.ts'
import { printLine } from '../print.ts'
import { fileArgument, s3PlaceOf } from './backup-arguments.ts'

const MOST_KEPT = 10_000
const DEFAULT_KEPT = 24
const SHORTEST_MS = 1_000
const LONGEST_MS = 31 * DAY_MS

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
  describe: 'Back up the database to a file or S3, once or at intervals; svc can keep running',
  builder: (yargs) =>
    yargs
      .positional('file', {
        type: 'string',
        describe: 'New file, or with --every a folder, or s3://bucket/prefix',
      })
      .option('every', textOption('Keep running and back up at this interval, such as 1h'))
      .option(
        'keep',
        textOption(
          `Number of backups to keep (default: ${DEFAULT_KEPT} with --every, otherwise all)`,
        ),
      )
      .option('cell', cellOption)
      .example('$0 db backup svc-$(date +%F).db', 'Also store secret.key, in another place')
      .example('$0 db backup --every 1h --keep 24 /backups/svc', 'Runs until SIGTERM or Ctrl-C')
      .example(
        '$0 db backup --keep 30 s3://backups/svc',
        'Credentials and endpoint come from AWS_…, see svc config',
      ),
  handler: async (flags) => {
    const { file, every, keep } = parseArguments(backupArguments, flags)
    if (keep !== undefined && every === undefined && !isS3Address(file)) {
      throw new UsageError('--keep needs --every or an s3:// folder: one file removes no others.')
    }
    const config = loadCellConfig(flags)
    const checked = (path: string): string => requireCell(flags, path)
    if (every === undefined && !isS3Address(file)) {
      const folder = dirname(resolve(file))
      await withSource(config, folder, async ({ path }) => {
        const backup = backupDatabase(checked(path()), file)
        printLine(`Wrote ${backup.file}: ${backup.bytes} bytes, schema ${backup.schemaVersion}.`)
      })
      return
    }
    await untilSignal(async (signal) => {
      const place = placeOf(file, config, signal)
      const act = async (opened: BackupSource): Promise<void> => {
        const source = { ...opened, path: () => checked(opened.path()) }
        if (every === undefined) await backUpOnce(place, source.path(), keep ?? null)
        else
          await keepBackups({ source, place, everyMs: every, keep: keep ?? DEFAULT_KEPT }, signal)
      }
      if (isS3Address(file)) await useSource(openBackupSource(config, config.dataDir), act)
      else await withSource(config, resolve(file), act)
    })
  },
}

const useSource = async (
  source: BackupSource,
  act: (source: BackupSource) => Promise<void>,
): Promise<void> => {
  try {
    await act(source)
  } finally {
    source.close()
  }
}

/** Makes the folder of the backups. A folder that was missing is named, because a disk may not be mounted there. */
const withSource = (
  config: Config,
  folder: string,
  act: (source: BackupSource) => Promise<void>,
): Promise<void> => {
  const isMissing = !existsSync(folder)
  return useSource(openBackupSource(config, folder), async (source) => {
    makeFolder(folder, 0o700)
    if (isMissing) printLine(`Made the folder ${folder}, which was missing.`)
    await act(source)
  })
}

const placeOf = (file: string, config: Config, signal: AbortSignal): BackupPlace => {
  if (!isS3Address(file)) return folderPlace(resolve(file))
  const place = s3PlaceOf(file)
  if (place.name === null) return s3Place(config, place, signal)
  throw new UsageError('An s3:// address of a backup is a folder: each is named by its time there.')
}

const backUpOnce = async (place: BackupPlace, path: string, keep: number | null): Promise<void> => {
  const made = await place.add(path, { keep, now: Date.now() })
  printLine(`Wrote ${made.file}: ${made.bytes} bytes, schema ${made.schemaVersion}.`)
  if (made.removed.length > 0) printLine(`Removed ${made.removed.join(', ')}.`)
  if (made.removalFault === null) return
  process.stderr.write(`Older backups were not removed: ${explainError(made.removalFault)}\n`)
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Runs until SIGTERM or SIGINT, which abort the signal. A copy that is being written
 * completes first, because it blocks this process.
 */
const untilSignal = async (act: (signal: AbortSignal) => Promise<void>): Promise<void> => {
  const abort = new AbortController()
  const stop = (): void => abort.abort()
  for (const name of SIGNALS) process.once(name, stop)
  try {
    await act(abort.signal)
  } finally {
    for (const name of SIGNALS) process.off(name, stop)
  }
}
