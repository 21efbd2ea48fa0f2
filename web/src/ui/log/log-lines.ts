/** The lines of a log, built from pieces of any length, and the search in them. Pure. */
import { type Span, withoutAnsi } from './ansi.ts'

export type LogPiece = Readonly<{ at: string; stream: string; text: string }>

/** A line has the time and stream of its first piece. */
export type LogLine = LogPiece

export type LogLines = Readonly<{
  lines: readonly LogLine[]
  /** Whether the last line has not ended yet. */
  isOpen: boolean
}>

export const NO_LINES: LogLines = { lines: [], isOpen: false }

/** Adds pieces. Text of another stream begins a new line, so that a line never mixes streams. */
export const addPieces = (known: LogLines, pieces: readonly LogPiece[]): LogLines => {
  const lines = [...known.lines]
  let { isOpen } = known
  for (const { at, stream, text } of pieces) {
    if (text === '') continue
    const parts = text.split('\n')
    const ends = parts.at(-1) === ''
    for (const part of ends ? parts.slice(0, -1) : parts) {
      const last = lines.at(-1)
      if (isOpen && last?.stream === stream) {
        lines[lines.length - 1] = { ...last, text: `${last.text}${part}` }
      } else lines.push({ at, stream, text: part })
      isOpen = false
    }
    isOpen = !ends
  }
  return { lines, isOpen }
}

/** Removes terminal colours. */
export const plainText = (text: string): string =>
  text.includes('\u001b') ? withoutAnsi(text) : text

/** @returns indexes of the lines that contain the text, ignoring case; empty for an empty text */
export const findLines = (lines: readonly LogLine[], wanted: string): readonly number[] => {
  if (wanted === '') return []
  const small = wanted.toLowerCase()
  return lines.flatMap(({ text }, index) =>
    plainText(text).toLowerCase().includes(small) ? [index] : [],
  )
}

export type MarkedSpan = Span & Readonly<{ isFound: boolean }>

/** Splits the spans of a line where a match begins and ends. */
export const markSpans = (spans: readonly Span[], wanted: string): readonly MarkedSpan[] => {
  if (wanted === '') return spans.map((span) => ({ ...span, isFound: false }))
  const small = wanted.toLowerCase()
  return spans.flatMap((span) => {
    const marked: MarkedSpan[] = []
    const text = span.text.toLowerCase()
    let from = 0
    for (let at = text.indexOf(small); at !== -1; at = text.indexOf(small, from)) {
      if (at > from) marked.push({ ...span, text: span.text.slice(from, at), isFound: false })
      from = at + small.length
      marked.push({ ...span, text: span.text.slice(at, from), isFound: true })
    }
    if (from < text.length) marked.push({ ...span, text: span.text.slice(from), isFound: false })
    return marked
  })
}

/** Characters of a line that are drawn. A browser needs seconds to lay out a line of 1 MB. */
const MOST_SHOWN = 5_000
/** Characters before a match that lies beyond the beginning of its line. */
const BEFORE_MATCH = 200

export type ShownPart = Readonly<{ text: string; before: number; after: number }>

/** Selects the part of a line to draw: its beginning, or the part around the first match, if that lies beyond the beginning. */
export const shownPart = (text: string, wanted: string): ShownPart => {
  if (text.length <= MOST_SHOWN) return { text, before: 0, after: 0 }
  const match = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase())
  const from = match + wanted.length > MOST_SHOWN ? match - BEFORE_MATCH : 0
  const shown = text.slice(from, from + MOST_SHOWN)
  return { text: shown, before: from, after: text.length - from - shown.length }
}
