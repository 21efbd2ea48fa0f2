/** Fields that actions and flows of a manifest share. Messages are read after the field's name. */
import { z } from 'zod'
import { MAX_ATTEMPTS, MAX_BACKOFF_FACTOR, MAX_RETRY_DELAY_MS } from '../action/retry.ts'
import { KEY } from '../key-patterns.ts'

export const text = (max: number) =>
  z
    .string('must be a string')
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)

/** @param cap the setting by which an operator lowers the maximum, if there is one */
export const wholeNumber = (min: number, max: number, cap?: string) =>
  z
    .number(`must be a whole number from ${min} to ${max}`)
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(
      max,
      `must be at most ${max}${cap === undefined ? '' : `, the highest that ${cap} can be`}`,
    )

export const list = <Item extends z.ZodType>(item: Item, max: number) =>
  z.array(item, 'must be a list').max(max, `must have at most ${max} items`)

export const yesOrNo = z.boolean('must be true or false')

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

/** An unknown field is a fault of its own. */
export const mapping = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'invalid_type' ? 'must be a mapping' : undefined),
  })

/** The key of an action, a flow, a step, an arm or a form field. */
export const key = z
  .string('must be a string')
  .regex(KEY, 'must have 1 to 63 letters, digits, - or _, and begin with a letter or digit')

export const retry = mapping({
  maxAttempts: wholeNumber(1, MAX_ATTEMPTS),
  delayMs: wholeNumber(0, MAX_RETRY_DELAY_MS).default(1_000),
  backoffFactor: z
    .number(`must be a number from 1 to ${MAX_BACKOFF_FACTOR}`)
    .min(1, 'must be at least 1')
    .max(MAX_BACKOFF_FACTOR, `must be at most ${MAX_BACKOFF_FACTOR}`)
    .default(1),
  maxDelayMs: wholeNumber(0, MAX_RETRY_DELAY_MS).optional(),
  jitter: z
    .number('must be a number from 0 to 1')
    .min(0, 'must be at least 0')
    .max(1, 'must be at most 1')
    .optional(),
  notOn: list(text(200), 100).optional(),
})
