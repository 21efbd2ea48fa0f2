/**
 * Explains the errors of the YAML parser to people who do not know its terms. The parser loses the structure at most errors, so
 * what it reports after them, or again on the same line, is left out.
 */
import type { LineCounter, YAMLParseError } from 'yaml'
import { MAX_FAULTS } from './fault.ts'
import { quotesNeeded, type YamlFault } from './yaml-faults.ts'

/** The place of an error in the text. */
type Spot = Readonly<{
  text: string
  offset: number
  /** The offset at which its line begins, and the line. */
  start: number
  line: string
  message: string
  /** The codes of all errors on the line. */
  codes: ReadonlySet<YAMLParseError['code']>
}>

type Explain = (spot: Spot) => YamlFault

const INDENT =
  'The indentation of this line fits no line above it. The fields of one item begin in the same column.'
const DEEPER =
  'This line is indented too far, or the line above is wrong. The fields of one item begin in the same column.'
const COLON = 'A name is followed by a colon and a space, as in `key: orders`.'
const COMMA =
  'A comma is missing between two fields, or a text that contains ": " is not in quotes.'
const MAX_MESSAGE_LENGTH = 300

/** After these the structure is unknown, and each further part of the text is an error. */
const LOST = / in YAML stream/

/** What cannot begin a text without quotes, after `name: ` or `- `. */
const SPECIAL_START = /(?:[:-]\s+)(\$\{|[*@%`])/

export const explainYamlErrors = (
  errors: readonly YAMLParseError[],
  text: string,
  lines: LineCounter,
): readonly YamlFault[] => {
  const lost = errors.findIndex(({ message }) => LOST.test(message))
  const spots = new Map<number, YAMLParseError>()
  const codes = new Map<number, Set<YAMLParseError['code']>>()
  for (const error of lost === -1 ? errors : errors.slice(0, Math.max(lost, 1))) {
    const { line } = lines.linePos(error.pos[0])
    if (!spots.has(line)) spots.set(line, error)
    codes.set(line, (codes.get(line) ?? new Set()).add(error.code))
  }
  return [...spots].slice(0, MAX_FAULTS).map(([number, { code, message, pos }]) => {
    const start = lines.lineStarts[number - 1] ?? 0
    const line = text.slice(start, lines.lineStarts[number] ?? text.length).trimEnd()
    const spot = { text, offset: pos[0], start, line, message }
    return (EXPLAIN[code] ?? unexplained)({ ...spot, codes: codes.get(number) ?? new Set() })
  })
}

const indentOf = (line: string): number => line.search(/\S|$/)

const badIndent: Explain = ({ start, line }) => ({
  offset: start + indentOf(line),
  message: INDENT,
})

const unexplained: Explain = ({ offset, message }) => ({
  offset,
  message: `${message.slice(0, MAX_MESSAGE_LENGTH)}.`,
})

/** Returns null if no text without quotes on the line begins with a special character. */
const specialStart = ({ start, line }: Spot): YamlFault | null => {
  const match = SPECIAL_START.exec(line)
  const [whole = '', found = ''] = match ?? []
  if (match === null) return null
  return { offset: start + match.index + whole.length - found.length, message: quotesNeeded(found) }
}

const unexpected: Explain = (spot) => {
  const { offset, start, line, message, codes } = spot
  const special = specialStart(spot)
  if (special !== null) return special
  if (codes.has('BLOCK_IN_FLOW')) return { offset, message: COMMA }
  if (offset === start + indentOf(line)) return badIndent(spot)
  const token = LOST.test(message) ? JSON.stringify(spot.text[offset]) : null
  return token === null
    ? { offset, message: 'The value ends before this. Put the whole text in quotes.' }
    : { offset, message: `${token} cannot be here. Something before it has ended too early.` }
}

/** Returns the fault of the next line with content. */
const nextLine = ({ text, start, line }: Spot): YamlFault => {
  const rest = text.slice(start + line.length)
  return { offset: start + line.length + indentOf(rest), message: DEEPER }
}

const nested: Explain = (spot) => {
  const { start, line, offset, message, codes } = spot
  if (message.startsWith('A block sequence')) return badIndent(spot)
  if (!codes.has('MULTILINE_IMPLICIT_KEY'))
    return { offset, message: 'A text that contains ": " must be in quotes.' }
  return /^\s*-[^\s-]/.test(line)
    ? { offset: start + indentOf(line), message: 'A list item begins with "-" and a space.' }
    : nextLine(spot)
}

const missing: Explain = (spot) => {
  const { offset, message } = spot
  if (message.startsWith('Implicit map key')) return { offset, message: COLON }
  if (message.startsWith('Missing ,')) return { offset, message: COMMA }
  return message.startsWith('Sequence item') ? badIndent(spot) : unexplained(spot)
}

const unended: Explain = (spot) => {
  const quote = /^Missing closing (["'])/.exec(spot.message)?.[1]
  if (quote === undefined) return missing(spot)
  const offset = Math.max(0, spot.text.lastIndexOf(quote, spot.offset - 1))
  return { offset, message: 'A quote begins here and does not end.' }
}

const unclosed: Explain = (spot) => {
  const bracket = / end with an? (\S)$/.exec(spot.message)?.[1]
  return bracket === undefined
    ? badIndent(spot)
    : { offset: spot.offset, message: `A "${bracket}" is missing before this.` }
}

const EXPLAIN: Readonly<Partial<Record<YAMLParseError['code'], Explain>>> = {
  BAD_ALIAS: unexpected,
  BAD_SCALAR_START: (spot) => specialStart(spot) ?? unexplained(spot),
  UNEXPECTED_TOKEN: unexpected,
  BAD_INDENT: unclosed,
  MISSING_CHAR: unended,
  BLOCK_AS_IMPLICIT_KEY: nested,
  MULTILINE_IMPLICIT_KEY: ({ offset }) => ({ offset, message: COLON }),
  BLOCK_IN_FLOW: ({ offset }) => ({ offset, message: COMMA }),
  TAB_AS_INDENT: ({ offset }) => ({
    offset,
    message: 'Tabs cannot indent a line. Use spaces.',
  }),
  BAD_DQ_ESCAPE: (spot) => ({
    offset: spot.offset,
    message: `${unexplained(spot).message} Use single quotes, or write \\\\ for a backslash.`,
  }),
  MULTIPLE_DOCS: ({ offset }) => ({
    offset,
    message: 'The file holds several documents (---); keep one.',
  }),
}
