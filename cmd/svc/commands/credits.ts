/** `svc credits add <ws> <won>`, `svc credits show <ws>`: the prepaid balance of a workspace. */
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { CREDIT_AMOUNT_RULE, isCreditAmount } from '#core/billing/balance.ts'
import { withWorkspaceDeps } from '#node/with-deps.ts'
import { addCredit } from '#service/billing/add-credit.ts'
import { requireAccount } from '#service/billing/charge.ts'
import { type CreditEntry, listCreditEntries } from '#store/billing/credit.ts'
import { commandGroup } from '../command.ts'
import { parseArguments, textOption } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'
import { type Columns, jsonOption, printAnswer, printLine, printTable } from '../print.ts'

const AMOUNT_RULE = `<won> ${CREDIT_AMOUNT_RULE}.`

const addArguments = z.object({
  ws: z.string(),
  won: z.coerce.number(AMOUNT_RULE).refine(isCreditAmount, AMOUNT_RULE),
  note: z.string().min(1, '--note must not be empty.').max(500, '--note is too long.').optional(),
})

const won = (amount: number): string => `${amount.toLocaleString('en-US')} won`

const addCommand: CommandModule = {
  command: 'add <ws> <won>',
  describe: 'Add credit; a negative amount removes credit',
  builder: (yargs) =>
    yargs
      .positional('ws', { type: 'string', describe: 'Workspace' })
      .positional('won', { type: 'string', describe: 'Amount in won' })
      .option('note', textOption('Note in the ledger'))
      .example('$0 credits add default 50000 --note "invoice 17"', ''),
  handler: async (flags) => {
    const { ws, won: amountWon, note = null } = parseArguments(addArguments, flags)
    const { balanceWon } = await withWorkspaceDeps(loadCommandConfig(flags), ws, ({ deps }) =>
      addCredit(deps, { ws, amountWon, note, actor: CLI_ACTOR }),
    )
    printLine(`Added ${won(amountWon)} to ${ws}. The balance is ${won(balanceWon)}.`)
  },
}

const SHOWN_ENTRIES = 20

const showArguments = z.object({ ws: z.string() })

const COLUMNS: Columns<CreditEntry> = {
  at: ({ createdAt }) => new Date(createdAt).toISOString(),
  kind: ({ kind }) => kind,
  won: ({ amountWon }) => amountWon.toLocaleString('en-US'),
  what: ({ note, route }) => note ?? route,
}

/**
 * An entry in the form of the API. The API's schema is not imported: in the chunks of dist/svc it would be evaluated
 * before zod has its `.openapi`, and no node would start.
 */
const entryView = (entry: CreditEntry) => ({
  id: entry.id,
  kind: entry.kind,
  amount_won: entry.amountWon,
  note: entry.note,
  route: entry.route,
  api_key_id: entry.apiKeyId,
  request_id: entry.requestId,
  created_at: new Date(entry.createdAt).toISOString(),
})

const showCommand: CommandModule = {
  command: 'show <ws>',
  describe: 'Show the balance and the newest entries',
  builder: (yargs) =>
    yargs
      .positional('ws', { type: 'string', describe: 'Workspace' })
      .option('json', jsonOption)
      .example('$0 credits show default', ''),
  handler: async (flags) => {
    const { ws } = parseArguments(showArguments, flags)
    const { account, entries } = await withWorkspaceDeps(
      loadCommandConfig(flags),
      ws,
      async ({ deps }) => ({
        account: await requireAccount(deps, ws),
        entries: await listCreditEntries(deps.db, ws, { beforeId: null, limit: SHOWN_ENTRIES }),
      }),
    )
    const { balanceWon, isSuspended } = account
    const wire = {
      balance_won: balanceWon,
      suspended: isSuspended,
      entries: entries.map(entryView),
    }
    printAnswer(flags, wire, () => {
      printLine(`Balance of ${ws}: ${won(balanceWon)}${isSuspended ? ', suspended' : ''}`)
      if (entries.length > 0) printTable(COLUMNS, entries)
    })
  },
}

export const command = commandGroup([addCommand, showCommand])
