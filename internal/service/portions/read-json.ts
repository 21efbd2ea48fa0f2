/** Reads the JSON of a request, or what a script passes on. It is bounded before it is parsed. */
import { Buffer } from 'node:buffer'
import { randomInt } from 'node:crypto'
import { AppError, invalid } from '#core/error.ts'
import {
  createJsonBounds,
  HARMLESS_JSON_LENGTH,
  type JsonExcess,
  MAX_JSON_KEYS,
  MAX_JSON_VALUES,
} from '#core/json/bounds.ts'
import { isDeeperThan, MAX_JSON_DEPTH } from '#core/json/depth.ts'
import { hasInfiniteNumber } from '#core/json/numbers.ts'
import type { JsonValue } from '#core/json/value.ts'
import { parseJson } from './parse-json.ts'
import { takeTurn } from './take-turn.ts'

/** A few milliseconds of work on a busy machine. */
const PART_CHARACTERS = 262_144
const SEED = randomInt(2 ** 32)

const tooMuch = (what: string, excess: JsonExcess): AppError => {
  switch (excess) {
    case 'depth':
      return invalid(`The ${what} nests deeper than ${MAX_JSON_DEPTH} levels.`, {
        code: 'malformed_json',
      })
    case 'values':
      return invalid(`The ${what} holds more than ${MAX_JSON_VALUES} values. Send it in parts.`, {
        code: 'malformed_json',
      })
    case 'keys':
      return invalid(
        `The ${what} holds more than ${MAX_JSON_KEYS} different keys. Send it in parts.`,
        {
          code: 'malformed_json',
        },
      )
    case 'number':
      return invalid(`The ${what} holds a number that is too large. Send it as a string.`, {
        code: 'malformed_json',
      })
  }
}

/** Reads a large text in parts, so that other requests are answered meanwhile. */
const excessOf = async (text: string): Promise<JsonExcess | 'none'> => {
  if (text.length < HARMLESS_JSON_LENGTH) {
    if (isDeeperThan(text, MAX_JSON_DEPTH)) return 'depth'
    return hasInfiniteNumber(text) ? 'number' : 'none'
  }
  const bounds = createJsonBounds(text, SEED)
  // texts that arrive together also begin in turns
  await takeTurn()
  for (;;) {
    const found = bounds.advance(PART_CHARACTERS)
    // also before the text is parsed
    await takeTurn()
    if (found !== null) return found
  }
}

/** @param what the text is, for the refusal. @throws {AppError} invalid: too deep, too much, or a number too large; {SyntaxError} it is not JSON */
export const readJson = async (text: string, what: string): Promise<JsonValue> => {
  const excess = await excessOf(text)
  if (excess !== 'none') throw tooMuch(what, excess)
  return parseJson(text)
}

/** Reads the input of what a script starts, or the data of an event. @throws {AppError} too_large; invalid `malformed_json` */
export const readCallJson = async (
  json: string,
  what: 'input' | 'data',
  maxBytes: number,
): Promise<JsonValue> => {
  if (Buffer.byteLength(json) > maxBytes) {
    throw new AppError('too_large', `The ${what} is larger than ${maxBytes} bytes.`)
  }
  try {
    return await readJson(json, what)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw invalid(`The ${what} is not valid JSON.`, { code: 'malformed_json', cause })
  }
}
