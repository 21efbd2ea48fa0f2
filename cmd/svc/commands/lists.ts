/** `svc schedules`, `svc webhooks`, `svc tokens`, `svc git`, `svc workers`: one table each. */
import { z } from 'zod'
import { listCommand } from '../remote-command.ts'

const COMMIT_LENGTH = 12

const schedules = listCommand({
  command: 'schedules',
  describe: 'List schedules',
  examples: [['$0 schedules --json', '']],
  path: '/schedules?limit=500',
  row: z.looseObject({
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
  }),
  columns: {
    SCHEDULE: ({ id }) => id,
    TARGET: (row) => `${row.app_key}/${row.action_key ?? row.flow_key}`,
    CRON: ({ cron }) => cron,
    ZONE: ({ timezone }) => timezone,
    OVERLAP: ({ overlap }) => overlap,
    NEXT: (row) => (row.enabled ? row.next_fire_at : `off ${row.disabled_reason ?? ''}`.trimEnd()),
  },
  none: 'No schedules.',
})

const webhooks = listCommand({
  command: 'webhooks',
  describe: 'List webhooks and their addresses',
  examples: [['$0 webhooks --json', '']],
  path: '/webhooks?limit=500',
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
      last_received_at === null ? null : `${last_status} ${last_received_at}`,
    URL: ({ url }) => url,
  },
  none: 'No webhooks. `webhooks:` in app.yaml declares one.',
})

const tokens = listCommand({
  command: 'tokens',
  describe: 'List API tokens',
  examples: [['$0 tokens --json', '']],
  path: '/tokens?limit=500',
  row: z.looseObject({
    token_prefix: z.string(),
    label: z.string(),
    scopes: z.array(z.string()),
    expires_at: z.string().nullable(),
    revoked_at: z.string().nullable(),
  }),
  columns: {
    PREFIX: (row) => row.token_prefix,
    LABEL: ({ label }) => label,
    SCOPES: ({ scopes }) => scopes.join(' '),
    UNTIL: (row) => (row.revoked_at === null ? row.expires_at : 'revoked'),
  },
  none: 'No tokens.',
})

const git = listCommand({
  command: 'git',
  describe: 'List git sources',
  examples: [['$0 git --json', '']],
  path: '/git-sources?limit=500',
  row: z.looseObject({
    name: z.string(),
    url: z.string(),
    branch: z.string().nullable(),
    last_commit: z.string().nullable(),
    last_error: z.string().nullable(),
  }),
  columns: {
    SOURCE: ({ name }) => name,
    BRANCH: ({ branch }) => branch,
    COMMIT: (row) =>
      row.last_error === null
        ? (row.last_commit?.slice(0, COMMIT_LENGTH) ?? null)
        : `failed: ${row.last_error}`,
    URL: ({ url }) => url,
  },
  none: 'No git sources.',
})

const workers = listCommand({
  command: 'workers',
  describe: 'List live workers',
  examples: [['$0 workers --json', '']],
  path: '/workers',
  field: 'workers',
  row: z.looseObject({
    name: z.string(),
    group: z.string(),
    tags: z.array(z.string()),
    running: z.number(),
    concurrency: z.number(),
    version: z.string(),
  }),
  columns: {
    WORKER: ({ name }) => name,
    GROUP: ({ group }) => group,
    TAGS: ({ tags }) => tags.join(' '),
    RUNS: ({ running, concurrency }) => `${running}/${concurrency}`,
    VERSION: ({ version }) => version,
  },
  none: 'No worker is alive: queued jobs wait. Start one with `svc worker`.',
})

export const lists = { schedules, webhooks, tokens, git, workers }
