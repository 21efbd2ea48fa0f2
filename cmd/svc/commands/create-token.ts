/** `svc create-token <ws> <email>`: prints only the raw token to stdout [access 5.8]. */
import process from 'node:process'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { MAX_LIFETIME_DAYS } from '#core/access/lifetime.ts'
import { withWorkspaceDeps } from '#node/with-deps.ts'
import { issueToken, requireAdminOwner } from '#service/access/issue-token.ts'
import type { Command } from '../command.ts'
import { emailArgument, parseArguments, textOption, wholeArgument } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'

const argumentsSchema = z.object({
  ws: z.string(),
  email: emailArgument,
  scope: z.array(z.string()).optional(),
  label: z.string().min(1, '--label must not be empty.').max(200, '--label is too long.'),
  'expires-in-days': wholeArgument('expires-in-days', 1, MAX_LIFETIME_DAYS).optional(),
  admin: z.boolean(),
})

export const command: Command = {
  builder: (yargs) =>
    yargs
      .positional('ws', { type: 'string', describe: 'Workspace' })
      .positional('email', { type: 'string', describe: 'User that the token acts for' })
      .option('scope', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: 'Scope of the token (repeatable; default: *)',
      })
      .option('label', {
        type: 'string',
        requiresArg: true,
        default: 'made by svc create-token',
        describe: 'Label of the token',
      })
      .option(
        'expires-in-days',
        textOption(`Days until it expires, 1 to ${MAX_LIFETIME_DAYS} (default: never)`),
      )
      .option('admin', {
        type: 'boolean',
        default: false,
        describe: 'Act as admin of the workspace; the user must be an admin',
      })
      .example('$0 create-token default admin@localhost', 'Allow whatever the user may do')
      .example(
        '$0 create-token default ada@example.com --scope jobs:run --scope jobs:read --expires-in-days 30',
        'Run jobs and read their results, for 30 days',
      ),
  handler: async (flags) => {
    const wanted = parseArguments(argumentsSchema, flags)
    const text = await withWorkspaceDeps(loadCommandConfig(flags), wanted.ws, async ({ deps }) => {
      if (wanted.admin) await requireAdminOwner(deps, wanted)
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
