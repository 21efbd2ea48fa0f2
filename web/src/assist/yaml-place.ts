/** Finds the place of a position in block-style YAML. Works while typing, when the text is not valid yet. Pure. */

export type YamlPlace = Readonly<{
  /** Keys from the root; null stands for an item of a list. */
  path: readonly (string | null)[]
  /** The part of the word before the cursor, and where it begins. */
  word: string
  from: number
  /** Whether the place is a value, whose key is the last one of the path, and not a key. */
  isValue: boolean
  /** Keys of the same mapping above the place. */
  siblings: readonly string[]
}>

type Line = Readonly<{
  /** Columns of the hyphens before the key. */
  dashes: readonly number[]
  /** Column of the key or value. */
  indent: number
  key: string | null
  /** The text after the colon, or the whole line if it has no key. */
  rest: string
}>

const readLine = (text: string): Line | null => {
  if (/^\s*(#|$)/.test(text)) return null
  const dashes: number[] = []
  let indent = text.search(/\S/)
  while (/^-(\s|$)/.test(text.slice(indent))) {
    dashes.push(indent)
    const skipped = text.slice(indent + 1).search(/\S/)
    indent = skipped === -1 ? text.length : indent + 1 + skipped
  }
  const found = /^(["']?)([\w$./-]+)\1:(?:\s+|$)(.*)$/.exec(text.slice(indent))
  return { dashes, indent, key: found?.[2] ?? null, rest: found?.[3] ?? text.slice(indent) }
}

type Above = Pick<YamlPlace, 'path' | 'siblings'>

/** Walks up from a line to the root. @param lines those above the line */
const walkUp = (lines: readonly string[], start: Pick<Line, 'dashes' | 'indent'>): Above => {
  const path: (string | null)[] = []
  const siblings: string[] = []
  let { indent } = start
  let isSameMapping = start.dashes.length === 0
  const leaveItem = (dashes: readonly number[]): void => {
    for (const dash of dashes.toReversed()) {
      path.unshift(null)
      indent = dash
    }
    // a list may have the same indentation as its key
    if (dashes.length > 0) indent += 1
  }
  leaveItem(start.dashes)
  for (const text of lines.toReversed()) {
    const line = readLine(text)
    if (line === null) continue
    if (line.indent > indent || line.key === null) continue
    if (line.indent < indent) {
      path.unshift(line.key)
      indent = line.indent
      isSameMapping = false
    } else if (isSameMapping) siblings.push(line.key)
    if (line.dashes.length > 0) isSameMapping = false
    leaveItem(line.dashes)
    if (indent === 0 && !isSameMapping) break
  }
  return { path, siblings }
}

/** @returns null within braces, brackets, strings and comments */
export const yamlPlace = (text: string, at: number): YamlPlace | null => {
  const lines = text.slice(0, at).split('\n')
  const before = lines.pop() ?? ''
  if (/[[{#"'|>]/.test(before)) return null
  const keyed = /^(\s*(?:-\s+)*)([\w$./-]+):\s+(\S*)$/.exec(before)
  const bare = /^(\s*(?:-\s+)*)([\w$./-]*)$/.exec(before)
  const [, head = '', second = '', value = ''] = keyed ?? bare ?? []
  if (keyed === null && bare === null) return null
  const dashes = [...head.matchAll(/-/g)].map(({ index }) => index)
  const { path, siblings } = walkUp(lines, { dashes, indent: head.length })
  const word = keyed === null ? second : value
  return {
    path: keyed === null ? path : [...path, second],
    word,
    from: at - word.length,
    isValue: keyed !== null,
    siblings,
  }
}
