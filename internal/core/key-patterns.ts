/** The form of the keys of a workspace. */
import { invalid } from './error.ts'

export const MAX_KEY_LENGTH = 63

/** The key of an app. */
export const APP_KEY = /^[a-z0-9][a-z0-9-]{0,62}$/

/** @throws {AppError} invalid */
export const requireAppKey = (key: string): void => {
  if (APP_KEY.test(key)) return
  throw invalid(
    'An app key has 1 to 63 characters a-z, 0-9 and -, and begins with a letter or digit.',
  )
}

/** The key of a webhook, which is a part of its address. */
export const WEBHOOK_KEY = APP_KEY

/** The key of a variable or a resource. */
export const VARIABLE_KEY = /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/

/** The key of an action or a flow. */
export const KEY = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,62}$/

/** The name of a function. */
export const FUNCTION_NAME = KEY

/** The key that a caller of the API gives a schedule, such as the id of a customer. No URL can name `.` or `..`. */
export const SCHEDULE_KEY = /^(?!\.{1,2}$)[\w.:@+-]{1,200}$/
