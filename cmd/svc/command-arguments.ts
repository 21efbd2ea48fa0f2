/** Parses arguments that yargs has split with a schema, so that a wrong one is reported as wrong usage. */
import { z } from 'zod'
import { isEmail, normalizeEmail } from '#core/access/email.ts'
import { UsageError } from './exit.ts'

/** @throws {UsageError} */
export const parseArguments = <Schema extends z.ZodType>(
  schema: Schema,
  flags: Readonly<Record<string, unknown>>,
): z.output<Schema> => {
  const parsed = schema.safeParse(flags)
  if (parsed.success) return parsed.data
  throw new UsageError(parsed.error.issues.map(({ message }) => message).join('\n'))
}

/** Declares a flag that takes a text. */
export const textOption = (describe: string) =>
  ({ type: 'string', requiresArg: true, describe }) as const

export const emailArgument = z
  .string()
  .transform(normalizeEmail)
  .refine(isEmail, { error: ({ input }) => `"${String(input)}" is not an e-mail address.` })

export const wholeArgument = (flag: string, min: number, max: number) => {
  const message = `--${flag} must be a whole number from ${min} to ${max}.`
  return z.coerce.number(message).int(message).min(min, message).max(max, message)
}
