/** Counts the values of a JSON text without parsing it. */

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** A bracket opens each list and object, and a comma precedes each value in it except the first. */
const COUNTED: ReadonlySet<number> = new Set([...',{['].map((char) => char.charCodeAt(0)))

/** Whether `text` has more than `most` values, lists and objects. Reads it once, without parsing it. */
export const hasMoreValuesThan = (text: string, most: number): boolean => {
  let count = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (COUNTED.has(code)) {
      count += 1
      if (count > most) return true
    }
  }
  return false
}
