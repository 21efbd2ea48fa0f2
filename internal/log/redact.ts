/** Prepares fields for the log: masks secrets, formats errors, limits the depth. */
import { MASK, maskCredentials } from '#core/access/credentials.ts'

const MAX_DEPTH = 4

/** Matches `token`, `api_token` and `tokenHash`; `token_prefix` and counts such as `tokens` are not secret. */
const SECRET_NAME =
  /pass(word|wd|phrase)|secret|authorization|cookie|credential|(private|api|instance)_?key/i
const TOKEN_NAME = /token(?!s$|_?prefix$|_?id$)/i

/** Matches user information before the @ of a URL, where git and databases accept passwords. */
const ADDRESS_CREDENTIALS = /\b([a-z][a-z0-9+.-]*:\/\/)[^/\s@]+@/gi

const BEARER = /\b(bearer\s+)[\w.~+/-]{8,}=*/gi

const isSecretName = (name: string): boolean => SECRET_NAME.test(name) || TOKEN_NAME.test(name)

/** Masks credentials, passwords in addresses and bearer tokens anywhere in a text. */
export const maskText = (text: string): string =>
  maskCredentials(text).replace(ADDRESS_CREDENTIALS, `$1${MASK}@`).replace(BEARER, `$1${MASK}`)

const describeError = (error: Error): Record<string, unknown> => ({
  error: maskText(`${error.name}: ${error.message}`),
  ...(error.cause === undefined ? {} : { cause: maskText(String(error.cause)) }),
  ...(error.stack === undefined ? {} : { stack: maskText(error.stack) }),
})

const redactValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return maskText(value)
  if (typeof value === 'bigint') return String(value)
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Error) return describeError(value).error
  if (value instanceof Date) return value
  if (depth >= MAX_DEPTH) return '…'
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1))
  return redactEntries(value, depth + 1)
}

const redactEntries = (fields: object, depth: number): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isSecretName(name) ? MASK : redactValue(value, depth),
    ]),
  )

/** Masks fields. A field `error` that contains an Error becomes `error`, `cause` and `stack`. */
export const redactFields = (
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const { error, ...others } = fields
  const redacted = redactEntries(others, 0)
  if (error === undefined) return redacted
  return error instanceof Error
    ? { ...redacted, ...describeError(error) }
    : { ...redacted, error: redactValue(error, 0) }
}
