/** Fields that actions and flows of a manifest share. Messages are read after the field's name. */
import { z } from 'zod'
import { MAX_ATTEMPTS, MAX_BACKOFF_FACTOR, MAX_RETRY_DELAY_MS } from '../action/retry.ts'
import { KEY } from '../key-patterns.ts'
import { parseGoDuration } from '../schedule/go-duration.ts'
import { SECOND_MS } from '../time-units.ts'

export const text = (max: number) =>
  z
    .string('must be a string')
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)

type Given = Readonly<{ input?: unknown }>

/** @param cap the setting by which an operator lowers the maximum, if there is one */
const whole =
  (explain: (given: unknown) => string | null) => (min: number, max: number, cap?: string) => {
    const must = `must be a whole number from ${min} to ${max}`
    return z
      .number({ error: ({ input }: Given) => explain(input) ?? must })
      .int(must)
      .min(min, `must be at least ${min}`)
      .max(
        max,
        `must be at most ${max}${cap === undefined ? '' : `, the highest that ${cap} can be`}`,
      )
  }

export const wholeNumber = whole(() => null)

/** What a duration of other systems is as a number, such as 30 for `30s`; null if it is none, or not whole. */
const wholeDuration = (given: unknown, unitMs: number): number | null => {
  if (typeof given !== 'string') return null
  const ms = /^\d{1,9}$/.test(given) ? Number(given) * unitMs : parseGoDuration(given.trim())
  return ms !== null && Number.isInteger(ms / unitMs) ? ms / unitMs : null
}

/** Names the number to write for a text with a unit, such as `30s`; null for other values. */
const explainTime =
  (unit: string, unitMs: number) =>
  (given: unknown): string | null => {
    const found = wholeDuration(given, unitMs)
    return found === null
      ? null
      : `must be a number of ${unit}: ${found}, not ${JSON.stringify(given)}`
  }

export const explainSeconds = explainTime('seconds', SECOND_MS)
export const wholeSeconds = whole(explainSeconds)
const wholeMilliseconds = whole(explainTime('milliseconds', 1))

/** A message for a value of another type. @param example what to write instead */
const must = (be: string, example: string | undefined): string =>
  example === undefined ? `must be ${be}` : `must be ${be}, such as ${example}`

/** @param example a short one of the whole list */
export const list = <Item extends z.ZodType>(item: Item, max: number, example?: string) =>
  z.array(item, must('a list', example)).max(max, `must have at most ${max} items`)

export const yesOrNo = z.boolean('must be true or false')

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

/**
 * An unknown field is a fault of its own.
 * @param example a short one of the mapping, for who writes a single value instead
 */
export const mapping = <Shape extends z.ZodRawShape>(shape: Shape, example?: string) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'invalid_type' ? must('a mapping', example) : undefined),
  })

/** The key of an action, a flow, a step, an arm or a form field. */
export const key = z
  .string('must be a string')
  .regex(KEY, 'must have 1 to 63 letters, digits, - or _, and begin with a letter or digit')

export const retry = mapping(
  {
    maxAttempts: wholeNumber(1, MAX_ATTEMPTS),
    delayMs: wholeMilliseconds(0, MAX_RETRY_DELAY_MS).default(1_000),
    backoffFactor: z
      .number(`must be a number from 1 to ${MAX_BACKOFF_FACTOR}`)
      .min(1, 'must be at least 1')
      .max(MAX_BACKOFF_FACTOR, `must be at most ${MAX_BACKOFF_FACTOR}`)
      .default(1),
    maxDelayMs: wholeMilliseconds(0, MAX_RETRY_DELAY_MS).optional(),
    jitter: z
      .number('must be a number from 0 to 1')
      .min(0, 'must be at least 0')
      .max(1, 'must be at most 1')
      .optional(),
    notOn: list(text(200), 100).optional(),
  },
  '{ maxAttempts: 3 }',
)
