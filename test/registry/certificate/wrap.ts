import { halfWidths, isWide, type Paragraph } from './text.ts'

/** A word of a run on a line; positions count half widths. */
export type Word = {
  readonly text: string
  readonly at: number
  readonly run: number
  readonly struck: boolean
}
export type WrappedLine = readonly Word[]

type Token = {
  readonly text: string
  readonly gap: number
  readonly run: number
  readonly struck: boolean
}

/** Words and the blanks before them; runs stand two blanks apart. */
const tokensOf = (paragraph: Paragraph): Token[] =>
  paragraph.runs.flatMap(({ text, struck }, run) =>
    [...text.matchAll(/( *)([^ ]+)/g)].map((match, index) => ({
      text: match[2] ?? '',
      gap: index === 0 ? (run === 0 ? 0 : 2) : (match[1] ?? '').length,
      run,
      struck,
    })),
  )

/** Breaks a word that no line can hold wherever a line is full. */
const breakWord = (text: string, capacity: number): string[] => {
  const pieces: string[] = []
  let piece = ''
  let width = 0
  for (const character of text) {
    const next = isWide(character) ? 2 : 1
    if (width + next > capacity && piece !== '') {
      pieces.push(piece)
      piece = ''
      width = 0
    }
    piece += character
    width += next
  }
  return piece === '' ? pieces : [...pieces, piece]
}

/** Greedy at blanks; a word too long for a whole line begins a line and is broken at signs. */
export const wrap = (paragraph: Paragraph, capacity: number): WrappedLine[] => {
  const lines: Word[][] = [[]]
  let at = paragraph.indent
  const startLine = (): void => {
    lines.push([])
    at = paragraph.hang
  }
  const put = (token: Token, text: string, gap: number): void => {
    lines.at(-1)?.push({ text, at: at + gap, run: token.run, struck: token.struck })
    at += gap + halfWidths(text)
  }
  for (const token of tokensOf(paragraph)) {
    const isEmpty = lines.at(-1)?.length === 0
    const gap = isEmpty ? 0 : token.gap
    if (at + gap + halfWidths(token.text) <= capacity) {
      put(token, token.text, gap)
      continue
    }
    if (!isEmpty) startLine()
    const pieces = breakWord(token.text, capacity - at)
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) startLine()
      put(token, piece, 0)
    }
  }
  return lines.filter((line) => line.length > 0)
}
