/**
 * Every setting, once: environment name, flag, default, and the sentence that help and docs/operating.md show. From this
 * table come parsing, `svc config`, `--help`, the documentation and the warning about unknown names.
 */
import { cpus, hostname } from 'node:os'
import { z } from 'zod'

export type Setting<T extends z.ZodType> = Readonly<{
  env: string
  flag?: string
  schema: T
  /** Shown where the default depends on the machine. */
  defaultText?: string
  sentence: string
  secret?: true
}>

const setting = <T extends z.ZodType>(value: Setting<T>): Setting<T> => value

const list = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()).filter((part) => part !== ''))
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const text = z.string().min(1)

export const SETTINGS = {
  host: setting({
    env: 'SVC_HOST',
    flag: 'host',
    schema: text.default('127.0.0.1'),
    sentence: 'Address to listen on.',
  }),
  port: setting({
    env: 'SVC_PORT',
    flag: 'port',
    schema: whole(0, 65_535).default(3_000),
    sentence: 'Port to listen on; 0 takes a free one.',
  }),
  dataDir: setting({
    env: 'SVC_DATA_DIR',
    flag: 'data-dir',
    schema: text.default('./svc-data'),
    sentence: 'Folder for the database file, the instance key and caches.',
  }),
  databaseUrl: setting({
    env: 'SVC_DATABASE_URL',
    flag: 'database-url',
    schema: z
      .string()
      .regex(/^(file|https?|wss?|libsql):/, 'must begin with file:, http(s)://, ws(s):// or libsql://')
      .optional(),
    defaultText: 'file:<data-dir>/svc.db',
    sentence: 'Where the database is: a local file, sqld or Turso.',
  }),
  databaseAuthToken: setting({
    env: 'SVC_DATABASE_AUTH_TOKEN',
    schema: text.optional(),
    sentence: 'Token for a remote database.',
    secret: true,
  }),
  secretKey: setting({
    env: 'SVC_SECRET_KEY',
    schema: text.optional(),
    defaultText: '<data-dir>/secret.key',
    sentence: 'Instance key, 32 bytes in base64; all nodes of one database share it.',
    secret: true,
  }),
  adminEmail: setting({
    env: 'SVC_ADMIN_EMAIL',
    schema: z.email().optional(),
    defaultText: 'admin@localhost',
    sentence: 'First administrator, made on an empty database.',
  }),
  adminPassword: setting({
    env: 'SVC_ADMIN_PASSWORD',
    schema: z.string().min(10).optional(),
    defaultText: 'random, printed once',
    sentence: 'Password of the first administrator.',
    secret: true,
  }),
  tags: setting({
    env: 'SVC_TAGS',
    flag: 'tags',
    schema: list.pipe(z.array(text).min(1)).default(['default']),
    sentence: 'Tags whose jobs the worker takes, separated by commas.',
  }),
  group: setting({
    env: 'SVC_GROUP',
    flag: 'group',
    schema: text.default('default'),
    sentence: 'Name of the worker group, for people.',
  }),
  concurrency: setting({
    env: 'SVC_CONCURRENCY',
    flag: 'concurrency',
    schema: whole(1, 1_000).default(() => cpus().length),
    defaultText: 'cores',
    sentence: 'Jobs that the worker runs at once.',
  }),
  workerName: setting({
    env: 'SVC_WORKER_NAME',
    flag: 'name',
    schema: text.default(() => hostname()),
    defaultText: 'host name',
    sentence: "The worker's name.",
  }),
  shutdownGraceS: setting({
    env: 'SVC_SHUTDOWN_GRACE_S',
    schema: whole(0, 86_400).default(30),
    sentence: 'Seconds that running jobs have to finish when the node stops.',
  }),
  maxBodyBytes: setting({
    env: 'SVC_MAX_BODY_BYTES',
    schema: whole(1_024, 1_073_741_824).default(1_048_576),
    sentence: 'Largest request body.',
  }),
  maxResultBytes: setting({
    env: 'SVC_MAX_RESULT_BYTES',
    schema: whole(1_024, 1_073_741_824).default(4_194_304),
    sentence: 'Largest job result.',
  }),
  maxLogBytes: setting({
    env: 'SVC_MAX_LOG_BYTES',
    schema: whole(1_024, 1_073_741_824).default(10_485_760),
    sentence: 'Output kept of one job; the rest is dropped behind a mark.',
  }),
  jobLeaseS: setting({
    env: 'SVC_JOB_LEASE_S',
    schema: z.coerce.number().min(0.5).max(3_600).default(10),
    sentence: 'Seconds after which the job of a silent worker is queued again.',
  }),
  jobMaxCrashes: setting({
    env: 'SVC_JOB_MAX_CRASHES',
    schema: whole(1, 100).default(3),
    sentence: 'Lost workers that end a job.',
  }),
  jobMemoryMb: setting({
    env: 'SVC_JOB_MEMORY_MB',
    schema: whole(64, 1_048_576).default(512),
    sentence: 'Memory of one job where its action names none.',
  }),
  gitLocalRoots: setting({
    env: 'SVC_GIT_LOCAL_ROOTS',
    schema: list.default([]),
    sentence: 'Folders under which git sources may be local paths, separated by commas.',
  }),
  sandbox: setting({
    env: 'SVC_SANDBOX',
    schema: z.enum(['auto', 'deno', 'node']).default('auto'),
    sentence: 'What runs the jobs: auto, deno, or node (trusted code only).',
  }),
  sandboxMinLevel: setting({
    env: 'SVC_SANDBOX_MIN_LEVEL',
    schema: z.enum(['none', 'runtime', 'os', 'vm']).default('runtime'),
    sentence: 'The worker claims nothing below this level of isolation.',
  }),
  sandboxReuse: setting({
    env: 'SVC_SANDBOX_REUSE',
    schema: z.enum(['on', 'off']).default('on'),
    sentence: 'Whether a process may serve further jobs of the same app and commit.',
  }),
  denoPath: setting({
    env: 'SVC_DENO_PATH',
    schema: text.optional(),
    defaultText: 'the one inside svc',
    sentence: 'Another Deno binary for jobs.',
  }),
  metricsToken: setting({
    env: 'SVC_METRICS_TOKEN',
    schema: text.optional(),
    sentence: 'Bearer token that opens /metrics to callers from other machines.',
    secret: true,
  }),
  logLevel: setting({
    env: 'SVC_LOG_LEVEL',
    flag: 'log-level',
    schema: z.enum(['debug', 'info', 'warning', 'error']).default('info'),
    sentence: 'How much svc says about itself on stderr.',
  }),
  fault: setting({
    env: 'SVC_FAULT',
    schema: text.optional(),
    sentence: 'For tests: a point at which the process kills itself, as point or point:n.',
  }),
} as const

export type SettingName = keyof typeof SETTINGS
