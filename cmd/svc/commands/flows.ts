/** `svc flows`, `svc flows graph <app>/<flow>`, `svc flows run <app>/<flow>`, `svc flows show <id>`. */
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { targetArgument } from '#cli-client/target.ts'
import { flowSchema } from '#core/flow/definition.ts'
import { flowGraph } from '#core/flow/graph.ts'
import { toMermaid } from '#core/flow/mermaid.ts'
import { RUN_STATUSES } from '#core/flow/run.ts'
import { parseArguments } from '../command-arguments.ts'
import { inputOption, readInput } from '../input.ts'
import { printJson, printLine, printTable, statusText } from '../print.ts'

const flow = z.looseObject({
  app: z.string(),
  key: z.string(),
  commit: z.string(),
  definition: flowSchema,
})
const flowPage = z.looseObject({ items: z.array(flow) })

const run = z.looseObject({
  id: z.string(),
  app: z.string(),
  flow: z.string(),
  status: z.string(),
  created_at: z.string(),
  current_step: z.looseObject({ key: z.string() }).nullable(),
})

const listCommand: CommandModule = {
  command: '$0',
  describe: 'List the flows of the deployed apps',
  handler: async (flags) => {
    const page = await createClient().call(flowPage, '/flows?limit=500')
    if (flags.json === true) return printJson(page)
    if (page.items.length === 0) return printLine('No app that is deployed declares a flow.')
    printTable(
      ['FLOW', 'STEPS', 'COMMIT'],
      page.items.map(({ app, key, commit, definition }) => [
        `${app}/${key}`,
        definition.steps.map((step) => step.key).join(' → '),
        commit.slice(0, 12),
      ]),
    )
  },
}

const graphCommand: CommandModule = {
  command: 'graph <flow>',
  describe: 'Print a flow as mermaid text',
  builder: (yargs) =>
    yargs
      .positional('flow', { type: 'string', describe: '<app>/<flow>' })
      .example('$0 flows graph hello/report > report.mmd', 'for a README or a pull request'),
  handler: async (flags) => {
    const { app, key } = parseArguments(targetArgument('flow'), flags)
    const found = await createClient().call(flow, `/flows/${app}/${key}`)
    const graph = flowGraph(found.definition)
    if (flags.json === true) printJson(graph)
    else printLine(toMermaid(graph).trimEnd())
  },
}

const runCommand: CommandModule = {
  command: 'run <flow>',
  describe: 'Start a flow run and print its id',
  builder: (yargs) =>
    yargs
      .positional('flow', { type: 'string', describe: '<app>/<flow>' })
      .option('input', inputOption)
      .example('$0 flows run hello/report', ''),
  handler: async (flags) => {
    const { app, key } = parseArguments(targetArgument('flow'), flags)
    const json = await readInput(flags.input)
    const started = z.looseObject({ flow_run_id: z.string() })
    const path = `/flows/run/${app}/${key}`
    const answer = await createClient().call(started, path, { method: 'POST', json })
    if (flags.json === true) printJson(answer)
    else printLine(answer.flow_run_id)
  },
}

const runsCommand: CommandModule = {
  command: 'runs',
  describe: 'List flow runs, newest first',
  builder: (yargs) =>
    yargs
      .option('status', { choices: ['all', 'open', 'over', ...RUN_STATUSES], default: 'all' })
      .option('limit', { type: 'number', default: 20, describe: '1 to 500' }),
  handler: async (flags) => {
    const page = z.looseObject({ items: z.array(run) })
    const query = new URLSearchParams({ status: String(flags.status), limit: String(flags.limit) })
    const answer = await createClient().call(page, `/flow-runs?${query}`)
    if (flags.json === true) return printJson(answer)
    printTable(
      ['RUN', 'FLOW', 'STATUS', 'AT', 'STARTED'],
      answer.items.map((row) => [
        row.id,
        `${row.app}/${row.flow}`,
        statusText(row.status),
        row.current_step?.key ?? '–',
        row.created_at,
      ]),
    )
  },
}

const detail = run.extend({
  result: z.json(),
  error: z.json(),
  steps: z.array(
    z.looseObject({
      key: z.string(),
      kind: z.string(),
      status: z.string(),
      attempt: z.number(),
      execution_ms: z.number().nullable(),
    }),
  ),
})

const showCommand: CommandModule = {
  command: 'show <id>',
  describe: 'Show a flow run with its steps',
  builder: (yargs) => yargs.positional('id', { type: 'string', describe: 'Of the run' }),
  handler: async (flags) => {
    const found = await createClient().call(
      detail,
      `/flow-runs/${encodeURIComponent(String(flags.id))}`,
    )
    if (flags.json === true) return printJson(found)
    printLine(`${found.app}/${found.flow}  ${statusText(found.status)}`)
    printTable(
      ['STEP', 'KIND', 'STATUS', 'TRY', 'MS'],
      found.steps.map((step) => [
        step.key,
        step.kind,
        statusText(step.status),
        String(step.attempt),
        step.execution_ms === null ? '–' : String(step.execution_ms),
      ]),
    )
    if (found.error !== null) printLine(`error   ${JSON.stringify(found.error)}`)
    if (found.result !== null) printLine(`result  ${JSON.stringify(found.result)}`)
  },
}

export const flowsCommand: CommandModule = {
  command: 'flows',
  describe: 'List, draw, start and watch flows',
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
      .example('$0 flows run hello/report', 'start one and print its id')
      .command(listCommand)
      .command(graphCommand)
      .command(runCommand)
      .command(runsCommand)
      .command(showCommand),
  handler: () => undefined,
}
