/** The metadata of a setting, and the kinds of values that settings share. */
import { z } from 'zod'
import { parseEgressGrant } from '#core/network/egress-grant.ts'

export type SettingMeta = Readonly<{
  env: string
  /** A further accepted environment name; `env` takes precedence if both are set. */
  alsoEnv?: string
  /** Flag name without dashes; only settings that people set by hand have one. */
  flag?: string
  /** Its description in help and docs/operating.md. */
  sentence: string
  /** Shown if the default depends on the machine or on another setting. */
  defaultText?: string
  secret?: true
}>

/** Maps each field of the schema to its names and description. */
export const settingMeta = z.registry<SettingMeta>()

/** A text that is not empty. */
export const text = z.string().min(1, 'must not be empty')

/** A whole number within bounds, both inclusive. */
export const whole = (min: number, max: number) =>
  z.coerce
    .number(`must be a whole number from ${min} to ${max}`)
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)

/** One of these words. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

export const DATABASE_SCHEMES = /^(file|https?|wss?|libsql):/

const hasHost = (address: string): boolean =>
  URL.canParse(address) && new URL(address).hostname !== ''

/** Whether a database address with one of the schemes can be opened: what follows `file:` is any path. */
export const isDatabaseAddress = (address: string): boolean =>
  address.startsWith('file:') || hasHost(address)

/** Parses `a, b` as `['a', 'b']`. */
export const list = z.string().transform((joined) =>
  joined
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

/** Splits at white space; quotes have no special meaning. */
export const words = z
  .string()
  .transform((joined) => joined.split(/\s+/).filter((word) => word !== ''))

const KIB = 1_024
const GIB = 1_024 ** 3
/** A size in bytes, from 1 KiB to 1 GiB. */
export const byteCount = whole(KIB, GIB)

/** Private destinations that jobs may reach, separated by commas. */
export const egressGrants = list.pipe(
  z.array(
    text.refine(
      (grant) => parseEgressGrant(grant) !== null,
      'must be host[:port] or network[:port]',
    ),
  ),
)
