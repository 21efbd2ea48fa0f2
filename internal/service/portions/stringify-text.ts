/** Writes a long text as JSON in parts, because `JSON.stringify` takes 60 ms for 10 MB of code and nothing else runs meanwhile. */
import { jsonParts } from '#core/json/text-parts.ts'
import type { Pace } from './pace.ts'

/** Written in up to 4 ms. */
const PART_CHARACTERS = 524_288

/** Writes a text as `JSON.stringify` does. */
export const stringifyText = async (text: string, pace: Pace): Promise<string> => {
  const parts: string[] = []
  for (const part of jsonParts(text, PART_CHARACTERS)) {
    parts.push(part)
    await pace(part.length)
  }
  return `"${parts.join('')}"`
}
