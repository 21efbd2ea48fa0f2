/** The rule for passwords: they must be long. Their content is the owner's choice. */

import { limit } from '../limit.ts'
import { normalizeEmail } from './email.ts'

export const MIN_PASSWORD_LENGTH = limit(
  'account.password_min',
  10,
  'characters',
  'Shortest password.',
)
export const MAX_PASSWORD_LENGTH = limit(
  'account.password_max',
  200,
  'characters',
  'Longest password.',
)

/** @returns the fault as a sentence; null if there is none */
export const passwordFault = (password: string, email: string): string | null => {
  const { length } = password
  if (length < MIN_PASSWORD_LENGTH)
    return `A password has at least ${MIN_PASSWORD_LENGTH} characters.`
  if (length > MAX_PASSWORD_LENGTH)
    return `A password has at most ${MAX_PASSWORD_LENGTH} characters.`
  return normalizeEmail(password) === normalizeEmail(email)
    ? 'A password is not the e-mail address of its owner.'
    : null
}
