import { limit } from '#core/limit.ts'

/**
 * For routes that anyone may call and that take a few short fields: each may be sent 50 times a second from one address,
 * and a body of a megabyte takes 100 ms to read.
 */
export const MAX_SMALL_BODY_BYTES = limit(
  'account.body',
  65_536,
  'bytes',
  'Body of a sign-in, an invite, a device login or a relay code. More: 413.',
)
