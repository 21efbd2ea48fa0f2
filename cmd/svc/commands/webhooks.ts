/** `svc webhooks`, `svc webhooks deliveries <webhook>`, `svc webhooks replay <webhook> <delivery>`. */
import { z } from 'zod'
import { commandGroup } from '../command.ts'
import { printEnded, waitForJob } from '../follow-job.ts'
import { readTarget, targetUsage } from '../named-target.ts'
import { type Flags, printLine } from '../print.ts'
import { relativeTime } from '../relative-time.ts'
import { listCommand, remoteCommand, segment } from '../remote-command.ts'
import { waitForRun, waitOption } from '../wait-for-run.ts'

const list = listCommand({
  command: '$0',
  describe: 'List webhooks and their addresses',
  path: '/webhooks',
  isWhole: true,
  row: z.looseObject({
    app: z.string(),
    key: z.string(),
    url: z.string(),
    target: z.string(),
    scheme: z.string(),
    last_received_at: z.string().nullable(),
    last_status: z.number().nullable(),
    secret_set: z.boolean().nullable(),
  }),
  columns: {
    WEBHOOK: ({ app, key }) => `${app}/${key}`,
    TARGET: ({ target }) => target,
    SCHEME: ({ scheme, secret_set }) => (secret_set === false ? `${scheme}, no secret` : scheme),
    LAST: ({ last_received_at, last_status }) =>
      last_received_at === null ? null : `${last_status} ${relativeTime(last_received_at)}`,
    URL: ({ url }) => url,
  },
  none: 'No webhooks. `webhooks:` in app.yaml declares one.',
})

const positionals = { webhook: targetUsage('Webhook', 'key') }

const pathOf = async (flags: Flags): Promise<string> => {
  const { app, key } = await readTarget(flags, 'webhook')
  return `/webhooks/${app}/${key}/deliveries`
}

const deliveries = listCommand({
  command: 'deliveries <webhook>',
  describe: 'List the last 50 deliveries of a webhook',
  positionals,
  path: pathOf,
  row: z.looseObject({
    id: z.string(),
    received_at: z.string(),
    status: z.number(),
    reason: z.string().nullable(),
    job_id: z.string().nullable(),
    flow_run_id: z.string().nullable(),
  }),
  columns: {
    DELIVERY: ({ id }) => id,
    RECEIVED: (row) => relativeTime(row.received_at),
    STATUS: ({ status }) => status,
    STARTED: (row) => row.job_id ?? row.flow_run_id,
    REASON: ({ reason }) => reason,
  },
  none: 'No deliveries.',
})

const started = z.looseObject({
  job_id: z.string().optional(),
  flow_run_id: z.string().optional(),
})

const replay = remoteCommand({
  command: 'replay <webhook> <delivery>',
  describe: 'Replay a delivery, and print the ID of the job or flow run',
  positionals: { ...positionals, delivery: 'Delivery ID' },
  flags: { wait: { ...waitOption, describe: 'Wait for the end and print the result' } },
  answer: started,
  request: async (flags) => ({
    path: `${await pathOf(flags)}/${segment(flags.delivery)}/replay`,
    method: 'POST',
  }),
  print: ({ job_id, flow_run_id }) => printLine(job_id ?? flow_run_id ?? ''),
  wait: async (client, { job_id, flow_run_id = '' }, flags) =>
    job_id === undefined
      ? waitForRun(client, flow_run_id, flags)
      : printEnded(flags, await waitForJob(client, job_id)),
})

export const command = commandGroup([list, deliveries, replay], (yargs) =>
  yargs
    .example('$0 webhooks deliveries shop/stripe', '')
    .example('$0 webhooks replay shop/stripe 01a1fd91-3d6b-770e-a570-5f660007cb1b --wait', ''),
)
