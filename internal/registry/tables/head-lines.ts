/** Handles column heads on several lines: some are wrapped, and those of lists are below a head that spans them. */
import type { Piece, TextLine } from '../reader/text-line.ts'
import { headSpans, withoutSpanning } from './columns.ts'
import { SPANNING_HEADS, TABLE_HEADS, TABLE_KINDS, type TableHead } from './table-kind.ts'

const MOST_LINES = 3
/** Maximum distance from the first to the last line of heads, in font sizes. */
const HIGHEST = 4.5

const KNOWN: readonly TableHead[] = TABLE_KINDS.map((kind) => TABLE_HEADS[kind])

const isHeads = (pieces: readonly Piece[], heads: readonly TableHead[]): boolean =>
  heads.some((head) => headSpans(pieces, head) !== null)

/** Whether the text can be part of a head. It rules out most lines of a table cheaply. */
const canBeHead = (line: TextLine, firsts: ReadonlySet<string>): boolean => {
  return firsts.has(line.pieces[0]?.text.trim()[0] ?? '')
}

type Take = (pieces: readonly Piece[]) => readonly Piece[]

/** Two ways to read heads, because a word that spans heads in one table is the end of a head in another: 권리자 및 기타사항. */
const TAKES: readonly Take[] = [(pieces) => pieces, withoutSpanning]

const merge = (lines: readonly TextLine[], take: Take): TextLine | null => {
  const [first] = lines
  const last = lines.at(-1)
  if (first === undefined || last === undefined) return null
  const size = first.pieces[0]?.size ?? 10
  if (first.baseline - last.baseline > size * HIGHEST) return null
  const pieces = lines.flatMap((line) => take(line.pieces))
  return {
    page: first.page,
    baseline: (first.baseline + last.baseline) / 2,
    pieces: pieces.toSorted((a, b) => a.left - b.left),
  }
}

/** Returns the lines with the column heads of each table on one line. @param heads those that the page may have */
export const joinHeads = (
  lines: readonly TextLine[],
  heads: readonly TableHead[] = KNOWN,
): readonly TextLine[] => {
  const names = heads.flatMap(({ columns }) => columns.flatMap((column) => column.names))
  const firsts = new Set([...names, ...SPANNING_HEADS].map((name) => name[0] ?? ''))
  const joined: TextLine[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]
    if (line === undefined) break
    const isOpen = canBeHead(line, firsts) && !isHeads(line.pieces, heads)
    const counts = isOpen ? Array.from({ length: MOST_LINES - 1 }, (_, more) => more + 2) : []
    const found = counts
      .flatMap((count) =>
        TAKES.map((take) => ({ count, merged: merge(lines.slice(at, at + count), take) })),
      )
      .find(({ merged }) => merged !== null && isHeads(merged.pieces, heads))
    joined.push(found?.merged ?? line)
    at += found?.count ?? 1
  }
  return joined
}
