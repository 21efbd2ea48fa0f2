/** `svc schedules`, `svc tokens`, `svc apps`, `svc git`, `svc workers`: what there is, as a table or as JSON. */
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { printJson, printLine, printTable } from '../print.ts'

type ListCommand<Schema extends z.ZodType> = Readonly<{
  name: string
  describe: string
  path: string
  answer: Schema
  heads: readonly string[]
  rows: (answer: z.output<Schema>) => readonly (readonly string[])[]
  /** Where there is nothing. */
  none: string
}>

const jsonOption = { type: 'boolean', default: false, describe: 'Print JSON' } as const

const createListCommand = <Schema extends z.ZodType>({
  name,
  describe,
  path,
  answer,
  heads,
  rows,
  none,
}: ListCommand<Schema>): CommandModule => ({
  command: name,
  describe,
  builder: (yargs) => yargs.option('json', jsonOption).example(`$0 ${name} --json`, ''),
  handler: async (flags) => {
    const found = await createClient().call(answer, path)
    if (flags.json === true) return printJson(found)
    const lines = rows(found)
    if (lines.length === 0) printLine(none)
    else printTable(heads, lines)
  },
})

const pageOf = <Item extends z.ZodType>(item: Item) => z.looseObject({ items: z.array(item) })
const shown = (value: string | number | null): string => (value === null ? '–' : String(value))

export const schedulesCommand = createListCommand({
  name: 'schedules',
  describe: 'List schedules',
  path: '/schedules?limit=500',
  answer: pageOf(
    z.looseObject({
      id: z.string(),
      app_key: z.string(),
      action_key: z.string().nullable(),
      flow_key: z.string().nullable(),
      cron: z.string(),
      timezone: z.string(),
      enabled: z.boolean(),
      next_fire_at: z.string().nullable(),
      disabled_reason: z.string().nullable(),
    }),
  ),
  heads: ['SCHEDULE', 'TARGET', 'CRON', 'ZONE', 'NEXT'],
  rows: ({ items }) =>
    items.map((row) => [
      row.id,
      `${row.app_key}/${row.action_key ?? row.flow_key}`,
      row.cron,
      row.timezone,
      row.enabled ? shown(row.next_fire_at) : `off ${row.disabled_reason ?? ''}`.trimEnd(),
    ]),
  none: 'No schedules.',
})

export const tokensCommand = createListCommand({
  name: 'tokens',
  describe: 'List API tokens',
  path: '/tokens?limit=500',
  answer: pageOf(
    z.looseObject({
      token_prefix: z.string(),
      label: z.string(),
      scopes: z.array(z.string()),
      expires_at: z.string().nullable(),
      revoked_at: z.string().nullable(),
    }),
  ),
  heads: ['PREFIX', 'LABEL', 'SCOPES', 'UNTIL'],
  rows: ({ items }) =>
    items.map((row) => [
      row.token_prefix,
      row.label,
      row.scopes.join(' '),
      row.revoked_at === null ? shown(row.expires_at) : 'revoked',
    ]),
  none: 'No tokens.',
})

export const appsCommand = createListCommand({
  name: 'apps',
  describe: 'List apps',
  path: '/apps?limit=500',
  answer: pageOf(
    z.looseObject({
      key: z.string(),
      name: z.string(),
      commit: z.string().nullable(),
      updated_at: z.string(),
    }),
  ),
  heads: ['APP', 'NAME', 'COMMIT', 'UPDATED'],
  rows: ({ items }) =>
    items.map((row) => [row.key, row.name, shown(row.commit).slice(0, 16), row.updated_at]),
  none: 'No apps. `svc templates` and `svc deploy` make one.',
})

export const gitCommand = createListCommand({
  name: 'git',
  describe: 'List git sources',
  path: '/git-sources?limit=500',
  answer: pageOf(
    z.looseObject({
      name: z.string(),
      url: z.string(),
      branch: z.string().nullable(),
      last_commit: z.string().nullable(),
      last_error: z.string().nullable(),
    }),
  ),
  heads: ['SOURCE', 'BRANCH', 'COMMIT', 'URL'],
  rows: ({ items }) =>
    items.map((row) => [
      row.name,
      shown(row.branch),
      row.last_error === null ? shown(row.last_commit).slice(0, 12) : `failed: ${row.last_error}`,
      row.url,
    ]),
  none: 'No git sources.',
})

export const workersCommand = createListCommand({
  name: 'workers',
  describe: 'List live workers',
  path: '/workers',
  answer: z.looseObject({
    workers: z.array(
      z.looseObject({
        name: z.string(),
        group: z.string(),
        tags: z.array(z.string()),
        running: z.number(),
        concurrency: z.number(),
        version: z.string(),
      }),
    ),
  }),
  heads: ['WORKER', 'GROUP', 'TAGS', 'RUNS', 'VERSION'],
  rows: ({ workers }) =>
    workers.map((row) => [
      row.name,
      row.group,
      row.tags.join(' '),
      `${row.running}/${row.concurrency}`,
      row.version,
    ]),
  none: 'No worker is alive: queued jobs wait. Start one with `svc worker`.',
})
