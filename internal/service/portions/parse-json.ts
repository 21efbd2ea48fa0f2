/** Parses a JSON text of any length, and lets the event loop run between its parts. */

import { keepText } from '#core/json/kept-text.ts'
import { parseInParts } from '#core/json/parts.ts'
import type { JsonValue } from '#core/json/value.ts'
import { takeTurn } from './take-turn.ts'

/** Characters from which a text is remembered. Shorter ones are written faster than they are found. */
const LONG = 131_072

/** An indented text takes several times the space of the text that is written for its value. A string has no line break. */
const LINE_BREAK = /[\n\r]/

/** @throws {SyntaxError} the text is not JSON */
export const parseJson = async (text: string): Promise<JsonValue> => {
  const parts = parseInParts(text)
  for (;;) {
    const { done, value } = parts.next()
    if (done === true) {
      if (text.length < LONG || typeof value !== 'object' || value === null) return value
      // to write a large value again takes as long as to parse it, and cannot be done in parts
      if (!LINE_BREAK.test(text)) keepText(value, text)
      return value
    }
    await takeTurn()
  }
}
