/** `svc jobs`, `svc jobs show|steps|cancel|replay <id>`, `svc jobs batch <file>`, `svc jobs operations`, `svc jobs stop <id>`. */
import { z } from 'zod'
import type { OperationKind } from '#core/job/operation.ts'
import { JOB_STATUSES } from '#core/job/transitions.ts'
import { TRIGGER_KINDS } from '#core/job/trigger-kind.ts'
import { commandGroup } from '../command.ts'
import { textOption } from '../command-arguments.ts'
import { eventWaits, printEventWaits } from '../event-waits.ts'
import { UsageError } from '../exit.ts'
import { printEnded, queued, waitForJob, waitOption } from '../follow-job.ts'
import { inputOption, readInput } from '../input.ts'
import { targetQuery, timeFlags, timeQuery } from '../list-filters.ts'
import { printLine, statusText } from '../print.ts'
import { progressText } from '../progress-bar.ts'
import { relativeTime } from '../relative-time.ts'
import { limitOption, listCommand, remoteCommand, segment } from '../remote-command.ts'
import { batchCommand } from './jobs-batch.ts'
import { actOnMatching, bulkFlags, operationsCommand, stopCommand } from './jobs-bulk.ts'

const job = z.looseObject({
  id: z.string(),
  app: z.string(),
  action: z.string(),
  status: z.string(),
  attempt: z.number(),
  trigger_kind: z.string(),
  created_at: z.string(),
  duration_ms: z.number().nullable(),
  suspended: z
    .object({ kind: z.string(), name: z.string(), until: z.string().nullable() })
    .nullable(),
})

const statusOf = ({ status, suspended }: z.infer<typeof job>): string =>
  suspended === null ? statusText(status) : `${statusText(status)} (${suspended.kind})`

const list = listCommand({
  command: '$0',
  describe: 'List jobs, newest first',
  path: '/jobs',
  query: {
    status: {
      choices: ['all', 'completed', ...JOB_STATUSES],
      requiresArg: true,
      default: 'all',
      describe: 'Status of the jobs',
    },
    app: textOption('App key'),
    action: textOption('Action, as <app>/<action> or its key alone'),
    trigger: {
      choices: TRIGGER_KINDS,
      requiresArg: true,
      describe: 'What started the jobs',
    },
    'flow-run': textOption('Jobs of the flow run with this ID'),
    label: textOption('Jobs with this label, such as customer:42'),
    ...timeFlags,
    limit: limitOption,
  },
  toQuery: (flags) => ({
    ...targetQuery(flags, 'action'),
    ...timeQuery(flags, Date.now()),
    trigger: undefined,
    trigger_kind: flags.trigger,
    'flow-run': undefined,
    flow_run_id: flags['flow-run'],
  }),
  examples: [
    ['$0 jobs --status failure', ''],
    ['$0 jobs --action shop/ship --since 2h', 'Those of the last two hours'],
  ],
  row: job,
  columns: {
    JOB: ({ id }) => id,
    ACTION: ({ app, action }) => `${app}/${action}`,
    STATUS: (row) => statusOf(row),
    ATTEMPT: ({ attempt }) => attempt,
    MS: (row) => row.duration_ms,
    BY: (row) => row.trigger_kind,
    CREATED: (row) => relativeTime(row.created_at),
  },
  none: 'No jobs.',
})

const positionals = { id: 'Job ID' }

const show = remoteCommand({
  command: 'show <id>',
  describe: 'Show a job',
  positionals,
  answer: job.extend({
    created_by: z.string(),
    worker: z.string().nullable(),
    completed_at: z.string().nullable(),
    waiting_for: z.looseObject({ detail: z.string() }).nullish(),
    event_waits: eventWaits,
    progress: z.looseObject({ fraction: z.number(), note: z.string().nullish() }).nullish(),
    labels: z.array(z.string()).optional(),
    result: z.json(),
  }),
  request: ({ id }) => ({ path: `/jobs/${segment(id)}` }),
  print: (found) => {
    const {
      app,
      action,
      attempt,
      created_by: by,
      trigger_kind: kind,
      duration_ms: ms,
      worker,
    } = found
    printLine(`${app}/${action}  ${statusOf(found)}  attempt ${attempt}`)
    const ran = ms === null || worker === null ? '' : `, ran ${ms} ms on ${worker}`
    printLine(`created ${relativeTime(found.created_at)} by ${by} (${kind})${ran}`)
    if (found.labels?.[0] !== undefined) printLine(`labels ${found.labels.join(', ')}`)
    if (found.waiting_for) printLine(found.waiting_for.detail)
    if (found.progress && found.completed_at === null) printLine(progressText(found.progress))
    printEventWaits(found.event_waits)
    // a job has no result until it ends
    if (found.completed_at !== null) printLine(JSON.stringify(found.result, null, 2))
  },
})

