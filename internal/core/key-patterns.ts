/** The form of the keys of a workspace. */
import { invalid } from './error.ts'

export const MAX_KEY_LENGTH = 63

/** The key of an app. */
export const APP_KEY = /^[a-z0-9][a-z0-9-]{0,62}$/

/** The sentence for a text that is no key of an app. */
export const APP_KEY_RULE =
  'An app key has 1 to 63 characters a-z, 0-9 and -, and begins with a letter or digit.'

/** @throws {AppError} invalid */
export const requireAppKey = (key: string): void => {
  if (!APP_KEY.test(key)) throw invalid(APP_KEY_RULE)
}

/** The key of a webhook, which is a part of its address. */
export const WEBHOOK_KEY = APP_KEY

/** The key of a variable or a resource. */
export const VARIABLE_KEY = /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/

/** The key of an action or a flow. */
export const KEY = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,62}$/

/** The name of a function. */
export const FUNCTION_NAME = KEY
