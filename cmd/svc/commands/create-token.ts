/** `svc create-token <ws> <email>`: prints the raw token alone on stdout (document 1, Scope rules 7). */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/actor.ts'
import { issueToken } from '#service/issue-token.ts'
import { loadCommandConfig } from '../command-config.ts'
import { withDeps } from '../with-deps.ts'

const argumentsSchema = z.object({
  ws: z.string(),
  email: z.string(),
  scope: z.array(z.string()).optional(),
  label: z.string(),
  'expires-in-days': z.number().int().min(1).max(3_650).optional(),
  admin: z.boolean(),
})

export const createTokenCommand: CommandModule = {
  command: 'create-token <ws> <email>',
  describe: 'Make an API token and print it',
  builder: (yargs) =>
    yargs
      .positional('ws', { type: 'string', describe: 'Workspace' })
      .positional('email', { type: 'string', describe: 'Whom the token acts for' })
      .option('scope', { type: 'string', array: true, describe: 'May be repeated; without it: *' })
      .option('label', {
        type: 'string',
        default: 'made by svc create-token',
        describe: 'For people',
      })
      .option('expires-in-days', { type: 'number', describe: 'Without it: never' })
      .option('admin', {
        type: 'boolean',
        default: false,
        describe: 'Acts as admin of the workspace',
      }),
  handler: async (flags) => {
    const wanted = argumentsSchema.parse(flags)
    const text = await withDeps(loadCommandConfig(flags), async (deps) => {
      const issued = await issueToken(deps, {
        ws: wanted.ws,
        email: wanted.email,
        label: wanted.label,
        scopes: wanted.scope ?? ['*'],
        isAdmin: wanted.admin,
        expiresInDays: wanted['expires-in-days'] ?? null,
        actor: CLI_ACTOR,
      })
      return issued.text
    })
    process.stdout.write(`${text}\n`)
  },
}
