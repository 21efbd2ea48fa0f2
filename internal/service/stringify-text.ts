/** Writes a long text as JSON in parts, because `JSON.stringify` takes 60 ms for 10 MB of code and nothing else runs meanwhile. */
import type { Pace } from './flows/pace.ts'

/** Written in up to 4 ms. */
const PART_CHARACTERS = 524_288

const isPair = (text: string, at: number): boolean => (text.codePointAt(at) ?? 0) > 0xffff

/** Writes a text as `JSON.stringify` does. */
export const stringifyText = async (text: string, pace: Pace): Promise<string> => {
  const parts: string[] = []
  for (let from = 0; from < text.length; ) {
    let until = Math.min(from + PART_CHARACTERS, text.length)
    // a character of two code units must stay whole, or else both would be escaped
    if (isPair(text, until - 1)) until += 1
    parts.push(JSON.stringify(text.slice(from, until)).slice(1, -1))
    await pace(until - from)
    from = until
  }
  return `"${parts.join('')}"`
}
