/** Describes settings for people: `svc config`, `--help` and the table in docs/operating.md. */
import { z } from 'zod'
import { MASK } from '#core/access/credentials.ts'
import type { CellSetting } from './cell-fields.ts'
import { type Config, databaseUrlOf, SETTINGS } from './config.ts'
import { configSchema } from './schema.ts'
import type { SettingMeta } from './setting.ts'
import { shownAddress } from './shown-address.ts'

export type DescribedSetting = Readonly<{
  env: string
  flag: string | null
  /** Secrets are masked. */
  value: string
  sentence: string
}>

const isCell = (value: unknown): value is CellSetting =>
  typeof value === 'object' && value !== null && 'url' in value

const shownItem = (value: unknown): string =>
  isCell(value) ? `${value.name}=${shownAddress(value.url)}` : String(value)

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (value instanceof Map && value.size === 0)

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(shownItem).join(',')
  return typeof value === 'string' ? shownAddress(value) : String(value)
}

/** Returns the effective values, with secrets masked. */
export const describeConfig = (config: Config): readonly DescribedSetting[] =>
  SETTINGS.map(({ name, meta }) => {
    const value = name === 'databaseUrl' ? databaseUrlOf(config) : config[name]
    const masked = meta.secret === true ? MASK : shown(value)
    return {
      env: meta.env,
      flag: meta.flag === undefined ? null : `--${meta.flag}`,
      value: isEmpty(value) ? `(${meta.defaultText ?? 'unset'})` : masked,
      sentence: meta.sentence,
    }
  })

export type DocumentedSetting = Readonly<{
  env: string
  flag: string | null
  defaultText: string
  sentence: string
  /** The smallest and the largest number, both inclusive; null for settings that are not numbers. */
  range: Readonly<{ least: number; most: number }> | null
  isSecret: boolean
}>

const rangeShape = z.looseObject({ minimum: z.number(), maximum: z.number() })

/** Reads the bounds of the numbers from the schema that checks them. */
const readRanges = (): ReadonlyMap<string, DocumentedSetting['range']> => {
  const options = { io: 'output', unrepresentable: 'any' } as const
  const { properties = {} } = z.toJSONSchema(configSchema, options)
  return new Map(
    Object.entries(properties).map(([name, property]) => {
      const { data } = rangeShape.safeParse(property)
      return [name, data === undefined ? null : { least: data.minimum, most: data.maximum }]
    }),
  )
}

/** Returns the settings with their defaults, the same on every machine. */
export const documentSettings = (): readonly DocumentedSetting[] => {
  const defaults = configSchema.parse({})
  const ranges = readRanges()
  return SETTINGS.map(({ name, meta }) => ({
    env: meta.alsoEnv === undefined ? meta.env : `${meta.env} or ${meta.alsoEnv}`,
    flag: meta.flag === undefined ? null : `--${meta.flag}`,
    defaultText:
      meta.defaultText ?? (defaults[name] === undefined ? 'unset' : shown(defaults[name])),
    sentence: meta.sentence,
    range: ranges.get(name) ?? null,
    isSecret: meta.secret === true,
  }))
}

export type FlagOption = Readonly<{
  type: 'string'
  requiresArg: true
  group: string
  description: string
}>

const toFlagOption = ({ env, sentence }: SettingMeta): FlagOption => ({
  type: 'string',
  requiresArg: true,
  group: 'Settings (a flag wins over the environment):',
  description: `${sentence} [${env}]`,
})

/**
 * Returns yargs options for settings with a flag. Values stay text, because the schema parses them.
 * @param names the settings to include; none includes all
 */
export const flagOptions = (
  ...names: readonly (keyof Config)[]
): Readonly<Record<string, FlagOption>> =>
  Object.fromEntries(
    SETTINGS.filter(({ name }) => names.length === 0 || names.includes(name)).flatMap(({ meta }) =>
      meta.flag === undefined ? [] : [[meta.flag, toFlagOption(meta)] as const],
    ),
  )
