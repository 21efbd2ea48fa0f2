/** Splits one line of the rights column into a label and its values. */
import { labelInHangul } from '../fields/hanja.ts'
import { squeeze } from '../fields/normal-text.ts'
import { type Piece, partsOf } from '../reader/text-line.ts'
import { type CellLine, lineText, TEXT_INSET } from '../tables/cell-text.ts'
import { PART_OF_HOLDER } from './holder-changes.ts'
import { isPrefixOfLabel, type LabelKind, meaningOf } from './label.ts'

/** A run of text without a wide gap. Two half-width blanks separate one field from the next. */
export type Segment = Readonly<{
  text: string
  left: number
  isStruck: boolean
}>

/** A line of the rights column: a label with its values, or text that continues from above. */
export type FieldLine = Readonly<{
  source: CellLine
  label: string | null
  meaning: LabelKind | null
  values: readonly Segment[]
  /** The label as printed, if a single blank or a colon separates it from its value. Its segment then holds both. */
  printedLabel: string
  /** Indentation from the left of the column's text, in tenths of the font size, which are points in the standard form. */
  indent: number
  /** Free space at the right of the line, in font sizes. */
  room: number
  isStruck: boolean
  /** Set if all its values are left out, because they are struck through. */
  isEmptied?: boolean
  /** Whether a rule separates the line from the one above. */
  startsBlock: boolean
}>

/** Free space at the right of a line, in font sizes, that would have held the next word. */
const ROOM_OF_WORD = 4

/** Whether the line was broken because the next word did not fit. */
export const isBroken = ({ room }: Pick<FieldLine, 'room'>): boolean => room < ROOM_OF_WORD

/** The maximum of points between the column's border and its text in prints other than the standard form. */
const WIDEST_INSET = 12
/** Labels begin at the left of the column. */
const LABEL_INDENT = 10

/** Splits a piece into segments, placed by the fixed pitch of the print. */
const parts = (piece: Piece): readonly Segment[] =>
  partsOf(piece, /\S+(?: \S+)*/g).map(({ text, left, isStruck }) => ({ text, left, isStruck }))

const segmentsOf = (line: CellLine): readonly Segment[] => {
  const segments: Segment[] = []
  let reached = Number.NEGATIVE_INFINITY
  for (const piece of line.pieces) {
    const isApart = piece.left - reached > piece.size * 0.75
    const [first, ...others] = parts(piece)
    const last = segments.at(-1)
    if (first !== undefined && last !== undefined && !isApart && last.isStruck === first.isStruck) {
      const blank = piece.left - reached > piece.size * 0.2 ? ' ' : ''
      segments[segments.length - 1] = { ...last, text: `${last.text}${blank}${first.text}` }
    } else if (first !== undefined) segments.push(first)
    segments.push(...others)
    reached = piece.right
  }
  return segments
}

/** Joins the word 지분 with the share behind it, which some prints set apart: `지  분  3분의 2`. */
const joinShares = (segments: readonly Segment[]): readonly Segment[] => {
  const joined: Segment[] = []
  for (const segment of segments) {
    const last = joined.at(-1)
    const label = squeeze(last?.text ?? '')
    const isRest = /^[지持]$/.test(label) && /^[분分]:?$/.test(squeeze(segment.text))
    const isShare = /^(?:지분|持分):?$/.test(label) && /^:?\s?\d|^:$/.test(segment.text)
    if (last !== undefined && (isRest || isShare)) {
      const text = `${label}${isRest ? '' : ' '}${squeeze(segment.text) === ':' ? ':' : segment.text}`
      joined[joined.length - 1] = { ...last, text }
    } else joined.push(segment)
  }
  return joined
}

type Labelled = {
  label: string
  meaning: LabelKind
  count: number
  rest: Segment | null
  printed: string
}

/** A label takes whole segments (`범` `위`), or the first word of a segment that continues after a single blank. */
const takeLabel = (segments: readonly Segment[]): Labelled | null => {
  let text = ''
  let best: Labelled | null = null
  for (const [index, segment] of segments.entries()) {
    const colon = labelBeforeColon(text, segment, index)
    if (colon !== null) return colon
    text += labelInHangul(squeeze(segment.text))
    const meaning = meaningOf(text)
    if (meaning !== undefined) {
      best = { label: text, meaning, count: index + 1, rest: null, printed: '' }
    }
    if (!isPrefixOfLabel(text)) break
  }
  return best ?? labelInside(segments[0])
}

