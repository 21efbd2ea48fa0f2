/** Parses a JSON text of any length, and lets the event loop run between its parts. */
import { setImmediate } from 'node:timers/promises'
import type { JsonValue } from '#core/json.ts'
import { parseInParts } from '#core/json-parts.ts'

/** @throws {SyntaxError} the text is not JSON */
export const parseJson = async (text: string): Promise<JsonValue> => {
  const parts = parseInParts(text)
  for (;;) {
    const { done, value } = parts.next()
    if (done === true) return value
    await setImmediate()
  }
}
