/** The bounds of `ctx.state`: JSON kept per app. */

import { AppError, conflict, invalid } from './error.ts'
import { MAX_JSON_DEPTH } from './json/depth.ts'
import { scanJson } from './json/scan.ts'
import { limit } from './limit.ts'

export const MAX_STATE_KEY_LENGTH = limit(
  'state.key',
  512,
  'characters',
  'Key of a value in `ctx.state`.',
)
export const MAX_STATE_VALUE_BYTES = limit(
  'state.value',
  262_144,
  'bytes',
  'Value in `ctx.state`, as JSON. More: `StateTooLarge`, over HTTP 413 `state_too_large`.',
)
export const MAX_STATE_KEYS = limit(
  'state.keys',
  10_000,
  'items',
  'Keys that an app keeps. More: 409 `state_full`.',
)
/** Keys on one page of a list. */
export const STATE_KEYS_PER_PAGE = 1_000

const stateTooLarge = (): AppError =>
  new AppError(
    'too_large',
    'A state value holds at most 256 KiB as JSON. Keep less, or split it over several keys.',
    { code: 'state_too_large' },
  )

export const stateFull = (): AppError =>
  conflict(
    `An app keeps at most ${MAX_STATE_KEYS.toLocaleString('en')} keys of state. Delete some first.`,
    { code: 'state_full' },
  )

export const stateConflict = (): AppError =>
  conflict('Another request changed the value meanwhile. Read it again and retry.', {
    code: 'state_conflict',
  })

/** @throws {AppError} too_large `state_too_large`; invalid: it is not JSON, or nests too deep */
export const checkStateJson = (json: string): void => {
  const isTooLarge =
    json.length > MAX_STATE_VALUE_BYTES ||
    new TextEncoder().encode(json).length > MAX_STATE_VALUE_BYTES
  if (isTooLarge) throw stateTooLarge()
  const verdict = scanJson(json, { depth: MAX_JSON_DEPTH })
  if (verdict === 'too_deep') {
    throw invalid(`A state value nests at most ${MAX_JSON_DEPTH} levels.`, {
      code: 'state_too_deep',
    })
  }
  if (verdict !== 'valid') throw invalid('A state value must be JSON.', { code: 'malformed_json' })
}
