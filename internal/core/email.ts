/** E-mail addresses: one person, one spelling. Every door (HTTP, command line, settings) brings them into this form. */
const SHAPE = /^[^\s@]{1,64}@[^\s@]{1,190}$/

/** Lower case without the spaces around it; people do not tell addresses apart by case, and neither do mail servers. */
export const normalizeEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase()

/** Checks only the form: svc does not test whether mail arrives, and `admin@localhost` is valid here. */
export const isEmail = (text: string): boolean => SHAPE.test(text)
