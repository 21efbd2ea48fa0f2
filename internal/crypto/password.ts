/** Hashes passwords with scrypt. Hashes for requests run in a slot of hash-slots.ts. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { PASSWORD_COST } from '#crypto/password-cost.ts'

const SALT_BYTES = 16
const HASH_BYTES = 32

const derive = (password: string, salt: Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, PASSWORD_COST, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })

/** Returns `scrypt.<salt>.<hash>`, both in base64url. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt)
  return `scrypt.${salt.toString('base64url')}.${hash.toString('base64url')}`
}

/** Checks a password. A null `stored` (no such user) takes the same time, so that timing reveals no accounts. */
export const verifyPassword = async (password: string, stored: string | null): Promise<boolean> => {
  const [, salt = '', hash = ''] = (stored ?? '').split('.')
  const expected = Buffer.from(hash, 'base64url')
  const actual = await derive(
    password,
    salt === '' ? randomBytes(SALT_BYTES) : Buffer.from(salt, 'base64url'),
  )
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
