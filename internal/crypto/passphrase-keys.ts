/** Derives the keys for one file from a passphrase: scrypt with the file's own salt. */
import { scrypt } from 'node:crypto'
import { PASSPHRASE_COST } from '#crypto/password-cost.ts'
import { KEY_BYTES } from './aes-keyring.ts'

export const SALT_BYTES = 32

export type PassphraseKeys = Readonly<{
  /** Wraps the data key. */
  wrapping: Uint8Array
  /** Authenticates the file. */
  mac: Uint8Array
}>

/** Derives both keys. */
export const derivePassphraseKeys = (
  passphrase: string,
  salt: Uint8Array,
): Promise<PassphraseKeys> =>
  new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, 2 * KEY_BYTES, PASSPHRASE_COST, (error, keys) => {
      if (error === null) {
        resolve({ wrapping: keys.subarray(0, KEY_BYTES), mac: keys.subarray(KEY_BYTES) })
      } else reject(error)
    })
  })
