/** Counts the values of a JSON text without parsing it. */
import { CLOSE_LIST, CLOSE_OBJECT } from './characters.ts'
import { nextMark } from './marks.ts'

/** Whether `text` has more than `most` values, lists and objects. Reads it once, without parsing it. */
export const hasMoreValuesThan = (text: string, most: number): boolean => {
  let count = 0
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
    const code = text.charCodeAt(at)
    // a bracket opens each list and object, and a comma precedes each value in it except the first
    if (code !== CLOSE_LIST && code !== CLOSE_OBJECT) count += 1
    if (count > most) return true
  }
  return false
}
