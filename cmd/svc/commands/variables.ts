/** `svc variables`, `svc variables set <key>`, `svc variables delete <key>`. */
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { commandGroup } from '../command.ts'
import { textOption } from '../command-arguments.ts'
import { UsageError } from '../exit.ts'
import { printLine } from '../print.ts'
import { relativeTime } from '../relative-time.ts'
import { deleteCommand, listCommand, remoteCommand, segment } from '../remote-command.ts'

const variable = z.looseObject({
  key: z.string(),
  secret: z.boolean(),
  value: z.string().optional(),
  updated_by: z.string(),
  updated_at: z.string(),
})

const list = listCommand({
  command: '$0',
  describe: 'List variables; values of secret ones never',
  path: '/variables',
  row: variable,
  columns: {
    VARIABLE: ({ key }) => key,
    VALUE: ({ secret, value }) => (secret ? 'secret' : (value ?? null)),
    BY: (row) => row.updated_by,
    UPDATED: (row) => relativeTime(row.updated_at),
  },
  none: 'No variables. `svc variables set <key>` makes one.',
})

/** Reads a secret from standard input, because a value on the command line stays in the history of the shell. */
const readValue = async (key: unknown, given: unknown): Promise<string> => {
  if (given !== undefined) return String(given)
  const [, name, assigned] = /^([A-Za-z_][\w.-]*)=(.*)$/.exec(String(key)) ?? []
  if (name !== undefined) {
    throw new UsageError(
      `The key and its value are separate: svc variables set ${name} --value ${assigned === '' ? "''" : '…'}, or with the value of a secret on standard input.`,
    )
  }
  if (process.stdin.isTTY) {
    throw new UsageError('Give the value on standard input: svc variables set KEY < file')
  }
  const read = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (read !== '') return read
  throw new UsageError("Standard input is empty. An empty value is set by --value ''.")
}

const set = remoteCommand({
  command: 'set <key>',
  describe: 'Set a variable from standard input or --value',
  positionals: { key: 'Variable key, such as STRIPE_KEY' },
  flags: {
    value: textOption('Value; not for secrets, because shells and process lists keep it'),
    plain: {
      type: 'boolean',
      default: false,
      describe: 'Show the value in lists; it is not a secret',
    },
  },
  examples: [
    ['$0 variables set STRIPE_KEY < key.txt', ''],
    ['$0 variables set REGION --value eu --plain', ''],
  ],
  answer: variable,
  request: async ({ key, value, plain }) => ({
    path: `/variables/${segment(key)}`,
    method: 'PUT',
    json: { value: await readValue(key, value), secret: plain !== true },
  }),
  print: ({ key, secret }) => printLine(`Set ${key}${secret ? ', a secret' : ''}.`),
})

export const command = commandGroup(
  [
    list,
    set,
    deleteCommand({ noun: 'variable', argument: 'key', pathOf: (key) => `/variables/${key}` }),
  ],
  (yargs) => yargs.example('$0 variables set STRIPE_KEY < key.txt', ''),
)
