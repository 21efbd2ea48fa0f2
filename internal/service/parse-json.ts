/** Parses a JSON text of any length, and lets the event loop run between its parts. */

import { parseInParts } from '#core/json/parts.ts'
import type { JsonValue } from '#core/json/value.ts'
import { takeTurn } from './take-turn.ts'

/** Characters from which a text is remembered. Shorter ones are written faster than they are found. */
const LONG = 131_072

/** An indented text takes several times the space of the text that is written for its value. A string has no line break. */
const LINE_BREAK = /[\n\r]/

/** To write a large value again takes as long as to parse it, and cannot be done in parts. */
const texts = new WeakMap<object, string>()

/** @throws {SyntaxError} the text is not JSON */
export const parseJson = async (text: string): Promise<JsonValue> => {
  const parts = parseInParts(text)
  for (;;) {
    const { done, value } = parts.next()
    if (done === true) {
      if (text.length < LONG || typeof value !== 'object' || value === null) return value
      if (!LINE_BREAK.test(text)) texts.set(value, text)
      return value
    }
    await takeTurn()
  }
}

/** Returns the JSON of a value; of one that was parsed here from a long text on one line, that text. */
export const jsonOf = (value: JsonValue): string =>
  (typeof value === 'object' && value !== null ? texts.get(value) : undefined) ??
  JSON.stringify(value)
