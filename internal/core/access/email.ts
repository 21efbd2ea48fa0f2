/** E-mail addresses: one spelling for one person. HTTP, command line and settings all bring addresses into this form. */
import { invalid } from '../error.ts'

/** Invisible characters and those that change the direction of a text would let one address look like another. */
const SHAPE = /^[^\s@\p{Cc}\p{Cf}\p{Cs}]{1,64}@[^\s@\p{Cc}\p{Cf}\p{Cs}]{1,190}$/u

/**
 * Returns an address in lower case and without spaces around it. Neither people nor mail servers distinguish addresses by case.
 */
export const normalizeEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase()

/** Checks only the form: svc does not test whether mail arrives, and `admin@localhost` is valid here. */
export const isEmail = (text: string): boolean => SHAPE.test(text)

/** @returns the address in its one spelling @throws {AppError} invalid */
export const requireEmail = (text: string): string => {
  const email = normalizeEmail(text)
  if (!isEmail(email)) throw invalid(`"${email}" is not an e-mail address.`)
  return email
}
