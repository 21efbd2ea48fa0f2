/** `svc keys sqld-jwt`: makes a token for nodes that connect to a sqld with authentication. */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { makeSqldToken } from '#node/keys/sqld-key-files.ts'
import { parseArguments } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'

const DAYS = '--expires-in-days must be a number of days, more than 0.'
const sqldArguments = z.object({
  'expires-in-days': z.coerce.number(DAYS).positive(DAYS).optional(),
})

export const sqldJwtCommand: CommandModule = {
  command: 'sqld-jwt',
  describe: 'Print a token for sqld and write the key that sqld verifies it with',
  builder: (yargs) =>
    yargs
      .option('expires-in-days', {
        type: 'number',
        requiresArg: true,
        describe: 'Days until it expires (default: never)',
      })
      .example('$0 keys sqld-jwt > token', 'Then: sqld --auth-jwt-key-file sqld-jwt.pem'),
  handler: async (flags) => {
    const { 'expires-in-days': days } = parseArguments(sqldArguments, flags)
    const { dataDir } = loadCommandConfig(flags)
    const { token, publicKey, privateKey } = await makeSqldToken(dataDir, days)
    process.stdout.write(`${token}\n`)
    process.stderr.write(
      [
        `Start sqld with --auth-jwt-key-file ${publicKey}`,
        'and nodes with SVC_DATABASE_AUTH_TOKEN set to the token on stdout.',
        `Anyone who has ${privateKey} can create more tokens.`,
        '',
      ].join('\n'),
    )
  },
}
