/** `svc flows`, `svc flows graph|run <app>/<flow>`, `svc flows runs`, `svc flows show <id>`. */
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { shortCommit } from '#core/deploy/short-commit.ts'
import { flowSchema } from '#core/flow/definition.ts'
import { flowGraph } from '#core/flow/graph.ts'
import { toMermaid } from '#core/flow/mermaid.ts'
import { RUN_STATUSES } from '#core/flow/run.ts'
import { addUsage, commandGroup } from '../command.ts'
import { textOption } from '../command-arguments.ts'
import { eventWaits, printEventWaits } from '../event-waits.ts'
import { inputOption, readInput } from '../input.ts'
import { targetQuery, timeFlags, timeQuery } from '../list-filters.ts'
import { readTarget, targetUsage } from '../named-target.ts'
import { type Flags, jsonOption, printAnswer, printLine, printTable, statusText } from '../print.ts'
import { relativeTime } from '../relative-time.ts'
import {
  limitOption,
  listCommand,
  type NamedCommand,
  remoteCommand,
  segment,
} from '../remote-command.ts'
import { runAndWait } from '../run-and-wait.ts'
import { endedRun, printEndedRun, waitForRun, waitOption } from '../wait-for-run.ts'
import { approve, cancel, reject, restart } from './flow-runs.ts'

const flow = z.looseObject({
  app: z.string(),
  key: z.string(),
  commit: z.string(),
  definition: flowSchema,
})

const run = z.looseObject({
  id: z.string(),
  app: z.string(),
  flow: z.string(),
  status: z.string(),
  created_at: z.string(),
  current_step: z.looseObject({ key: z.string() }).nullable(),
  scheduled_for: z.string().nullish(),
  waiting_for: z.looseObject({ detail: z.string() }).nullish(),
})

/** When a run that has not begun does so. */
const startOf = ({ scheduled_for: at, waiting_for: place }: z.infer<typeof run>): string => {
  if (place != null) return 'waits for its concurrency key'
  return at == null ? '' : `starts ${relativeTime(at)}`
}

const list = listCommand({
  command: '$0',
  describe: 'List the flows of the deployed apps',
  path: '/flows',
  isWhole: true,
  query: { app: textOption('App key') },
  row: flow,
  columns: {
    FLOW: ({ app, key }) => `${app}/${key}`,
    STEPS: ({ definition }) => definition.steps.map((step) => step.key).join(' → '),
    COMMIT: ({ commit }) => shortCommit(commit),
  },
  none: 'No flows. `flows:` in app.yaml declares one.',
})

const positionals = { flow: targetUsage('Flow') }

const pathOf = async (prefix: string, flags: Flags): Promise<string> => {
  const { app, key } = await readTarget(flags, 'flow')
  return `${prefix}/${app}/${key}`
}

const graph = remoteCommand({
  command: 'graph <flow>',
  describe: 'Print a flow as a Mermaid diagram',
  positionals,
  examples: [['$0 flows graph hello/report > report.mmd', 'For a README or a pull request']],
  answer: flow,
  request: async (flags) => ({ path: await pathOf('/flows', flags) }),
  print: ({ definition }) => printLine(toMermaid(flowGraph(definition)).trimEnd()),
  toJson: ({ definition }) => flowGraph(definition),
})

const started = z.looseObject({ flow_run_id: z.string() })

const start: NamedCommand = {
  command: 'run <flow>',
  describe: 'Start a flow run and print its ID',
  builder: (yargs) =>
    addUsage(yargs, {
      positionals,
      flags: { input: inputOption, wait: waitOption, json: jsonOption },
      examples: [
        ['$0 flows run hello/report', ''],
        ['$0 flows run hello/report --wait', ''],
      ],
    }),
  handler: async (flags) => {
    const path = await pathOf('/flows/run', flags)
    const json = await readInput(flags.input)
    const client = createClient()
    if (flags.wait === true && !(await client.holds('flows:read'))) {
      return printEndedRun(flags, await runAndWait(client, path, { json, ended: endedRun }))
    }
    const made = await client.call(started, path, { method: 'POST', json })
    if (flags.wait === true) return waitForRun(client, made.flow_run_id, flags)
    printAnswer(flags, made, () => printLine(made.flow_run_id))
  },
}

