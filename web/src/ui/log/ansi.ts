/** Converts terminal colours in a line of text to classes. All other control sequences are removed. Pure. */

export type Span = Readonly<{ text: string; tone: string | null; isBold: boolean }>

const TONES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches escape sequences
  /\u001b\[([0-9;]*)m|\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])|[\u0000-\u0008\u000b-\u001f\u007f]/g

type Look = Readonly<{ tone: string | null; isBold: boolean }>

const PLAIN: Look = { tone: null, isBold: false }

const toneOf = (code: number): string | null => {
  if (code >= 30 && code <= 37) return TONES[code - 30] ?? null
  return code >= 90 && code <= 97 ? (TONES[code - 90] ?? null) : null
}

const applyCode = (look: Look, code: number): Look => {
  if (code === 0) return PLAIN
  if (code === 1 || code === 22) return { ...look, isBold: code === 1 }
  const tone = toneOf(code)
  return tone !== null || code === 39 ? { ...look, tone } : look
}

/** 256 colours and true colours have parameters of their own, which are not colour codes. */
const EXTENDED: readonly number[] = [38, 48]

const applyCodes = (look: Look, codes: string): Look => {
  const numbers = (codes === '' ? '0' : codes).split(';').map(Number)
  const extended = numbers.findIndex((code) => EXTENDED.includes(code))
  return (extended === -1 ? numbers : numbers.slice(0, extended)).reduce(applyCode, look)
}

export const readAnsi = (line: string): readonly Span[] => {
  const spans: Span[] = []
  let look = PLAIN
  let from = 0
  for (const match of line.matchAll(SEQUENCE)) {
    if (match.index > from) spans.push({ text: line.slice(from, match.index), ...look })
    from = match.index + match[0].length
    if (match[1] !== undefined) look = applyCodes(look, match[1])
  }
  if (from < line.length) spans.push({ text: line.slice(from), ...look })
  return spans
}

/** The text of all spans. A search in a long log has no time to build them. */
export const withoutAnsi = (line: string): string => line.replace(SEQUENCE, '')