/** The label of a part of a holder that changed: `한누리의 주소`, `주식회사누리은행의 성명(명칭)`. */
export const OF_HOLDER = new RegExp(`의\\s?${PART_OF_HOLDER}(?=\\s|$)`)

/** A label that ends with a colon: `채무자 : 한누리`. @param before the parts of the label in the segments before */
const labelBeforeColon = (before: string, segment: Segment, index: number): Labelled | null => {
  const [printed, end = ''] = /^([^:]{0,20}):\s*/.exec(segment.text) ?? []
  if (printed === undefined) return null
  const label = before + labelInHangul(squeeze(end))
  const meaning = meaningOf(label)
  if (meaning === undefined) return null
  const text = segment.text.slice(printed.length)
  return {
    label,
    meaning,
    count: index + 1,
    rest: text === '' ? null : { ...segment, text },
    printed,
  }
}

const labelInside = (segment: Segment | undefined): Labelled | null => {
  if (segment === undefined) return null
  const words = segment.text.split(' ')
  let label = ''
  for (const [index, word] of words.entries()) {
    label += labelInHangul(word)
    const meaning = meaningOf(label)
    const isEnd = index === words.length - 1
    if (meaning !== undefined && !isEnd && !isPlainWord(meaning)) {
      const text = words.slice(index + 1).join(' ')
      const printed = words.slice(0, index + 1).join(' ')
      return { label, meaning, count: 1, rest: { ...segment, text }, printed }
    }
    if (!isPrefixOfLabel(label)) return null
  }
  return null
}

/** Words that are labels only if a wide gap follows; otherwise they are part of a sentence. */
const isPlainWord = (meaning: LabelKind): boolean => meaning.kind === 'note' && meaning.isWord

/** Whether a label may be indented: those of persons who act for the holder above. */
const mayBeIndented = (meaning: LabelKind): boolean => meaning.kind === 'note' && !meaning.isWord

export type CellFrame = Readonly<{ left: number; right: number; textLeft: number }>

/** The frame of a cell. Its text begins at the leftmost of its lines. */
export const frameOfCell = (left: number, right: number, pieces: readonly Piece[]): CellFrame => {
  const leftmost = Math.min(...pieces.map((piece) => piece.left))
  const inset = leftmost - left
  const isPlausible = inset > -2 && inset < WIDEST_INSET
  return { left, right, textLeft: isPlausible ? leftmost : left + TEXT_INSET }
}

/** Whether the line only states the new address or name of a holder: `공유자 한누리의 주소` states no holder. */
const isOfHolder = ({ meaning, count, rest }: Labelled, segments: readonly Segment[]): boolean =>
  meaning.kind === 'person' && OF_HOLDER.test((rest ?? segments[count])?.text ?? '')

/** Splits a line of a cell into segments. @param startsBlock whether the line begins a new block of the cell */
export const readFieldLine = (
  source: CellLine,
  frame: CellFrame,
  startsBlock: boolean,
): FieldLine => {
  const segments = joinShares(segmentsOf(source))
  const size = source.pieces[0]?.size ?? 10
  const indent = (((segments[0]?.left ?? frame.textLeft) - frame.textLeft) * 10) / size
  const found = takeLabel(segments)
  const isPlaced =
    found !== null &&
    (indent < LABEL_INDENT || mayBeIndented(found.meaning)) &&
    !isOfHolder(found, segments)
  const labelled = isPlaced ? found : null
  const rest = labelled?.rest ?? null
  const values = labelled === null ? segments : segments.slice(labelled.count)
  return {
    source,
    label: labelled?.label ?? null,
    meaning: labelled?.meaning ?? null,
    values: rest === null ? values : [rest, ...values],
    printedLabel: labelled?.printed ?? '',
    indent,
    room: (frame.right - (source.pieces.at(-1)?.right ?? frame.right)) / size,
    isStruck: segments.length > 0 && segments.every((segment) => segment.isStruck),
    startsBlock,
  }
}

/** Joins the texts of segments by single blanks. */
export const textOfSegments = (segments: readonly Segment[]): string =>
  segments.map((segment) => segment.text).join(' ')

/** Returns the text of a line with runs of blanks reduced to one. */
export const textOfLine = (line: FieldLine): string => lineText(line.source).replace(/ {2,}/g, ' ')
