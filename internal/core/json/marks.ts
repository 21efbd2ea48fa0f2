/** Finds the brackets, braces and commas of a JSON text that are outside its strings, without parsing it. */
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './characters.ts'

const isMark = (code: number): boolean =>
  code === COMMA ||
  code === OPEN_LIST ||
  code === CLOSE_LIST ||
  code === OPEN_OBJECT ||
  code === CLOSE_OBJECT

/** Returns where a string ends. @param start behind its first quote */
export const endOfString = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (at - escapes > start && text.charCodeAt(at - escapes - 1) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return at + 1
  }
  return text.length
}

/**
 * Returns the position of the next mark. If there is none before `until`, it returns a position from `until` on, from which to
 * continue.
 * @param from outside a string
 */
export const nextMark = (text: string, from: number, until: number = text.length): number => {
  let at = from
  while (at < until) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at + 1)
    else if (isMark(code)) return at
    else at += 1
  }
  return at
}
