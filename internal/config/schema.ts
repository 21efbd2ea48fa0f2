/**
 * Every setting in one place: its names, values, default and description. Parsing, `svc config`, `--help`, the table in
 * docs/operating.md and the warning about unknown names all derive from this object.
 */
import { z } from 'zod'
import { isEmail, normalizeEmail } from '#core/access/email.ts'
import { hostNameOf, isHostName } from '#core/function/own-hosts.ts'
import { isHostWithPort } from '#core/network/egress-grant.ts'
import { billingFields } from './billing-fields.ts'
import { cellFields } from './cell-fields.ts'
import { subnetList } from './lists.ts'
import { mailFields } from './mail-fields.ts'
import { isNameServer } from './name-server.ts'
import { oidcFields } from './oidc-fields.ts'
import { s3Fields } from './s3-fields.ts'
import {
  byteCount,
  DATABASE_SCHEMES,
  isDatabaseAddress,
  list,
  oneOf,
  settingMeta,
  text,
  whole,
} from './setting.ts'
import { traceFields } from './trace-fields.ts'
import { workerFields } from './worker-fields.ts'

const KEY_BYTES = 32
const isInstanceKey = (value: string): boolean => Buffer.from(value, 'base64').length === KEY_BYTES

/** Accepts `off` and addresses without credentials. */
const isRegistry = (value: string): boolean => {
  const url = URL.parse(value)
  return value === 'off' || (/^https?:$/.test(url?.protocol ?? '') && url?.username === '')
}

