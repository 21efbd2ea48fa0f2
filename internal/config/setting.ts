/** What a setting says about itself beside its values, and the kinds of values that settings share. */
import { z } from 'zod'

export type SettingMeta = Readonly<{
  env: string
  /** Another accepted environment name; `env` wins where both are set. */
  alsoEnv?: string
  /** Without its dashes; only settings that people give by hand have one. */
  flag?: string
  /** What it is for, as help and docs/operating.md show it. */
  sentence: string
  /** Shown where the default depends on the machine or on another setting. */
  defaultText?: string
  secret?: true
}>

/** Ties each field of the schema to its names and its sentence. */
export const settingMeta = z.registry<SettingMeta>()

export const text = z.string().min(1, 'must not be empty')

export const whole = (min: number, max: number) =>
  z.coerce
    .number(`must be a whole number from ${min} to ${max}`)
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)

export const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

/** `a, b` reads `['a', 'b']`. */
export const list = z.string().transform((joined) =>
  joined
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

/** Separated by white space, without quotes. */
export const words = z
  .string()
  .transform((joined) => joined.split(/\s+/).filter((word) => word !== ''))

const KIB = 1_024
const GIB = 1_024 ** 3
export const byteCount = whole(KIB, GIB)
