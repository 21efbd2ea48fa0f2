/**
 * Settings from flags, environment and defaults, in that order.
 *
 * It guarantees: the environment is read here and nowhere else; all invalid settings are reported at once; a misspelt
 * name gives a warning.
 * It does not define what a setting means. Each room gets only the settings that it needs.
 */
import process from 'node:process'
import type { z } from 'zod'
import { HOME_CELL } from '#core/cells.ts'
import { editDistance } from '#core/edit-distance.ts'
import { type AppError, type ErrorDetail, invalid } from '#core/error.ts'
import { type Config, configSchema, type SettingName } from './schema.ts'
import { type SettingMeta, settingMeta } from './setting.ts'
import { shownText } from './shown-address.ts'

export type { Config } from './schema.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type ConfigSource = Readonly<{
  /** @default process.env */
  env?: Environment
  /** Values by flag name, for example `data-dir`; other names are ignored. */
  flags: Readonly<Record<string, unknown>>
}>

export type LoadedConfig = Readonly<{ config: Config; warnings: readonly string[] }>

export type NamedSetting = Readonly<{ name: SettingName; meta: SettingMeta }>

const isSettingName = (name: string): name is SettingName => Object.hasOwn(configSchema.shape, name)

const metaOf = (name: SettingName): SettingMeta => {
  const meta = settingMeta.get(configSchema.shape[name])
  if (meta === undefined) throw new Error(`The setting ${name} was not registered.`)
  return meta
}

/** Every setting, in the order in which help and documentation show them. */
export const SETTINGS: readonly NamedSetting[] = Object.keys(configSchema.shape)
  .filter(isSettingName)
  .map((name) => ({ name, meta: metaOf(name) }))

/** Names that are read elsewhere: by commands that call a server, and by the cache folder of the binary (#platform). */
const OTHER_NAMES: readonly string[] = ['SVC_TOKEN', 'SVC_URL', 'SVC_API_KEY', 'SVC_CACHE_DIR']

const flagText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** An empty or blank variable counts as unset, because compose files pass unset variables as empty. */
const textOf = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value

/** Leaves spaces and line ends of an environment file out. A secret is kept as it is, because they may belong to it. */
const envText = (
  env: Environment,
  { env: name, alsoEnv, secret }: SettingMeta,
): string | undefined => {
  const value = textOf(env[name]) ?? (alsoEnv === undefined ? undefined : textOf(env[alsoEnv]))
  return secret === true ? value : value?.trim()
}

/** Loads all settings. @throws {AppError} invalid, with every invalid setting in `details` and in the message */
export const loadConfig = ({ env = process.env, flags }: ConfigSource): LoadedConfig => {
  const given = Object.fromEntries(
    SETTINGS.map(({ name, meta }) => {
      const flag = meta.flag === undefined ? undefined : flagText(flags[meta.flag])
      return [name, flag ?? envText(env, meta)]
    }),
  )
  const parsed = configSchema.safeParse(given)
  const faults = toDetails(parsed.error?.issues ?? [], given)
  if (!parsed.success || faults.length > 0) throw badSettings(faults)
  const conflicts = findConflicts(parsed.data)
  if (conflicts.length > 0) throw badSettings(conflicts)
  return { config: parsed.data, warnings: [...unknownNames(env), ...missingSender(parsed.data)] }
}

const badSettings = (details: readonly ErrorDetail[]): AppError => {
  const lines = details.map(({ path, message }) => `  ${path} ${message}`)
  return invalid(`Bad settings:\n${lines.join('\n')}`, {
    code: 'bad_settings',
    details,
  })
}

/** Finds settings that are each valid, but not in combination. */
const findConflicts = (config: Config): readonly ErrorDetail[] => [
  ...findCellConflicts(config),
  ...findSignInConflicts(config),
]

const findCellConflicts = (config: Config): readonly ErrorDetail[] => {
  const { cells, cellAuthTokens, nodeCells } = config
  const names = cells.map(({ name }) => name)
  const shown = names.length === 0 ? 'SVC_CELLS names none' : `SVC_CELLS names ${names.join(', ')}`
  const unknown = (path: string, given: readonly string[], known: readonly string[]) =>
    given
      .filter((name) => !known.includes(name))
      .map((name) => ({ path, message: `names the cell ${name}, but ${shown}.` }))
  const home = databaseUrlOf(config)
  return [
    ...unknown('SVC_CELL_AUTH_TOKENS', [...cellAuthTokens.keys()], names),
    ...unknown('SVC_NODE_CELLS (--cells)', nodeCells, [HOME_CELL, ...names]),
    ...cells
      .filter(({ url }) => url === home)
      .map(({ name }) => ({
        path: 'SVC_CELLS',
        message: `gives the cell ${name} the first database (SVC_DATABASE_URL), which is the cell ${HOME_CELL} already.`,
      })),
  ]
}