const runs = listCommand({
  command: 'runs',
  describe: 'List flow runs, newest first',
  path: '/flow-runs',
  query: {
    status: {
      choices: ['all', 'open', 'over', ...RUN_STATUSES],
      requiresArg: true,
      default: 'all',
      describe: 'Status of the runs',
    },
    app: textOption('App key'),
    flow: textOption('Flow, as <app>/<flow> or its key alone'),
    label: textOption('Runs with this label, such as customer:42'),
    ...timeFlags,
    limit: limitOption,
  },
  toQuery: (flags) => ({ ...targetQuery(flags, 'flow'), ...timeQuery(flags, Date.now()) }),
  examples: [
    ['$0 flows runs --status waiting_approval', ''],
    ['$0 flows runs --flow shop/order --since 2h', 'Those of the last two hours'],
  ],
  row: run,
  columns: {
    RUN: ({ id }) => id,
    FLOW: (row) => `${row.app}/${row.flow}`,
    STATUS: ({ status }) => statusText(status),
    AT: (row) => row.current_step?.key ?? (startOf(row) || null),
    STARTED: (row) => relativeTime(row.created_at),
  },
  none: 'No flow runs.',
})

const itemCounts = z.object({ total: z.number(), done: z.number(), failed: z.number() })
type Items = z.infer<typeof itemCounts> | undefined

const count = (value: number): string => value.toLocaleString('en-US')

/** For example `1,250 of 3,000, 2 failed`. */
const itemsText = (items: Items): string | null => {
  if (items === undefined) return null
  const failed = items.failed === 0 ? '' : `, ${count(items.failed)} failed`
  return `${count(items.done)} of ${count(items.total)}${failed}`
}

const show = remoteCommand({
  command: 'show <id>',
  describe: 'Show a flow run with its steps',
  positionals: { id: 'Flow run ID' },
  answer: run.extend({
    result: z.json(),
    error: z.json(),
    /** An older server has no such fields. */
    ends_as: z.string().nullish(),
    labels: z.array(z.string()).optional(),
    event_waits: eventWaits,
    steps: z.array(
      z.looseObject({
        key: z.string(),
        kind: z.string(),
        status: z.string(),
        attempt: z.number(),
        execution_ms: z.number().nullable(),
        items: itemCounts.optional(),
      }),
    ),
  }),
  request: ({ id }) => ({ path: `/flow-runs/${segment(id)}` }),
  print: (found) => {
    const next = found.ends_as == null ? startOf(found) : `will be ${found.ends_as}`
    printLine(`${found.app}/${found.flow}  ${statusText(found.status)}  ${next}`.trimEnd())
    if (found.labels?.[0] !== undefined) printLine(`labels ${found.labels.join(', ')}`)
    printTable(
      {
        STEP: ({ key }) => key,
        KIND: ({ kind }) => kind,
        STATUS: ({ status }) => statusText(status),
        ATTEMPT: ({ attempt }) => attempt,
        MS: (step) => step.execution_ms,
        ...(found.steps.some(({ items }) => items !== undefined)
          ? { ITEMS: ({ items }: Readonly<{ items?: Items }>) => itemsText(items) }
          : {}),
      },
      found.steps,
    )
    printEventWaits(found.event_waits)
    if (found.error !== null) printLine(`error   ${JSON.stringify(found.error)}`)
    if (found.result !== null) printLine(`result  ${JSON.stringify(found.result)}`)
  },
})

export const command = commandGroup(
  [list, graph, start, runs, show, approve, reject, restart, cancel],
  (yargs) => yargs.example('$0 flows run hello/report', 'Start a flow run'),
)
