/**
 * Collects what a person needs to know about a node to help with it, as texts without secrets.
 *
 * It guarantees: a part that fails is replaced by its error, because a bundle is made when something is broken; every text
 * has passed the redactor. It changes nothing but the unpacked runtime in the cache folder, like `svc doctor`.
 */
import { freemem, loadavg, release, totalmem, uptime } from 'node:os'
import process from 'node:process'
import type { Config } from '#config/config.ts'
import { describeConfig } from '#config/describe-config.ts'
import { countJobsByStatus, countRows } from '#store/maintenance/row-counts.ts'
import { findSchemaVersion } from '#store/migrate.ts'
import { askHealth, askMetrics } from '../doctor/ask-health.ts'
import { reasonOf } from '../doctor/check.ts'
import { openExisting } from '../doctor/check-database.ts'
import { examine } from '../doctor/examine.ts'
import { VERSION } from '../version.ts'
import { findKnownSecrets } from './known-secrets.ts'
import { createRedactor } from './redact-text.ts'

export type SupportOptions = Readonly<{
  warnings: readonly string[]
  /** The log of the node; null if there is none. */
  log: string | null
  now: Date
}>

/** The bundle contains the last lines of the log, at most this many. */
const LOG_LINES = 2_000

const READ_ME = `What \`svc support-bundle\` found on one machine.

about.json     version of svc, platform, memory, load
settings.json  settings in effect; secrets are masked
doctor.json    what \`svc doctor\` found
health.json    what the node answers at /healthz
metrics.txt    what the node answers at /metrics
counts.json    rows of each table, jobs of each status
log.txt        the last ${LOG_LINES} lines of the log that was given, if one was

Passwords, keys, tokens and the names in e-mail addresses are masked (********). Names of hosts, paths, apps and workspaces
are not. Read it before you send it.
`

const about = (now: Date) => ({
  made_at: now.toISOString(),
  version: VERSION,
  platform: process.platform,
  arch: process.arch,
  os_release: release(),
  runtime: process.versions.deno ?? process.version,
  machine_uptime_s: Math.round(uptime()),
  memory_bytes: totalmem(),
  free_memory_bytes: freemem(),
  load: loadavg(),
})

const countDatabase = async (config: Config) => {
  const db = await openExisting(config)
  if (db === null) return { schema: 0, tables: [], jobs: [] }
  try {
    const [schema, tables] = [await findSchemaVersion(db), await countRows(db)]
    return { schema, tables, jobs: schema === 0 ? [] : await countJobsByStatus(db) }
  } finally {
    await db.close()
  }
}

const lastLines = (log: string | null): string =>
  (log ?? '').trimEnd().split('\n').slice(-LOG_LINES).join('\n')

const toText = (found: unknown): string =>
  typeof found === 'string' ? found : JSON.stringify(found, null, 2)

/** Returns the text of each file of the bundle, by its name. @throws if a file with secrets cannot be read */
export const collectSupport = async (
  config: Config,
  { warnings, log, now }: SupportOptions,
): Promise<ReadonlyMap<string, string>> => {
  const redact = createRedactor(findKnownSecrets(config))
  const parts: Readonly<Record<string, () => unknown>> = {
    'about.json': () => about(now),
    // a list, because the redactor would mask values whose keys are the names of secret settings
    'settings.json': () => ({ settings: describeConfig(config), warnings }),
    'doctor.json': () => examine(config),
    'health.json': async () => (await askHealth(config)).found,
    'metrics.txt': () => askMetrics(config),
    'counts.json': () => countDatabase(config),
    'log.txt': () => lastLines(log),
  }
  const texts = new Map([['README.txt', READ_ME]])
  for (const [name, find] of Object.entries(parts)) {
    const found = await Promise.resolve()
      .then(find)
      .catch((error: unknown) => ({ error: reasonOf(error) }))
    texts.set(name, `${redact(toText(found))}\n`)
  }
  return texts
}
