/** `svc keys rotate`: replaces the instance key (service/secrets/rotate-key.ts explains how this survives a crash). */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { type AppError, invalid } from '#core/error.ts'
import { removePreviousKey } from '#crypto/next-instance-key.ts'
import { rotateKeyFiles } from '#node/keys/rotate-key-files.ts'
import { withAllCells } from '#node/with-deps.ts'
import { commandGroup } from '../command.ts'
import { parseArguments } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'
import { sqldJwtCommand } from './sqld-jwt.ts'

const rotateArguments = z.object({ 'keep-old': z.boolean() })

const keyFromEnvironment = (): AppError =>
  invalid(
    [
      'SVC_SECRET_KEY is set, and svc cannot change the environment of its nodes. To rotate all the same:',
      '  1. Stop every node.',
      '  2. Write the value of SVC_SECRET_KEY into <data-dir>/secret.key (mode 0600).',
      '  3. Without SVC_SECRET_KEY in the environment: svc keys rotate',
      '  4. Set SVC_SECRET_KEY to what secret.key holds now, on every node, and start them.',
    ].join('\n'),
    { code: 'key_from_environment' },
  )

const report = (count: number, isOldKept: boolean): string =>
  [
    `Rotated the instance key and wrapped the data keys of ${count} ${count === 1 ? 'workspace' : 'workspaces'} with it.`,
    'Running nodes stop by themselves within 30 seconds. Then copy secret.key to the data directory of each node, and start it.',
    isOldKept
      ? 'The previous key is kept in secret.key.old. Earlier backups need it.'
      : 'Earlier backups need the previous key, which is gone. Make a new backup.',
    '',
  ].join('\n')

const rotateCommand: CommandModule = {
  command: 'rotate',
  describe: 'Create a new instance key and wrap all data keys with it',
  builder: (yargs) =>
    yargs
      .option('keep-old', {
        type: 'boolean',
        default: false,
        describe: 'Keep the previous key as secret.key.old, for earlier backups',
      })
      .example('$0 keys rotate --keep-old', 'Needed as long as backups use the previous key'),
  handler: async (flags) => {
    const { 'keep-old': isOldKept } = parseArguments(rotateArguments, flags)
    const config = loadCommandConfig(flags)
    if (config.secretKey !== undefined) throw keyFromEnvironment()
    const count = await withAllCells(config, (deps, cells) => rotateKeyFiles(config, deps, cells))
    if (!isOldKept) removePreviousKey(config.dataDir)
    process.stdout.write(report(count, isOldKept))
  },
}

export const command = commandGroup([rotateCommand, sqldJwtCommand], (yargs) =>
  yargs.example(
    '$0 keys rotate --data-dir /var/lib/svc',
    'Running nodes stop by themselves within 30 s',
  ),
)