/** Paths are appended to it, and links with it reach people, so it has no query and no credentials. */
const isPlainAddress = (value: string): boolean => {
  const url = URL.parse(value)
  return url === null || !(/[?#]/.test(value) || url.username !== '' || url.password !== '')
}

const ownAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
  .refine(isPlainAddress, 'must have no user, no ? and no #')

/** Settings of a node: its listener, its data, its first administrator. */
const nodeFields = {
  host: text.default('127.0.0.1').register(settingMeta, {
    env: 'SVC_HOST',
    flag: 'host',
    sentence: 'Address to listen on.',
  }),
  port: whole(0, 65_535).default(3_000).register(settingMeta, {
    env: 'SVC_PORT',
    flag: 'port',
    sentence: 'Port to listen on; 0 picks a free one.',
  }),
  healthPort: whole(0, 65_535).optional().register(settingMeta, {
    env: 'SVC_HEALTH_PORT',
    flag: 'health-port',
    defaultText: 'none',
    sentence: 'Port on which a worker or scheduler answers /healthz and /metrics.',
  }),
  baseUrl: ownAddress.optional().register(settingMeta, {
    env: 'SVC_BASE_URL',
    flag: 'base-url',
    defaultText: 'the host of each request',
    sentence:
      'Address under which people and callers reach svc, for links that it returns. Without it, links of jobs, which have no request, use the address of the node.',
  }),
  nodeUrl: ownAddress.optional().register(settingMeta, {
    env: 'SVC_NODE_URL',
    defaultText: 'http://<own address>:<port>',
    sentence: 'Address under which workers, schedulers and other servers reach this server.',
  }),
  appsDomain: text
    .refine(
      (domain) => isHostName(hostNameOf(domain)),
      'must be a host name, such as apps.example.com',
    )
    .default('localhost')
    .register(settingMeta, {
      env: 'SVC_APPS_DOMAIN',
      sentence: 'Functions of an app are served at <app>.<this domain>.',
    }),
  dnsServers: list
    .refine((servers) => servers.every(isNameServer), 'must be IP addresses, such as 192.0.2.53:53')
    .default([])
    .register(settingMeta, {
      env: 'SVC_DNS_SERVERS',
      defaultText: 'those of the machine',
      sentence:
        'Name servers, as address or address:port, for the TXT records that prove host names of apps.',
    }),
  dataDir: text.default('./svc-data').register(settingMeta, {
    env: 'SVC_DATA_DIR',
    flag: 'data-dir',
    sentence: 'Folder for the database file, the instance key and caches.',
  }),
  databaseUrl: z
    .string()
    .regex(DATABASE_SCHEMES, 'must begin with file:, http:, https:, ws:, wss: or libsql:')
    .refine(isDatabaseAddress, 'must be an address such as http://db:8080')
    .optional()
    .register(settingMeta, {
      env: 'SVC_DATABASE_URL',
      flag: 'database-url',
      defaultText: 'file:<data-dir>/svc.db',
      sentence: 'The database: a local file, or sqld or Turso over the network.',
    }),
  databaseAuthToken: text.optional().register(settingMeta, {
    env: 'SVC_DATABASE_AUTH_TOKEN',
    sentence: 'Token for a database over the network.',
    secret: true,
  }),
  requireDurable: oneOf('off', 'on').default('off').register(settingMeta, {
    env: 'SVC_REQUIRE_DURABLE',
    sentence:
      'on: refuse to start on a database that may lose commits in a power cut, such as sqld in its default configuration.',
  }),
  sqldAdminUrl: z
    .url({ protocol: /^https?$/, error: 'must be an address such as http://127.0.0.1:8081' })
    .optional()
    .register(settingMeta, {
      env: 'SVC_SQLD_ADMIN_URL',
      defaultText: 'none',
      sentence:
        'Address of the admin API of sqld: a node that finds the database relaxed sets durability_mode strong there. A key goes into the address: http://:key@host:8081.',
      secret: true,
    }),
  databaseReplica: text.optional().register(settingMeta, {
    env: 'SVC_DATABASE_REPLICA',
    defaultText: 'none',
    sentence:
      'File of an embedded replica: lists and counts of a remote database are read from it, at most one second old.',
  }),
  secretKey: z
    .string()
    .refine(
      isInstanceKey,
      `must hold ${KEY_BYTES} bytes in base64; make one with: openssl rand -base64 ${KEY_BYTES}`,
    )
    .optional()
    .register(settingMeta, {
      env: 'SVC_SECRET_KEY',
      defaultText: '<data-dir>/secret.key',
      sentence: 'Instance key, 32 bytes in base64. All nodes of one database use the same key.',
      secret: true,
    }),
  adminEmail: text
    .transform(normalizeEmail)
    .refine(isEmail, 'must be an e-mail address')
    .optional()
    .register(settingMeta, {
      env: 'SVC_ADMIN_EMAIL',
      defaultText: 'admin@localhost',
      sentence: 'First administrator, created at the first start on an empty database.',
    }),
  adminPassword: z
    .string()
    .min(10, 'must have at least 10 characters')
    .optional()
    .register(settingMeta, {
      env: 'SVC_ADMIN_PASSWORD',
      defaultText: 'random, printed once',
      sentence: 'Password of the first administrator.',
      secret: true,
    }),
  shutdownGraceS: whole(0, 86_400).default(30).register(settingMeta, {
    env: 'SVC_SHUTDOWN_GRACE_S',
    sentence: 'Seconds for running jobs to finish when the node stops.',
  }),
  metricsToken: text.optional().register(settingMeta, {
    env: 'SVC_METRICS_TOKEN',
    defaultText: 'loopback only',
    sentence: 'Bearer token with which other machines may read /metrics.',
    secret: true,
  }),
  logLevel: oneOf('debug', 'info', 'warning', 'error').default('info').register(settingMeta, {
    env: 'SVC_LOG_LEVEL',
    flag: 'log-level',
    sentence: 'Lowest level of the log on stderr: debug, info, warning or error.',
  }),
  logFormat: oneOf('auto', 'json', 'text').default('auto').register(settingMeta, {
    env: 'SVC_LOG_FORMAT',
    flag: 'log-format',
    sentence: 'json, text, or auto: text on a terminal, JSON lines elsewhere.',
  }),
}

/** Settings for requests and storage of the server. */
const serverFields = {
  maxBodyBytes: byteCount.default(1_048_576).register(settingMeta, {
    env: 'SVC_MAX_BODY_BYTES',
    sentence: 'Largest JSON request body, in bytes.',
  }),
  gitPushMaxMb: whole(1, 4_096).default(256).register(settingMeta, {
    env: 'SVC_GIT_PUSH_MAX_MB',
    sentence: 'Largest pack of one git push, in MiB.',
  }),
  rateRunPerS: whole(0, 1_000_000).default(1_000).register(settingMeta, {
    env: 'SVC_RATE_RUN_PER_S',
    sentence: 'Requests per second of one credential to run routes; 0 turns the limit off.',
  }),
  rateOtherPerS: whole(0, 1_000_000).default(50).register(settingMeta, {
    env: 'SVC_RATE_OTHER_PER_S',
    sentence: 'Requests per second of one credential to other routes; 0 turns the limit off.',
  }),
  rateAnonymousPerS: whole(0, 1_000_000).default(50).register(settingMeta, {
    env: 'SVC_RATE_ANONYMOUS_PER_S',
    sentence: 'Requests per second from one address without a credential; 0 turns the limit off.',
  }),
  rateHookPerS: whole(0, 1_000_000).default(200).register(settingMeta, {
    env: 'SVC_RATE_HOOK_PER_S',
    sentence: 'Deliveries per second to one webhook; 0 turns the limit off.',
  }),
  rateFunctionPerS: whole(0, 1_000_000).default(1_000).register(settingMeta, {
    env: 'SVC_RATE_FUNCTION_PER_S',
    sentence: 'Calls of functions per second from one address (IPv6: /64); 0 turns the limit off.',
  }),
  trustedProxies: subnetList.default([]).register(settingMeta, {
    env: 'SVC_TRUSTED_PROXIES',
    defaultText: 'none',
    sentence:
      'Addresses and subnets of proxies whose X-Forwarded-For header is trusted for the address of a caller.',
  }),
  queueMax: whole(1, 100_000_000).default(100_000).register(settingMeta, {
    env: 'SVC_QUEUE_MAX',
    sentence: 'Queued jobs of one workspace; beyond it, a run answers 429.',
  }),
  workspaceMaxStoredMb: whole(0, 1_000_000_000).default(0).register(settingMeta, {
    env: 'SVC_WORKSPACE_MAX_STORED_MB',
    sentence:
      'MiB of inputs, results, logs, durable steps, events, flow data, state, drafts, pushed repositories and deployments of one workspace; beyond it, new work answers 429. 0 sets no limit.',
  }),
  workspaceMaxRunning: whole(0, 1_000_000).default(0).register(settingMeta, {
    env: 'SVC_WORKSPACE_MAX_RUNNING',
    sentence: 'Jobs of one workspace that may run at once on all workers; 0 sets no limit.',
  }),
  eventLookbackS: whole(0, 86_400).default(3_600).register(settingMeta, {
    env: 'SVC_EVENT_LOOKBACK_S',
    sentence: 'Seconds for which a wait that opens finds an event that came before it.',
  }),
  relayTtlS: whole(1, 86_400).default(600).register(settingMeta, {
    env: 'SVC_RELAY_TTL_S',
    sentence: 'Seconds that a session of the certificate relay waits for its certificate.',
  }),
  fetchAllow: list
    .refine(
      (hosts) => hosts.every(isHostWithPort),
      'must be hosts, such as files.internal or 10.0.0.5:8080, without a scheme, path, network or *',
    )
    .default([])
    .register(settingMeta, {
      env: 'SVC_FETCH_ALLOW',
      defaultText: 'none',
      sentence:
        'Hosts, optionally with a port, from which POST /v2/workflows may fetch although their address is not public.',
    }),
  gitLocalRoots: list.default([]).register(settingMeta, {
    env: 'SVC_GIT_LOCAL_ROOTS',
    defaultText: 'none',
    sentence: 'Folders, separated by commas, below which git sources may be local paths.',
  }),
  gitNetwork: oneOf('any', 'public').default('any').register(settingMeta, {
    env: 'SVC_GIT_NETWORK',
    sentence:
      'Hosts that git sources may reach: any (except link-local addresses), or public, for instances with untrusted users.',
  }),
  npmRegistry: z
    .string()
    .refine(isRegistry, 'must be off or an http(s) address')
    .transform((value) => (value === 'off' || value.endsWith('/') ? value : `${value}/`))
    .default('https://registry.npmjs.org/')
    .register(settingMeta, {
      env: 'SVC_NPM_REGISTRY',
      sentence:
        'Registry from which deployments fetch the packages of a package-lock.json; off: packages are never fetched.',
    }),
  packageCacheMb: whole(0, 1_048_576).default(1_024).register(settingMeta, {
    env: 'SVC_PACKAGE_CACHE_MB',
    sentence: 'MiB of disk in the cache folder for fetched packages; 0 keeps none.',
  }),
  jobRetentionDays: whole(0, 36_500).default(30).register(settingMeta, {
    env: 'JOB_RETENTION_DAYS',
    alsoEnv: 'SVC_JOB_RETENTION_DAYS',
    sentence: 'Days after which ended jobs are deleted with their logs; 0 keeps them.',
  }),
  keepDeployments: whole(0, 1_000_000).default(100).register(settingMeta, {
    env: 'SVC_KEEP_DEPLOYMENTS',
    sentence:
      'Deployments that stay of each app, the newest first; older ones are deleted JOB_RETENTION_DAYS after they were replaced, unless a job or a flow run uses them. 0 keeps all.',
  }),
  auditRetentionDays: whole(0, 36_500).default(365).register(settingMeta, {
    env: 'SVC_AUDIT_RETENTION_DAYS',
    sentence: 'Days after which entries of the audit log are deleted; 0 keeps them.',
  }),
}

export const configSchema = z.object({
  ...mailFields,
  ...traceFields,
  ...oidcFields,
  ...nodeFields,
  ...serverFields,
  ...billingFields,
  ...s3Fields,
  ...workerFields,
  ...cellFields,
})

export type Config = Readonly<z.infer<typeof configSchema>>
export type SettingName = keyof Config
