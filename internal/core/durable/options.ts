/** Reads the arguments of `ctx.step`, `ctx.sleep` and `ctx.waitForEvent`. Faults are thrown to the script as TypeErrors. */
import {
  MAX_ATTEMPTS,
  MAX_BACKOFF_FACTOR,
  MAX_RETRY_DELAY_MS,
  type RetryPolicy,
} from '../action/retry.ts'
import { hasNul } from '../nul.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time-units.ts'
import { EVENT_NAME, MAX_EVENT_KEY, MAX_STEP_NAME, MAX_WAIT_MS } from './limits.ts'

const UNIT_MS = { days: DAY_MS, hours: HOUR_MS, minutes: MINUTE_MS, seconds: SECOND_MS } as const

const isUnit = (key: string): key is keyof typeof UNIT_MS => Object.hasOwn(UNIT_MS, key)

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] | null =>
  typeof value === 'object' && value !== null ? Object.entries(value) : null

const SLEEP_FORM =
  'ctx.sleep takes a name and { days, hours, minutes, seconds }, at least one of them, 366 days at most.'

/** @returns milliseconds, below 0 for a time that has passed @throws {TypeError} */
export const readDuration = (duration: unknown): number => {
  const entries = entriesOf(duration)
  if (entries === null || entries.length === 0) throw new TypeError(SLEEP_FORM)
  let ms = 0
  for (const [unit, amount] of entries) {
    if (!isUnit(unit) || typeof amount !== 'number' || !Number.isFinite(amount)) {
      throw new TypeError(`${SLEEP_FORM} ${unit} is not one of them, or no finite number.`)
    }
    ms += amount * UNIT_MS[unit]
  }
  if (ms > MAX_WAIT_MS) throw new TypeError(SLEEP_FORM)
  return Math.ceil(ms)
}

/**
 * @returns the name as the database returns it: half of a surrogate pair, which a cut emoji leaves, is U+FFFD there
 * @throws {TypeError}
 */
export const readStepName = (name: unknown): string => {
  if (typeof name === 'string' && name !== '' && name.length <= MAX_STEP_NAME && !hasNul(name)) {
    return name.replaceAll(/\p{Surrogate}/gu, '\u{FFFD}')
  }
  throw new TypeError(
    `The name of a step must be a string of 1 to ${MAX_STEP_NAME} characters, without NUL.`,
  )
}

const RETRY_FORM = `The retry of a step is { maxAttempts: 1 to ${MAX_ATTEMPTS}, delayMs and maxDelayMs: 0 to ${MAX_RETRY_DELAY_MS}, backoffFactor: 1 to ${MAX_BACKOFF_FACTOR}, jitter: 0 to 1, notOn: [names of errors] }.`

const numberOf = <Otherwise extends number | undefined>(
  value: unknown,
  [min, max]: readonly [number, number],
  otherwise: Otherwise,
): number | Otherwise => {
  if (value === undefined) return otherwise
  if (typeof value === 'number' && value >= min && value <= max) return value
  throw new TypeError(RETRY_FORM)
}

/** @returns null if the function runs only once @throws {TypeError} */
export const readStepRetry = (options: unknown): RetryPolicy | null => {
  if (options === undefined) return null
  const entries = entriesOf(options)
  if (entries === null) throw new TypeError(`The options of a step are { retry }. ${RETRY_FORM}`)
  let retry: RetryPolicy | null = null
  for (const [key, value] of entries) {
    if (key !== 'retry')
      throw new TypeError(`A step has no option "${key.slice(0, 100)}". ${RETRY_FORM}`)
    if (value !== undefined) retry = readPolicy(value)
  }
  return retry
}

const RETRY_FIELDS = ['maxAttempts', 'delayMs', 'backoffFactor', 'maxDelayMs', 'jitter', 'notOn']

const isText = (value: unknown): value is string => typeof value === 'string'

const namesOf = (value: unknown): readonly string[] | undefined => {
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.every(isText)) return value
  throw new TypeError(RETRY_FORM)
}

const readPolicy = (value: unknown): RetryPolicy => {
  const given = new Map(entriesOf(value) ?? [['', value]])
  for (const key of given.keys()) {
    if (!RETRY_FIELDS.includes(key)) throw new TypeError(RETRY_FORM)
  }
  const maxAttempts = numberOf(given.get('maxAttempts'), [1, MAX_ATTEMPTS], 1)
  if (!Number.isInteger(maxAttempts)) throw new TypeError(RETRY_FORM)
  return {
    maxAttempts,
    delayMs: numberOf(given.get('delayMs'), [0, MAX_RETRY_DELAY_MS], 1_000),
    backoffFactor: numberOf(given.get('backoffFactor'), [1, MAX_BACKOFF_FACTOR], 1),
    maxDelayMs: numberOf(given.get('maxDelayMs'), [0, MAX_RETRY_DELAY_MS], undefined),
    jitter: numberOf(given.get('jitter'), [0, 1], undefined),
    notOn: namesOf(given.get('notOn')),
  }
}

export type WaitOptions = Readonly<{ name: string; key: string | null; timeoutMs: number | null }>

const WAIT_FORM =
  'ctx.waitForEvent takes a name and { name, match?, timeoutS? }: the event’s name (a-z, 0-9, dot, dash, underscore), a text or number, and seconds up to 366 days.'

const wrongWait = (field: string): TypeError =>
  new TypeError(`${WAIT_FORM} Its ${field} is not valid.`)

const readKey = (match: unknown): string | null => {
  if (match === undefined || match === null) return null
  const isScalar =
    typeof match === 'string' || typeof match === 'number' || typeof match === 'boolean'
  const key = isScalar ? String(match) : null
  if (key !== null && key !== '' && key.length <= MAX_EVENT_KEY) return key
  throw wrongWait('match')
}

/**
 * A `timeoutS` below 0 counts as 0, because a deadline may have passed.
 * @throws {TypeError}
 */
export const readWait = (options: unknown): WaitOptions => {
  const given = new Map(entriesOf(options) ?? [])
  for (const key of given.keys()) {
    if (!['name', 'match', 'timeoutS'].includes(key))
      throw new TypeError(`${WAIT_FORM} It has no ${key.slice(0, 100)}.`)
  }
  const name = given.get('name')
  const timeoutS = given.get('timeoutS')
  if (typeof name !== 'string' || !EVENT_NAME.test(name)) throw wrongWait('name')
  const key = readKey(given.get('match'))
  if (timeoutS === undefined) return { name, key, timeoutMs: null }
  const isTime = typeof timeoutS === 'number' && timeoutS * 1_000 <= MAX_WAIT_MS
  if (!isTime) throw wrongWait('timeoutS')
  return { name, key, timeoutMs: Math.max(0, Math.ceil(timeoutS * 1_000)) }
}
