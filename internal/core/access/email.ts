/** E-mail addresses: one spelling for one person. HTTP, command line and settings all bring addresses into this form. */
const SHAPE = /^[^\s@]{1,64}@[^\s@]{1,190}$/

/**
 * Returns an address in lower case and without spaces around it. Neither people nor mail servers distinguish addresses by case.
 */
export const normalizeEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase()

/** Checks only the form: svc does not test whether mail arrives, and `admin@localhost` is valid here. */
export const isEmail = (text: string): boolean => SHAPE.test(text)
