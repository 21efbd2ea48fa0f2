/** `svc jobs`, `svc jobs show|cancel <id>`. */
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { JOB_STATUSES } from '#core/job/transitions.ts'
import { printJson, printLine, printTable, statusText } from '../print.ts'

const job = z.looseObject({
  id: z.string(),
  app: z.string(),
  action: z.string(),
  status: z.string(),
  attempt: z.number(),
  trigger_kind: z.string(),
  created_at: z.string(),
  duration_ms: z.number().nullable(),
})

const listCommand: CommandModule = {
  command: '$0',
  describe: 'List jobs, newest first',
  builder: (yargs) =>
    yargs
      .option('status', { choices: ['all', 'completed', ...JOB_STATUSES], default: 'all' })
      .option('app', { type: 'string', requiresArg: true, describe: 'Of this app' })
      .option('limit', { type: 'number', default: 20, describe: '1 to 500' }),
  handler: async (flags) => {
    const query = new URLSearchParams({ status: String(flags.status), limit: String(flags.limit) })
    if (flags.app !== undefined) query.set('app', String(flags.app))
    const page = z.looseObject({ items: z.array(job) })
    const answer = await createClient().call(page, `/jobs?${query}`)
    if (flags.json === true) return printJson(answer)
    if (answer.items.length === 0) return printLine('No jobs.')
    printTable(
      ['JOB', 'ACTION', 'STATUS', 'TRY', 'MS', 'BY', 'CREATED'],
      answer.items.map((row) => [
        row.id,
        `${row.app}/${row.action}`,
        statusText(row.status),
        String(row.attempt),
        row.duration_ms === null ? '–' : String(row.duration_ms),
        row.trigger_kind,
        row.created_at,
      ]),
    )
  },
}

const idArgument = { type: 'string', describe: 'Of the job' } as const
const pathOf = (id: unknown): string => `/jobs/${encodeURIComponent(String(id))}`

const showCommand: CommandModule = {
  command: 'show <id>',
  describe: 'Show a job',
  builder: (yargs) => yargs.positional('id', idArgument),
  handler: async (flags) => {
    const found = await createClient().call(job.extend({ result: z.json() }), pathOf(flags.id))
    if (flags.json === true) return printJson(found)
    printLine(`${found.app}/${found.action}  ${statusText(found.status)}  try ${found.attempt}`)
    printLine(JSON.stringify(found.result, null, 2))
  },
}

const cancelCommand: CommandModule = {
  command: 'cancel <id>',
  describe: 'Cancel a job',
  builder: (yargs) =>
    yargs
      .positional('id', idArgument)
      .option('reason', { type: 'string', requiresArg: true, describe: 'For its record' }),
  handler: async (flags) => {
    const reason = flags.reason === undefined ? {} : { reason: String(flags.reason) }
    const answer = z.looseObject({ completed_now: z.boolean(), already_completed: z.boolean() })
    const path = `${pathOf(flags.id)}/cancel`
    const done = await createClient().call(answer, path, { method: 'POST', json: reason })
    if (flags.json === true) return printJson(done)
    if (done.already_completed) printLine('It had ended already.')
    else printLine(done.completed_now ? 'Canceled.' : 'It is running and is being stopped.')
  },
}

export const jobsCommand: CommandModule = {
  command: 'jobs',
  describe: 'List, show and cancel jobs',
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
      .example('$0 jobs --status failure', '')
      .command(listCommand)
      .command(showCommand)
      .command(cancelCommand),
  handler: () => undefined,
}
