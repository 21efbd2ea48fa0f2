/** `svc keys sqld-jwt`: lets nodes enter a sqld that asks for a token. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { makeSqldKeys, signSqldToken } from '#crypto/sqld-token.ts'
import { parseArguments } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'

const sqldArguments = z.object({
  'expires-in-days': z.coerce.number().positive('must be more than 0').optional(),
})

const DAY_MS = 86_400_000

type KeyFiles = Readonly<{ privateKey: string; publicKey: string }>

/** The private half is made once: further tokens open the same sqld. */
const openKeyFiles = async (dataDir: string): Promise<KeyFiles> => {
  const files = {
    privateKey: join(dataDir, 'sqld-jwt.key'),
    publicKey: join(dataDir, 'sqld-jwt.pem'),
  }
  if (existsSync(files.privateKey) && existsSync(files.publicKey)) return files
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const keys = await makeSqldKeys()
  writeFileSync(files.privateKey, keys.privateKey, { mode: 0o600, flag: 'wx' })
  writeFileSync(files.publicKey, keys.publicKey, { mode: 0o644 })
  return files
}

export const sqldJwtCommand: CommandModule = {
  command: 'sqld-jwt',
  describe: 'Print a token for sqld, and keep the key that sqld checks it by',
  builder: (yargs) =>
    yargs
      .option('expires-in-days', { type: 'number', describe: 'Default: it never expires' })
      .example('$0 keys sqld-jwt > token', 'Then: sqld --auth-jwt-key-file sqld-jwt.pem'),
  handler: async (flags) => {
    const { 'expires-in-days': days } = parseArguments(sqldArguments, flags)
    const files = await openKeyFiles(loadCommandConfig(flags).dataDir)
    const now = new Date()
    const until = days === undefined ? null : new Date(now.getTime() + days * DAY_MS)
    const token = await signSqldToken(readFileSync(files.privateKey, 'utf8'), { now, until })
    process.stdout.write(`${token}\n`)
    process.stderr.write(
      [
        `Start sqld with --auth-jwt-key-file ${files.publicKey}`,
        'and nodes with SVC_DATABASE_AUTH_TOKEN set to the token on stdout.',
        `Who has ${files.privateKey} can make more.`,
        '',
      ].join('\n'),
    )
  },
}
