/** Writes a long text as JSON in parts, because `JSON.stringify` takes 60 ms for 10 MB of code and nothing else runs meanwhile. */
import type { Pace } from './flows/pace.ts'

/** Written in up to 4 ms. */
const PART_CHARACTERS = 524_288

const isPair = (text: string, at: number): boolean => (text.codePointAt(at) ?? 0) > 0xffff

/** Yields the JSON of a text in parts without quotes, each of which can be parsed alone. @param most characters of a part */
export function* jsonParts(text: string, most: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let until = Math.min(from + most, text.length)
    // a character of two code units must stay whole, or else both would be escaped
    if (isPair(text, until - 1)) until += 1
    yield JSON.stringify(text.slice(from, until)).slice(1, -1)
    from = until
  }
}

/** Writes a text as `JSON.stringify` does. */
export const stringifyText = async (text: string, pace: Pace): Promise<string> => {
  const parts: string[] = []
  for (const part of jsonParts(text, PART_CHARACTERS)) {
    parts.push(part)
    await pace(part.length)
  }
  return `"${parts.join('')}"`
}