const findSignInConflicts = ({
  oidcIssuer,
  oidcClientId,
  passwordLogin,
}: Config): readonly ErrorDetail[] => {
  const needs = (path: string, other: string): ErrorDetail => ({
    path,
    message: `needs ${other} too: people sign in by OpenID Connect only with both.`,
  })
  if (oidcIssuer !== undefined && oidcClientId === undefined)
    return [needs('SVC_OIDC_ISSUER', 'SVC_OIDC_CLIENT_ID')]
  if (oidcIssuer === undefined && oidcClientId !== undefined)
    return [needs('SVC_OIDC_CLIENT_ID', 'SVC_OIDC_ISSUER')]
  if (passwordLogin === 'on' || oidcIssuer !== undefined) return []
  const message =
    'is off, so no person could sign in: set SVC_OIDC_ISSUER and SVC_OIDC_CLIENT_ID too.'
  return [{ path: 'SVC_PASSWORD_LOGIN', message }]
}

type Given = Readonly<Record<string, string | undefined>>

/**
 * Returns the fault of a value in quotes: `docker --env-file` does not remove them, and a quoted data directory would be a new,
 * empty folder.
 */
const quotesFault = ({ secret }: SettingMeta, value = ''): string | undefined =>
  secret !== true && /^(["']).*\1$/s.test(value) ? 'is in quotes; write it without them' : undefined

/** Reports each setting once, with the first rule that its value breaks. */
const toDetails = (issues: readonly z.core.$ZodIssue[], given: Given): readonly ErrorDetail[] =>
  SETTINGS.flatMap(({ name, meta }) => {
    const fault =
      quotesFault(meta, given[name]) ?? issues.find(({ path }) => path[0] === name)?.message
    if (fault === undefined) return []
    const sentence = fault.replace(/\.?$/, '.')
    return { path: shownName(meta), message: `${sentence}${shownValue(meta, given[name])}` }
  })

const MAX_SHOWN = 100

const shownValue = ({ secret }: SettingMeta, value = ''): string => {
  if (secret === true) return ''
  const shown = shownText(value)
  return ` It is ${JSON.stringify(shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown)}.`
}

const shownName = ({ env, flag }: SettingMeta): string =>
  flag === undefined ? env : `${env} (--${flag})`

/** Beyond this edit distance, a suggested name would not help. */
const MAX_MISSPELT = 4

const unknownNames = (env: Environment): readonly string[] => {
  const known = SETTINGS.flatMap(({ meta }) => [meta.env, meta.alsoEnv ?? meta.env]).concat(
    OTHER_NAMES,
  )
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_') && !known.includes(name))
    .map((name) => {
      const [nearest] = known
        .map((other) => ({ other, distance: editDistance(name, other) }))
        .sort((a, b) => a.distance - b.distance)
      const hint =
        nearest !== undefined && nearest.distance <= MAX_MISSPELT
          ? ` Did you mean ${nearest.other}?`
          : ' `svc config` lists them.'
      return `${name} is not a setting of svc and was ignored.${hint}`
    })
}

/** Without a sender no mail goes out, although the server for it is named. */
const missingSender = ({ smtpUrl, smtpFrom }: Config): readonly string[] =>
  smtpUrl !== undefined && smtpFrom === undefined
    ? ['SVC_SMTP_URL needs SVC_SMTP_FROM too: no e-mail is sent without a sender.']
    : []

/** Returns the database URL, by default `file:<data-dir>/svc.db`. */
export const databaseUrlOf = (config: Config): string =>
  config.databaseUrl ?? `file:${config.dataDir}/svc.db`

/** Returns how to reach the database. */
export const databaseAddressOf = (
  config: Config,
): Readonly<{ url: string; authToken?: string }> => {
  const authToken = config.databaseAuthToken
  return { url: databaseUrlOf(config), ...(authToken === undefined ? {} : { authToken }) }
}

/** Returns the settings for a node or command of a single cell. */
export const configOfCell = (config: Config, cell: string): Config => {
  if (cell === HOME_CELL) return config
  const found = config.cells.find(({ name }) => name === cell)
  if (found === undefined) throw unknownCell(config, cell)
  const { databaseAuthToken: _, databaseReplica: __, sqldAdminUrl: ___, ...rest } = config
  const authToken = config.cellAuthTokens.get(cell)
  return {
    ...rest,
    databaseUrl: found.url,
    ...(authToken === undefined ? {} : { databaseAuthToken: authToken }),
  }
}

const unknownCell = ({ cells }: Config, cell: string): AppError =>
  invalid(
    `There is no cell "${cell}". SVC_CELLS names ${
      cells.length === 0 ? 'none' : cells.map(({ name }) => name).join(', ')
    }; ${HOME_CELL} is the first database.`,
    { code: 'unknown_cell' },
  )
