/** `svc tokens`, `svc tokens scopes`, `svc tokens create <label>`, `svc tokens revoke <id>`. */
import { z } from 'zod'
import { MAX_LIFETIME_DAYS } from '#core/access/lifetime.ts'
import { commandGroup } from '../command.ts'
import { parseArguments, wholeArgument } from '../command-arguments.ts'
import { printLine, printTable } from '../print.ts'
import { relativeTime } from '../relative-time.ts'
import { listCommand, remoteCommand, segment } from '../remote-command.ts'

const token = z.looseObject({
  id: z.string(),
  token_prefix: z.string(),
  label: z.string(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
})

const list = listCommand({
  command: '$0',
  describe: 'List API tokens',
  path: '/tokens',
  isWhole: true,
  row: token,
  columns: {
    TOKEN: ({ id }) => id,
    PREFIX: (row) => row.token_prefix,
    LABEL: ({ label }) => label,
    SCOPES: ({ scopes }) => scopes.join(' '),
    UNTIL: (row) => (row.revoked_at === null ? relativeTime(row.expires_at) : 'revoked'),
  },
  none: 'No tokens. `svc tokens create <label>` makes one.',
})

const allScopes = z.looseObject({
  items: z.array(z.looseObject({ scope: z.string(), description: z.string() })),
})

const scopes = remoteCommand({
  command: 'scopes',
  describe: 'List the scopes that a token can have',
  answer: allScopes,
  request: () => ({ path: '/api/tokens/scopes' }),
  send: (client, { path }) => client.read(allScopes, path),
  print: ({ items }) =>
    printTable({ SCOPE: ({ scope }) => scope, ALLOWS: ({ description }) => description }, items),
})

const createArguments = z.looseObject({
  days: wholeArgument('days', 1, MAX_LIFETIME_DAYS).optional(),
  // a flag that is repeated becomes a list
  scopes: z.coerce
    .string()
    .transform((joined) => joined.split(/[\s,]+/).filter(Boolean))
    .refine((scopes) => scopes.length > 0, '--scopes must name a scope, such as jobs:run.'),
})

const create = remoteCommand({
  command: 'create <label>',
  describe: 'Create an API token and print it once',
  positionals: { label: 'What the token is for' },
  flags: {
    scopes: {
      type: 'string',
      requiresArg: true,
      demandOption: true,
      describe:
        'Scopes separated by commas, such as jobs:run,jobs:read; svc tokens scopes lists them',
    },
    days: { type: 'number', requiresArg: true, describe: 'Days until it expires (default: never)' },
  },
  examples: [['$0 tokens create ci --scopes deployments:write,apps:read --days 90', '']],
  answer: token.extend({ token: z.string() }),
  request: (flags) => {
    const { days, scopes } = parseArguments(createArguments, flags)
    return {
      path: '/tokens',
      method: 'POST',
      json: {
        label: flags.label,
        scopes,
        ...(days === undefined ? {} : { expires_in_days: days }),
      },
    }
  },
  print: (made) => printLine(made.token),
})

const revoke = remoteCommand({
  command: 'revoke <id>',
  describe: 'Revoke a token and the tokens that it created',
  positionals: { id: 'Token ID' },
  answer: token,
  request: ({ id }) => ({ path: `/tokens/${segment(id)}`, method: 'DELETE' }),
  print: ({ label }) => printLine(`Revoked ${label}.`),
})

export const command = commandGroup([list, scopes, create, revoke], (yargs) =>
  yargs.example('$0 tokens create ci --scopes jobs:run', ''),
)
