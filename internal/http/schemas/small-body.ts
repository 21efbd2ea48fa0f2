import { limit } from '#core/limit.ts'

/**
 * For routes that anyone may call and that take a few short fields. One address may send 50 requests a second to each, and
 * a body of a megabyte takes 100 ms to parse.
 */
export const MAX_SMALL_BODY_BYTES = limit(
  'account.body',
  65_536,
  'bytes',
  'Body of a sign-in, an invite, a device login or a relay code. More: 413.',
)
