/** Settings from flags, environment and defaults, in that order. The only reader of the environment in svc. */
import process from 'node:process'
import { z } from 'zod'
import { AppError, type ErrorDetail } from '#core/error.ts'
import { SETTINGS, type SettingName } from './settings.ts'

const NAMES = Object.keys(SETTINGS).filter((name): name is SettingName => Object.hasOwn(SETTINGS, name))

const configSchema = z.object({
  host: SETTINGS.host.schema,
  port: SETTINGS.port.schema,
  dataDir: SETTINGS.dataDir.schema,
  databaseUrl: SETTINGS.databaseUrl.schema,
  databaseAuthToken: SETTINGS.databaseAuthToken.schema,
  secretKey: SETTINGS.secretKey.schema,
  adminEmail: SETTINGS.adminEmail.schema,
  adminPassword: SETTINGS.adminPassword.schema,
  tags: SETTINGS.tags.schema,
  group: SETTINGS.group.schema,
  concurrency: SETTINGS.concurrency.schema,
  workerName: SETTINGS.workerName.schema,
  shutdownGraceS: SETTINGS.shutdownGraceS.schema,
  maxBodyBytes: SETTINGS.maxBodyBytes.schema,
  maxResultBytes: SETTINGS.maxResultBytes.schema,
  maxLogBytes: SETTINGS.maxLogBytes.schema,
  jobLeaseS: SETTINGS.jobLeaseS.schema,
  jobMaxCrashes: SETTINGS.jobMaxCrashes.schema,
  jobMemoryMb: SETTINGS.jobMemoryMb.schema,
  gitLocalRoots: SETTINGS.gitLocalRoots.schema,
  sandbox: SETTINGS.sandbox.schema,
  sandboxMinLevel: SETTINGS.sandboxMinLevel.schema,
  sandboxReuse: SETTINGS.sandboxReuse.schema,
  denoPath: SETTINGS.denoPath.schema,
  metricsToken: SETTINGS.metricsToken.schema,
  logLevel: SETTINGS.logLevel.schema,
  fault: SETTINGS.fault.schema,
} satisfies Record<SettingName, z.ZodType>)

export type Config = Readonly<z.infer<typeof configSchema>>

export type ConfigSource = Readonly<{
  /** @default the process's own */
  env?: Readonly<Record<string, string | undefined>>
  /** By flag name, for example `data-dir`. */
  flags: Readonly<Record<string, unknown>>
}>

export type LoadedConfig = Readonly<{ config: Config; warnings: readonly string[] }>

const flagText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** @throws {AppError} invalid, with every bad setting in `details` */
export const loadConfig = ({ env = process.env, flags }: ConfigSource): LoadedConfig => {
  const given: Record<string, string | undefined> = {}
  for (const name of NAMES) {
    const { env: variable, flag } = toNames(name)
    // an empty variable means unset, as compose files write it
    given[name] = (flag === undefined ? undefined : flagText(flags[flag])) ?? (env[variable] || undefined)
  }
  const parsed = configSchema.safeParse(given)
  if (!parsed.success) {
    const details = parsed.error.issues.map((issue) => toDetail(issue))
    const lines = details.map(({ path, message }) => `${path}: ${message}`)
    throw new AppError('invalid', `Bad settings.\n  ${lines.join('\n  ')}`, { details })
  }
  return { config: parsed.data, warnings: unknownNames(env) }
}

const toNames = (name: SettingName): Readonly<{ env: string; flag?: string }> => SETTINGS[name]

const toDetail = (issue: z.core.$ZodIssue): ErrorDetail => {
  const name = NAMES.find((known) => known === issue.path[0])
  const names = name === undefined ? { env: '?' } : toNames(name)
  const path = names.flag === undefined ? names.env : `${names.env} (--${names.flag})`
  return { path, message: issue.message }
}

const unknownNames = (env: Readonly<Record<string, string | undefined>>): readonly string[] => {
  const known = new Set(NAMES.map((name) => toNames(name).env))
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_') && !known.has(name) && !CLIENT_NAMES.includes(name))
    .map((name) => `${name} is no setting of svc and was ignored. \`svc config\` lists them.`)
}

/** Read by the commands that call a server, not by the server. */
const CLIENT_NAMES: readonly string[] = ['SVC_TOKEN', 'SVC_URL']

/** `file:<data-dir>/svc.db` unless another was named. */
export const databaseUrlOf = (config: Config): string =>
  config.databaseUrl ?? `file:${config.dataDir}/svc.db`

export type DescribedSetting = Readonly<{ name: string; flag: string; value: string; sentence: string }>

/** The effective values, secrets masked. */
export const describeConfig = (config: Config): readonly DescribedSetting[] =>
  NAMES.map((name) => {
    const known: Readonly<{ env: string; flag?: string; sentence: string; defaultText?: string; secret?: true }> =
      SETTINGS[name]
    const value = config[name]
    const shown = value === undefined ? `(${known.defaultText ?? 'unset'})` : String(value)
    return {
      name: known.env,
      flag: known.flag === undefined ? '' : `--${known.flag}`,
      value: known.secret === true && value !== undefined ? '********' : shown,
      sentence: known.sentence,
    }
  })
