/** Passwords by scrypt; at most two at a time, since each takes 32 MiB and a fifth of a second. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 128 * 1024 * 1024 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32
const MAX_AT_ONCE = 2

let running = 0
const waiting: (() => void)[] = []

const derive = async (password: string, salt: Uint8Array): Promise<Buffer> => {
  if (running < MAX_AT_ONCE) running += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await new Promise((resolve, reject) => {
      scrypt(password.normalize('NFKC'), salt, HASH_BYTES, COST, (error, key) =>
        error === null ? resolve(key) : reject(error),
      )
    })
  } finally {
    // the place is handed on, never free in between, so that no newcomer slips in beside the one who waited
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt)
  return `scrypt.${salt.toString('base64url')}.${hash.toString('base64url')}`
}

/** Takes the same time for a user who does not exist (`stored` null). */
export const verifyPassword = async (password: string, stored: string | null): Promise<boolean> => {
  const [, salt = '', hash = ''] = (stored ?? '').split('.')
  const expected = Buffer.from(hash, 'base64url')
  const actual = await derive(
    password,
    salt === '' ? randomBytes(SALT_BYTES) : Buffer.from(salt, 'base64url'),
  )
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
