/** `svc jobs`, `svc jobs show|cancel <id>`. */
import { z } from 'zod'
import { JOB_STATUSES } from '#core/job/transitions.ts'
import { commandGroup } from '../command.ts'
import { printLine, statusText } from '../print.ts'
import { limitOption, listCommand, remoteCommand, segment } from '../remote-command.ts'

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

const list = listCommand({
  command: '$0',
  describe: 'List jobs, newest first',
  path: '/jobs',
  query: {
    status: { choices: ['all', 'completed', ...JOB_STATUSES], default: 'all' },
    app: { type: 'string', requiresArg: true, describe: 'Of this app' },
    limit: limitOption,
  },
  row: job,
  columns: {
    JOB: ({ id }) => id,
    ACTION: ({ app, action }) => `${app}/${action}`,
    STATUS: ({ status }) => statusText(status),
    TRY: ({ attempt }) => attempt,
    MS: (row) => row.duration_ms,
    BY: (row) => row.trigger_kind,
    CREATED: (row) => row.created_at,
  },
  none: 'No jobs.',
})

const positionals = { id: 'Of the job' }

const show = remoteCommand({
  command: 'show <id>',
  describe: 'Show a job',
  positionals,
  answer: job.extend({ result: z.json() }),
  request: ({ id }) => ({ path: `/jobs/${segment(id)}` }),
  print: ({ app, action, status, attempt, result }) => {
    printLine(`${app}/${action}  ${statusText(status)}  try ${attempt}`)
    printLine(JSON.stringify(result, null, 2))
  },
})

const cancel = remoteCommand({
  command: 'cancel <id>',
  describe: 'Cancel a job',
  positionals,
  flags: { reason: { type: 'string', requiresArg: true, describe: 'For its record' } },
  answer: z.looseObject({ completed_now: z.boolean(), already_completed: z.boolean() }),
  request: ({ id, reason }) => ({
    path: `/jobs/${segment(id)}/cancel`,
    method: 'POST',
    json: reason === undefined ? {} : { reason: String(reason) },
  }),
  print: (done) => {
    if (done.already_completed) printLine('It had ended already.')
    else printLine(done.completed_now ? 'Canceled.' : 'It is running and is being stopped.')
  },
})

export const command = commandGroup([list, show, cancel], (yargs) =>
  yargs.example('$0 jobs --status failure', ''),
)
