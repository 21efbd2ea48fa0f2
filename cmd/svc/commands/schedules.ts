/** `svc schedules`, and `create`, `run`, `enable`, `disable` and `delete` for one schedule. */
import { z } from 'zod'
import { OVERLAPS } from '#core/schedule/overlap.ts'
import { commandGroup } from '../command.ts'
import { textOption } from '../command-arguments.ts'
import { inputOption, readInput } from '../input.ts'
import { SCHEDULE_ARGUMENT, scheduleId } from '../named-schedule.ts'
import { readTarget, targetUsage } from '../named-target.ts'
import { printLine } from '../print.ts'
import { relativeTime } from '../relative-time.ts'
import { deleteCommand, listCommand, remoteCommand, segment } from '../remote-command.ts'
import { runCommand } from './schedule-run.ts'

const schedule = z.looseObject({
  id: z.string(),
  app_key: z.string(),
  action_key: z.string().nullable(),
  flow_key: z.string().nullable(),
  cron: z.string(),
  timezone: z.string(),
  enabled: z.boolean(),
  overlap: z.string(),
  next_fire_at: z.string().nullable(),
  disabled_reason: z.string().nullable(),
  // older servers have none
  key: z.string().nullish(),
  managed_key: z.string().nullable(),
})
type Schedule = z.infer<typeof schedule>

const targetOf = ({ app_key, action_key, flow_key }: Schedule): string =>
  `${app_key}/${action_key ?? flow_key}`

const nextOf = (row: Schedule): string | null =>
  row.enabled ? relativeTime(row.next_fire_at) : `off ${row.disabled_reason ?? ''}`.trimEnd()

const list = listCommand({
  command: '$0',
  describe: 'List schedules',
  path: '/schedules',
  isWhole: true,
  query: {
    app: textOption('App key'),
    enabled: {
      type: 'boolean',
      describe: 'Only those that fire; with --no-enabled only the others',
    },
  },
  row: schedule,
  columns: {
    SCHEDULE: ({ id }) => id,
    KEY: ({ key, managed_key }) => key ?? managed_key,
    RUNS: targetOf,
    CRON: ({ cron }) => cron,
    ZONE: ({ timezone }) => timezone,
    OVERLAP: ({ overlap }) => overlap,
    NEXT: nextOf,
  },
  none: 'No schedules. `svc schedules create` makes one.',
})

const printOne = (row: Schedule): void =>
  printLine(`${row.id}  ${targetOf(row)}  ${row.cron}  ${nextOf(row) ?? '–'}`)

const create = remoteCommand({
  command: 'create <action>',
  describe: 'Run an action, or a flow with --flow, on a cron schedule',
  positionals: { action: targetUsage('Action, or flow with --flow', 'key') },
  flags: {
    cron: {
      ...textOption('Five fields, a nickname such as @daily, or @every 30m'),
      demandOption: true,
    },
    timezone: { ...textOption('IANA time zone, such as Asia/Seoul'), default: 'UTC' },
    flow: { type: 'boolean', default: false, describe: 'Schedule a flow instead of an action' },
    key: textOption('Key of your choice, unique in the app; replaces the schedule that has it'),
    input: inputOption,
    overlap: {
      choices: OVERLAPS,
      requiresArg: true,
      default: 'allow',
      describe: 'What to do while the previous run has not ended',
    },
  },
  examples: [
    [
      `$0 schedules create hello/greet --cron '0 9 * * *' --timezone Asia/Seoul --input '{"name":"Ada"}'`,
      '',
    ],
    ['$0 schedules create shop/invoice --flow --cron @daily', ''],
    ['$0 schedules create shop/report --cron @weekly --key customer-17', ''],
  ],
  answer: schedule,
  request: async (flags) => {
    const { app, key } = await readTarget(flags, 'action')
    const { cron, timezone, overlap, key: own } = flags
    const settings = {
      ...(flags.flow === true ? { flow_key: key } : { action_key: key }),
      cron,
      timezone,
      overlap,
      input: await readInput(flags.input),
    }
    return own === undefined
      ? { path: '/schedules', method: 'POST', json: { app_key: app, ...settings } }
      : { path: `/schedules/by-key/${app}/${segment(own)}`, method: 'PUT', json: settings }
  },
  print: printOne,
})

const switchCommand = (enabled: boolean) =>
  remoteCommand({
    command: `${enabled ? 'enable' : 'disable'} <id>`,
    describe: enabled ? 'Enable a schedule' : 'Disable a schedule',
    positionals: { id: SCHEDULE_ARGUMENT },
    answer: schedule,
    request: async ({ id }, connect) => ({
      path: `/schedules/${segment(await scheduleId(connect, String(id)))}`,
      method: 'PATCH',
      json: { enabled },
    }),
    print: printOne,
  })

export const command = commandGroup(
  [
    list,
    create,
    runCommand,
    switchCommand(true),
    switchCommand(false),
    deleteCommand({
      noun: 'schedule',
      argument: 'id',
      about: SCHEDULE_ARGUMENT,
      pathOf: (id) => `/schedules/${id}`,
      find: scheduleId,
    }),
  ],
  (yargs) => yargs.example("$0 schedules create hello/report --flow --cron '0 9 * * *'", ''),
)
