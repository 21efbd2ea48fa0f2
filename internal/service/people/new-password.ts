import { Buffer } from 'node:buffer'
import type { Deps } from '../deps.ts'

const PASSWORD_BYTES = 15

/** Makes a random password of 20 characters for a new account. */
export const newPassword = ({ randomBytes }: Pick<Deps, 'randomBytes'>): string =>
  Buffer.from(randomBytes(PASSWORD_BYTES)).toString('base64url')
