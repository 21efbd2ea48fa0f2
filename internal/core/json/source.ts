/** Finds the text of one value in a JSON text, because a number may have more digits than JavaScript keeps. */
import { COMMA, OPEN_LIST, OPEN_OBJECT } from './characters.ts'
import { nextMark } from './marks.ts'

const NAME = /^\s*"((?:[^"\\]|\\.){0,1000})"\s*:/

/** Returns the value of a member with this name; null if the name is another. */
const memberSource = (member: string, name: string): string | null => {
  const [head = '', found] = NAME.exec(member) ?? []
  if (found === undefined || JSON.parse(`"${found}"`) !== name) return null
  return member.slice(head.length).trim()
}

const childSource = (text: string, name: string): string | null => {
  const isList = text.charCodeAt(0) === OPEN_LIST
  let found: string | null = null
  let depth = 0
  let start = 0
  let index = 0
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
    const code = text.charCodeAt(at)
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth += 1
      if (depth === 1) start = at + 1
      continue
    }
    if (depth === 1) {
      const child = text.slice(start, at)
      if (!isList) found = memberSource(child, name) ?? found
      else if (String(index) === name) return child.trim()
      start = at + 1
      index += 1
    }
    if (code !== COMMA) depth -= 1
  }
  return found
}

/**
 * Returns the text of a value; of equal names the last counts, as for `JSON.parse`. It reads each text on the way once.
 * @param text valid JSON
 * @param names of objects, each of at most 1,000 characters, or indexes of lists
 * @returns null if there is no such value
 */
export const sourceAt = (text: string, names: readonly string[]): string | null =>
  names.reduce<string | null>(
    (source, name) => (source === null ? null : childSource(source, name)),
    text.trim(),
  )