/** What an operation on many jobs does not take [jobs 17.6]. */
const FLAGS_OF_ONE = ['latest', 'input', 'reason', 'wait']

/** A command on one job, or with `--filter` on all matching jobs. */
const orMatching = (
  act: OperationKind,
  one: ReturnType<typeof remoteCommand>,
): ReturnType<typeof remoteCommand> => ({
  ...one,
  handler: async (flags) => {
    if ((flags.id === undefined) === (flags.filter === undefined)) {
      throw new UsageError(`Give a job ID or --filter: svc jobs ${act} <id>`)
    }
    if (flags.filter === undefined) return await one.handler(flags)
    const single = FLAGS_OF_ONE.find((flag) => flags[flag] !== undefined && flags[flag] !== false)
    if (single !== undefined) {
      throw new UsageError(`--${single} applies to one job: svc jobs ${act} <id> --${single}`)
    }
    await actOnMatching(act, flags)
  },
})

const cancelOne = remoteCommand({
  command: 'cancel [id]',
  describe: 'Cancel a job, or all jobs that match a filter',
  positionals,
  flags: {
    reason: textOption('Reason to record'),
    ...bulkFlags,
  },
  examples: [
    ['$0 jobs cancel 01a1fd91-3d6b-770e-a570-5f660007cb1b', ''],
    ['$0 jobs cancel --filter app=shop,status=queued', ''],
  ],
  answer: z.looseObject({ completed_now: z.boolean(), already_completed: z.boolean() }),
  request: ({ id, reason }) => ({
    path: `/jobs/${segment(id)}/cancel`,
    method: 'POST',
    json: reason === undefined ? {} : { reason: String(reason) },
  }),
  print: (done) => {
    if (done.already_completed) printLine('The job had already ended.')
    else printLine(done.completed_now ? 'Canceled.' : 'The job is running and will be stopped.')
  },
})

const replayOne = remoteCommand({
  command: 'replay [id]',
  describe: 'Run an ended job again, or all ended jobs that match a filter',
  positionals,
  flags: {
    latest: {
      type: 'boolean',
      default: false,
      describe: 'Run the code that is deployed now instead of the original',
    },
    input: {
      ...inputOption,
      describe: 'Replace the input: JSON object, @file, or - for standard input',
    },
    wait: waitOption,
    ...bulkFlags,
  },
  examples: [
    ['$0 jobs replay 01a1fd91-3d6b-770e-a570-5f660007cb1b', ''],
    ['$0 jobs replay --filter status=failure,app=shop,since=2026-11-01T00:00:00Z', ''],
  ],
  answer: queued,
  request: async ({ id, latest, input }) => ({
    path: `/jobs/${segment(id)}/replay`,
    method: 'POST',
    json: {
      commit: latest === true ? 'latest' : 'pinned',
      ...(input === undefined ? {} : { input: await readInput(input) }),
    },
  }),
  print: ({ job_id }) => printLine(job_id),
  wait: async (client, { job_id }, flags) => printEnded(flags, await waitForJob(client, job_id)),
})

const steps = listCommand({
  command: 'steps <id>',
  describe: 'List the durable steps of a job',
  positionals,
  path: ({ id }) => `/jobs/${segment(id)}/steps`,
  query: {},
  row: z.looseObject({
    name: z.string(),
    kind: z.string(),
    status: z.string(),
    attempts: z.number(),
    started_at: z.string(),
    completed_at: z.string().nullable(),
    until: z.string().nullable(),
    timed_out: z.boolean().optional(),
    error: z.object({ name: z.string(), message: z.string() }).nullish().catch(null),
  }),
  columns: {
    STEP: ({ name }) => name,
    KIND: ({ kind }) => kind,
    STATUS: ({ status, timed_out }) => statusText(timed_out === true ? 'timed_out' : status),
    ATTEMPTS: ({ attempts }) => attempts,
    STARTED: (row) => row.started_at,
    ENDED: (row) => row.completed_at,
    UNTIL: ({ until, completed_at }) => (completed_at === null ? until : null),
    ERROR: ({ error }) =>
      error ? `${error.name}: ${error.message}`.replaceAll(/\s+/g, ' ').slice(0, 200) : null,
  },
  none: 'No durable steps.',
})

const cancel = orMatching('cancel', cancelOne)
const replay = orMatching('replay', replayOne)

export const command = commandGroup([
  list,
  show,
  steps,
  cancel,
  replay,
  batchCommand,
  operationsCommand,
  stopCommand,
])
