/** Separates the address of a holder from the name on whose line some programs print it. */
import { halfWidths, squeeze } from '../fields/normal-text.ts'
import { splitAfterNumber } from '../fields/number.ts'
import { type Piece, pitchOf } from '../reader/text-line.ts'
import { type FieldLine, isBroken, type Segment, textOfSegments } from './field-line.ts'
import {
  ADDRESS_LABEL,
  annotationDate,
  INDENTED,
  isPlainName,
  looksLikeAddress,
} from './group-fields.ts'

/** Points by which an address is indented in the standard form. */
const ADDRESS_INDENT = 20
/** The room of a line whose end is that of its text. */
const WIDE = 100
/** An address of which only the province is on the line of the name has its first number this many lines below at most. */
const LINES_BELOW = 2

/** Segments by which an address is known. It limits the time for hostile files, whose lines may have thousands. */
const SEGMENTS_BEHIND = 8

type Split = Readonly<{ own: readonly Segment[]; address: readonly Segment[] }>

const isAddress = (text: string, below: string): boolean => {
  const whole = `${text} ${below}`
  return looksLikeAddress(text) || looksLikeAddress(whole) || ADDRESS_LABEL.test(whole)
}

/** Splits a segment behind its number, or behind a name of one word. Null if no address follows. */
const splitSegment = (
  { text, ...place }: Segment,
  isName: boolean,
  below: string,
): readonly [Segment, Segment] | null => {
  const { before, number, after } = splitAfterNumber(text)
  const [word = ''] = /^\S+/.exec(text) ?? []
  const end = number === null ? word.length : text.length - after.length
  const rest = text.slice(end).replace(/^[\s,]+/, '')
  const isHolder = number === null ? isName && isPlainName(word) : before.trim() !== ''
  if (!isHolder || rest === '' || !isAddress(rest, below)) return null
  return [
    { ...place, text: text.slice(0, end) },
    { ...place, text: rest },
  ]
}

/** @param isName whether a text at the beginning of the line is a name */
const splitSegments = (
  segments: readonly Segment[],
  isName: boolean,
  below: string,
): Split | null => {
  for (const [at, segment] of segments.entries()) {
    const behind = segments.slice(at + 1, at + 1 + SEGMENTS_BEHIND)
    const goesOn = behind.length === 0 ? below : `${textOfSegments(behind)} ${below}`
    const [own, rest] = splitSegment(segment, isName && at === 0, goesOn) ?? []
    if (own !== undefined && rest !== undefined)
      return { own: [...segments.slice(0, at), own], address: [rest, ...segments.slice(at + 1)] }
    const [next] = behind
    const { number } = splitAfterNumber(segment.text)
    const isEnd = number !== null || (isName && !/\d/.test(segment.text))
    if (next === undefined || !isEnd) continue
    const further = [textOfSegments(behind.slice(1)), below].join(' ').trim()
    if (isAddress(next.text, further))
      return { own: segments.slice(0, at + 1), address: segments.slice(at + 1) }
  }
  return null
}

/** Cuts a piece before its last signs, blanks not counted, by the fixed pitch of the print. */
const cutPiece = (piece: Piece, signs: number): readonly [Piece | null, Piece | null] => {
  let at = piece.text.length
  for (let count = 0; at > 0 && count < signs; at -= 1)
    if (/\S/.test(piece.text.charAt(at - 1))) count += 1
  const [before, after] = [piece.text.slice(0, at).trimEnd(), piece.text.slice(at)]
  const pitch = pitchOf(piece)
  const left = piece.left + halfWidths(piece.text.slice(0, at)) * pitch
  return [
    before === ''
      ? null
      : { ...piece, text: before, right: piece.left + halfWidths(before) * pitch },
    after === '' ? null : { ...piece, text: after, left },
  ]
}

/** The pieces of a line before and from the text with which it ends. */
const cutPieces = (
  pieces: readonly Piece[],
  end: string,
): readonly [readonly Piece[], readonly Piece[]] => {
  let signs = squeeze(end).length
  const [before, after]: [Piece[], Piece[]] = [[], []]
  for (const piece of pieces.toReversed()) {
    const [own, cut] = cutPiece(piece, signs)
    if (own !== null) before.push(own)
    if (cut !== null) after.push(cut)
    signs = Math.max(0, signs - squeeze(piece.text).length)
  }
  return [before.toReversed(), after.toReversed()]
}

const splitLine = (line: FieldLine, { own, address }: Split): readonly FieldLine[] => {
  const [before, after] = cutPieces(line.source.pieces, textOfSegments(address))
  return [
    { ...line, source: { ...line.source, pieces: before }, values: own, room: WIDE },
    {
      ...line,
      source: { ...line.source, pieces: after },
      label: null,
      meaning: null,
      values: address,
      printedLabel: '',
      indent: ADDRESS_INDENT,
      startsBlock: false,
    },
  ]
}

/** Whether a line at the left of the column continues the address above it, which was broken at its end. */
const continuesAddress = (line: FieldLine, above: FieldLine): boolean =>
  isBroken(above) &&
  line.meaning === null &&
  !line.startsBlock &&
  line.indent < INDENTED &&
  annotationDate(line) === null &&
  splitAfterNumber(textOfSegments(line.values)).number === null &&
  !isPlainName(textOfSegments(line.values))

/** Whether a line at the left of the column begins an address whose number is on the lines below. */
const beginsAddress = (line: FieldLine, below: string): boolean => {
  const text = textOfSegments(line.values)
  return (
    line.meaning === null &&
    !line.startsBlock &&
    isBroken(line) &&
    !looksLikeAddress(text) &&
    looksLikeAddress(`${text} ${below}`)
  )
}

/** Returns the lines with each address on a line of its own, below the name and indented as in the standard form. */
export const splitAddresses = (lines: readonly FieldLine[]): readonly FieldLine[] => {
  const split: FieldLine[] = []
  let isOfPerson = false
  let open: FieldLine | null = null
  for (const [at, line] of lines.entries()) {
    if (line.meaning !== null) isOfPerson = line.meaning.kind === 'person'
    if (open !== null && continuesAddress(line, open)) {
      open = { ...line, indent: ADDRESS_INDENT }
      split.push(open)
      continue
    }
    const below = lines
      .slice(at + 1, at + 1 + LINES_BELOW)
      .map(({ meaning, values }) => (meaning === null ? textOfSegments(values) : ''))
    const isName =
      isOfPerson && line.indent < INDENTED && !ADDRESS_LABEL.test(textOfSegments(line.values))
    if (isName && beginsAddress(line, below.join(' '))) {
      open = { ...line, indent: ADDRESS_INDENT }
      split.push(open)
      continue
    }
    const found = splitSegments(line.values, isName, below.join(' '))
    const parts = found === null ? [line] : splitLine(line, found)
    split.push(...parts)
    open = found === null ? null : (parts.at(-1) ?? null)
  }
  return split
}
