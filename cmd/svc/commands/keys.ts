/** `svc keys rotate`: a new instance key (service/rotate-key.ts says how it survives a crash). */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import type { Config } from '#config/config.ts'
import { AppError, conflict } from '#core/error.ts'
import { createAesKeyring } from '#crypto/aes-keyring.ts'
import { loadInstanceKey } from '#crypto/instance-key.ts'
import {
  hasPreviousKey,
  installNextKey,
  listNextKeys,
  removeNextKey,
  removePreviousKey,
  writeNextKey,
} from '#crypto/next-instance-key.ts'
import type { Deps } from '#service/deps.ts'
import { holdsInstanceKey, rotateInstanceKey } from '#service/rotate-key.ts'
import { parseArguments } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'
import { withExistingDeps } from '../with-deps.ts'
import { sqldJwtCommand } from './sqld-jwt.ts'

const rotateArguments = z.object({ 'keep-old': z.boolean() })

const keyFromEnvironment = (): AppError =>
  new AppError(
    'invalid',
    [
      'SVC_SECRET_KEY is set, and svc cannot change the environment of its nodes. To rotate all the same:',
      '  1. Stop every node.',
      '  2. Write the value of SVC_SECRET_KEY into <data-dir>/secret.key (mode 0600).',
      '  3. Without SVC_SECRET_KEY in the environment: svc keys rotate',
      '  4. Set SVC_SECRET_KEY to what secret.key holds now, on every node, and start them.',
    ].join('\n'),
    { code: 'key_from_environment' },
  )

const previousKeyInTheWay = (): AppError =>
  conflict(
    'secret.key.old is there: an earlier key, with which earlier backups open. Move it away or delete it first.',
  )

const rotate = async (config: Config, deps: Deps): Promise<number> => {
  const from = loadInstanceKey(config.dataDir, undefined)
  // of rotations that came to nothing: were one of them still to write, the check value that it expects would be gone
  const stale = listNextKeys(config.dataDir)
  const next = writeNextKey(config.dataDir)
  deps.passFault('rotate_before_commit')
  const count = await rotateInstanceKey(deps, { from, to: next.key }).catch(
    async (error: unknown) => {
      // an unknown outcome leaves the file for the next start to decide
      if (error instanceof AppError) removeNextKey(next)
      throw error
    },
  )
  deps.passFault('rotate_committed')
  installNextKey(config.dataDir, next)
  deps.passFault('rotate_installed')
  const keyring = createAesKeyring(loadInstanceKey(config.dataDir, undefined))
  if (!(await holdsInstanceKey({ db: deps.db, keyring }))) {
    throw new Error('The key in secret.key does not open the database; secret.key.old is kept.')
  }
  for (const unused of stale) removeNextKey(unused)
  return count
}

const report = (count: number, isOldKept: boolean): string =>
  [
    `Changed the instance key; it wraps the data keys of ${count} ${count === 1 ? 'workspace' : 'workspaces'} now.`,
    'Nodes that run end by themselves within seconds. Copy secret.key to the data directory of each, and start them.',
    isOldKept
      ? 'The previous key is kept in secret.key.old: backups made until now open with it alone.'
      : 'Backups made until now open with the previous key alone, which is gone: make a new one.',
    '',
  ].join('\n')

const rotateCommand: CommandModule = {
  command: 'rotate',
  describe: 'Make a new instance key and wrap all data keys with it',
  builder: (yargs) =>
    yargs
      .option('keep-old', {
        type: 'boolean',
        default: false,
        describe: 'Keep the previous key as secret.key.old, for earlier backups',
      })
      .example('$0 keys rotate --keep-old', 'Until no backup needs the previous key any more'),
  handler: async (flags) => {
    const { 'keep-old': isOldKept } = parseArguments(rotateArguments, flags)
    const config = loadCommandConfig(flags)
    if (config.secretKey !== undefined) throw keyFromEnvironment()
    const count = await withExistingDeps(config, async (deps) => {
      if (hasPreviousKey(config.dataDir)) throw previousKeyInTheWay()
      return await rotate(config, deps)
    })
    if (!isOldKept) removePreviousKey(config.dataDir)
    process.stdout.write(report(count, isOldKept))
  },
}

export const keysCommand: CommandModule = {
  command: 'keys <command>',
  describe: 'The instance key, and tokens for sqld',
  builder: (yargs) =>
    yargs
      .demandCommand(1)
      .command(rotateCommand)
      .command(sqldJwtCommand)
      .example('$0 keys rotate --data-dir /var/lib/svc', 'Nodes that run end by themselves'),
  handler: () => undefined,
}
