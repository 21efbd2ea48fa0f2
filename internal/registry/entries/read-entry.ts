/** Reads one table row of section A or B as an entry. */
import { findDate } from '../fields/date.ts'
import { inHangul } from '../fields/hanja.ts'
import { squeeze } from '../fields/normal-text.ts'
import {
  findPreviousRank,
  findReceiptNumber,
  findRegistrationNumber,
  splitAfterNumber,
  withWholeCaseNumbers,
} from '../fields/number.ts'
import { isShareText } from '../fields/share.ts'
import { doubtedShare } from '../scan/doubted-entries.ts'
import type { PurposeInfo, RegistryEntry } from '../schema/entry.ts'
import { type CellLine, inForce, joinLines, lineText, struckShareOf } from '../tables/cell-text.ts'
import { entryId } from '../tables/entry-id.ts'
import {
  cellOf,
  leftBorder,
  NO_NUMBER,
  type Row,
  type RowLine,
  rightBorder,
  type ToPageBox,
} from '../tables/row.ts'
import { CAUSE, PURPOSE, RANK, RECEIPT, RIGHTS } from '../tables/table-kind.ts'
import { type ClassifiedPurpose, classifyPurpose } from './classify-purpose.ts'
import type { EntryDraft } from './entry-draft.ts'
import {
  type CellFrame,
  type FieldLine,
  frameOfCell,
  readFieldLine,
  textOfSegments,
} from './field-line.ts'
import { INDENTED } from './group-fields.ts'
import { joinBroken } from './join-broken.ts'
import type { Section } from './purpose-text.ts'
import { type FoundContent, readContent } from './read-content.ts'
import { splitAddresses } from './split-addresses.ts'

/** The lines of each purpose. Two purposes are separated by a rule, or by a line without purpose. */
const purposeBlocks = (row: Row): readonly (readonly RowLine[])[] => {
  const blocks: RowLine[][] = [[]]
  let hasGap = false
  for (const line of row.lines) {
    const hasPurpose = (line.cells[PURPOSE] ?? []).length > 0
    const block = blocks.at(-1) ?? []
    const isStarted = block.some((before) => (before.cells[PURPOSE] ?? []).length > 0)
    if (hasPurpose && isStarted && (hasGap || line.above === 'purpose')) blocks.push([line])
    else block.push(line)
    hasGap = !hasPurpose
  }
  return blocks
}

/** Splits a purpose that names the trust on the same line: `소유권이전 및 신탁`, `소유권이전 및 2번신탁등기말소`. */
const withTrust = (raw: string): readonly string[] => {
  const [all, first, trust] = TRANSFER_AND_TRUST.exec(inHangul(raw)) ?? []
  if (all === undefined || first === undefined || trust === undefined) return [raw]
  return [raw.slice(0, first.length), raw.slice(all.length - trust.length)]
}

/** `2번소유권이전 및 신탁등기말소` is one purpose, which ends both. */
const TRANSFER_AND_TRUST =
  /^(\S(?:.{0,200}\S)?\s?(?:이전|보존|설정|말소))\s*(?:(?:및|[,·](?=\s*신탁))\s*)?((?:(?:신탁재산(?:의\s?)?처분에\s?의한\s?)?신탁(?:\s*등기)?|\d{1,4}(?:-\d{1,3})*번\s*신탁.{0,20}말소))$/

const printedPurposes = (row: Row): readonly string[] =>
  purposeBlocks(row).map((block) =>
    joinLines(cellOf(row, PURPOSE, block), rightBorder(row, PURPOSE)),
  )

/** A compound purpose takes the class of its first part, and lists all parts. */
const topPurpose = (
  purposes: readonly ClassifiedPurpose[],
  printed: readonly string[],
): PurposeInfo => {
  const [first, ...others] = purposes.map(({ purpose }) => purpose)
  if (first === undefined) throw new Error('A row has one purpose at least.')
  if (others.length === 0) return { ...first, sub_purposes: [] }
  const all = [first, ...others]
  return {
    ...first,
    raw: printed.join('\n'),
    normalized: squeeze(printed.join('')),
    sub_purposes: all,
  }
}

/**
 * Whether the second purpose of a row has its own receipt or cause. The cause is its own below the rule between the purposes, which
 * is not printed at the top of a page, below a line without cause, and if it repeats the cause above.
 */
const hasOwnHead = (row: Row, block: readonly RowLine[]): boolean => {
  if (cellOf(row, RECEIPT, block).length > 0) return true
  const [first] = block
  const textOf = (lines: readonly RowLine[]): string =>
    squeeze(cellOf(row, CAUSE, lines).map(lineText).join(''))
  if (first === undefined || textOf(block) === '') return false
  const before = row.lines.slice(0, row.lines.indexOf(first))
  const isBelowGap = textOf([first]) !== '' && textOf(before.slice(-1)) === ''
  return first.above === 'purpose' || isBelowGap || textOf(before).endsWith(textOf(block))
}

/**
 * The lines of receipt and cause, which are printed once unless a second purpose has its own, and those of further purposes
 * as text, which have no field.
 */
const readHead = (
  row: Row,
): Readonly<{ lines: readonly RowLine[]; further: readonly string[] }> => {
  const [first = [], ...more] = purposeBlocks(row)
  const own = more.filter((block) => hasOwnHead(row, block))
  if (own.length === 0 || cellOf(row, CAUSE, first).length === 0) {
    return { lines: row.lines, further: [] }
  }
  const textOf = (block: readonly RowLine[]): string => {
    const purpose = joinLines(cellOf(row, PURPOSE, block), rightBorder(row, PURPOSE))
    const others = [RECEIPT, CAUSE].flatMap((column) =>
      inForce(cellOf(row, column, block)).map(lineText),
    )
    return [purpose, ...others].join(' ')
  }
  return { lines: first, further: own.map(textOf) }
}

const readCause = (row: Row, lines: readonly RowLine[]): RegistryEntry['cause'] => {
  const cell = inForce(cellOf(row, CAUSE, lines))
  const joined = withWholeCaseNumbers(joinLines(cell, rightBorder(row, CAUSE)))
  const found = findDate(joined)
  if (found === null) return { text: joined.trim(), date: null }
  const text = `${joined.slice(0, found.start)} ${joined.slice(found.end)}`.trim()
  return { text, date: found.date }
}

/** The lines of the rights column as printed. */
const printedLines = (row: Row, frame: CellFrame): readonly FieldLine[] =>
  row.lines.flatMap(({ page, baseline, cells, above }) => {
    const source = { page, baseline, pieces: cells[RIGHTS] ?? [] }
    return source.pieces.length === 0 ? [] : readFieldLine(source, frame, above !== 'none')
  })

/** The lines that are not struck through. Below a label that is left out, they must not continue the label above it. */
const liveLines = (printed: readonly FieldLine[], frame: CellFrame): readonly FieldLine[] => {
  const names = renamedLines(printed)
  const lines: FieldLine[] = []
  let leftOut: FieldLine | null = null
  for (const each of printed) {
    const source = names.has(each) ? each.source : withoutStruck(each.source)
    const line = source.pieces.length > 0 ? readFieldLine(source, frame, each.startsBlock) : each
    const isBelow = line.meaning === null && line.indent >= INDENTED
    if (source.pieces.length === 0) leftOut = isBelow ? leftOut : line
    else {
      if (leftOut !== null && isBelow)
        lines.push({ ...leftOut, source: { ...source, pieces: [] }, values: [], isEmptied: true })
      leftOut = null
      lines.push({ ...line, isEmptied: line.values.length === 0 && each.values.length > 0 })
    }
  }
  return lines
}

const rightsFrame = (row: Row): CellFrame => {
  const pieces = row.lines.flatMap((line) => line.cells[RIGHTS] ?? [])
  return frameOfCell(leftBorder(row, RIGHTS), rightBorder(row, RIGHTS), pieces)
}

/** Whether rank or purpose is struck through, which cancels the entry. Any other strike may cancel only a field. */
const isHeadStruck = (row: Row): boolean => {
  const [first = []] = purposeBlocks(row)
  const rank = struckShareOf(cellOf(row, RANK).slice(0, 1))
  const purpose = struckShareOf(cellOf(row, PURPOSE, first))
  return rank >= 0.5 || purpose >= 0.5
}

const isRowStruck = (row: Row): boolean => {
  if (isHeadStruck(row)) return true
  const cells = row.columns.borders.flatMap((_, column) => cellOf(row, column))
  return struckShareOf(cells) >= 0.8
}

const rawText = (row: Row): string =>
  row.columns.borders
    .slice(1)
    .map((_, column) => cellOf(row, column).map(lineText).join('\n'))
    .join(' | ')

const hasNumber = ({ pieces }: CellLine): boolean =>
  pieces.some(({ text }) => findRegistrationNumber(text) !== null)

const isLiveNumber = ({ source: { pieces } }: FieldLine): boolean =>
  pieces.every((piece) => !piece.isStruck && splitAfterNumber(piece.text).before.trim() === '')

/** Whether a line without label has the struck end of a name and its number, which is not struck. */
const isStruckEnd = ({ meaning, source }: FieldLine): boolean => {
  const live = source.pieces.filter((piece) => !piece.isStruck)
  const isNumber = live.every(({ text }) => splitAfterNumber(text).before.trim() === '')
  return (
    meaning === null &&
    live.length < source.pieces.length &&
    hasNumber({ ...source, pieces: live }) &&
    isNumber
  )
}

const isShareLine = ({ values }: FieldLine): boolean => isShareText(textOfSegments(values))

/** The struck lines of names whose number below is not struck: only the name has changed. */
const renamedLines = (lines: readonly FieldLine[]): ReadonlySet<FieldLine> => {
  const isName = ({ source, values }: FieldLine): boolean =>
    values.length > 0 && values.every(({ isStruck }) => isStruck) && !hasNumber(source)
  const found = lines.flatMap((line, at) => {
    const isEnd = isStruckEnd(line)
    if (!isEnd && !(hasNumber(line.source) && isLiveNumber(line))) return []
    // a name of several lines begins behind its label
    const start = lines.slice(0, at).findLastIndex((above) => above.meaning !== null)
    const whole = lines.slice(start, at)
    if (start !== -1 && whole.every(isName)) return whole
    // in a list it begins below a share, and otherwise what is above may be the address of another holder
    const share = lines.slice(0, at).findLastIndex(isShareLine)
    const listed = lines.slice(share + 1, at)
    if (share > start && listed.every(isName)) return listed
    return isEnd ? [] : lines.slice(at - 1, at).filter(isName)
  })
  return new Set(found)
}

/** Removes struck holders. If the number is not struck, only the name has changed, and the line stays. */
const withoutStruck = (line: CellLine): CellLine => {
  const pieces = line.pieces.filter((piece) => !piece.isStruck)
  return hasNumber({ ...line, pieces }) ? line : { ...line, pieces }
}

/** The struck texts of lines that stay because their number is not struck, without blanks. */
const findStruckNames = (printed: readonly FieldLine[]): string => {
  const names = renamedLines(printed)
  const kept = printed.filter(
    (line) => names.has(line) || withoutStruck(line.source).pieces.some((piece) => piece.isStruck),
  )
  const pieces = kept.flatMap(({ source }) => source.pieces.filter((piece) => piece.isStruck))
  return squeeze(pieces.map(({ text }) => text).join(''))
}

type ReadContent = Readonly<{ all: FoundContent; live: FoundContent; struckNames: string }>

const readBoth = (row: Row, purpose: PurposeInfo): ReadContent => {
  const frame = rightsFrame(row)
  const context = { right: purpose.right_type, purpose: inHangul(purpose.normalized), frame }
  const printed = printedLines(row, frame)
  return {
    all: readContent(splitAddresses(joinBroken(printed)), context),
    live: readContent(splitAddresses(joinBroken(liveLines(printed, frame))), context),
    struckNames: findStruckNames(printed),
  }
}

/** Reads one row of section A or B as an entry. Links between entries follow later. */
export const readEntry = (row: Row, section: Section, toPageBox: ToPageBox): EntryDraft => {
  const printed = printedPurposes(row)
  const purposes = printed
    .flatMap(withTrust)
    .map((each) => classifyPurpose(each, { section, rank: row.number }))
  const purpose = topPurpose(purposes, printed)
  const { all, live, struckNames } = readBoth(row, purpose)
  const { lines: head, further } = readHead(row)
  const receipt = inForce(cellOf(row, RECEIPT, head))
    .map(lineText)
    .join(' ')
  const cause = readCause(row, head)
  const [part] = row.parts
  const remarks = [
    ...all.remarks,
    ...purposeRemarks(purposes, row),
    ...(isReceiptRead(squeeze(receipt)) ? [] : ['RECEIPT_NOT_READ']),
    ...(row.number === NO_NUMBER ? ['RANK_NOT_READ'] : []),
  ]
  const notes = [...purposes.flatMap(({ ownerNote }) => ownerNote ?? []), ...further]
  const content = withNotes({ ...all.content }, notes)
  if (purpose.action_type === '말소') content.cancels_cause = cause.text || content.notes_raw
  const entry: RegistryEntry = {
    entry_id: entryId(row),
    rank_number: row.number,
    previous_rank: findPreviousRank(cellOf(row, RANK).map(lineText).join('')),
    purpose,
    receipt: {
      date: findDate(squeeze(receipt))?.date ?? '',
      number: findReceiptNumber(squeeze(receipt)),
    },
    cause,
    content,
    status: {
      is_cancelled: false,
      cancelled_by_rank: null,
      cancellation_date: null,
      cancellation_cause: null,
      modifications: [],
    },
    provenance: {
      page_no: part?.page ?? 1,
      bbox: part === undefined ? null : toPageBox(part),
      merged_from: row.parts.map(({ page, row: number }) => ({ page, row: number })),
      is_continuation: row.parts.length > 1,
      is_visual_cancelled: isRowStruck(row),
    },
    raw_text: rawText(row),
    confidence: entryConfidence(row, purpose, remarks.length),
  }
  const rightsText = cellOf(row, RIGHTS).map(lineText).join('\n')
  return {
    section,
    entry,
    purposes,
    liveContent: withNotes(live.content, notes),
    rightsText,
    struckNames,
    isHeadStruck: isHeadStruck(row),
    remarks,
    ocrDoubt: doubtedShare(row),
  }
}

/** Whether a receipt consists of a date and a number. @param printed without blanks */
const isReceiptRead = (printed: string): boolean => {
  const day = findDate(printed)
  const rest = day === null ? printed : printed.slice(0, day.start) + printed.slice(day.end)
  const plain = rest.replace(/第/, '제').replace(/[號号]/, '호')
  return plain.replace(`제${findReceiptNumber(rest)}`, '').replace(/접수|接受/, '') === ''
}

const withNotes = (content: RegistryEntry['content'], notes: readonly string[]) => {
  if (notes.length === 0) return content
  const all = [...(content.notes_raw === null ? [] : [content.notes_raw]), ...notes]
  return { ...content, notes_raw: all.join('\n') }
}

const purposeRemarks = (purposes: readonly ClassifiedPurpose[], row: Row): readonly string[] => {
  const remarks: string[] = []
  for (const { purpose, isRestoration } of purposes) {
    if (isRestoration) remarks.push('RESTORATION')
    if (purpose.right_type === '미분류') remarks.push('PURPOSE_UNKNOWN')
  }
  const isMain = !row.number.includes('-')
  if (isMain && purposes.every(({ purpose }) => purpose.normalized === '')) {
    remarks.push('PURPOSE_MISSING')
  }
  return remarks
}

/** What an unclassified purpose costs, and the remark about it. */
const UNCLASSIFIED = 0.1
export const COST_OF_UNKNOWN = UNCLASSIFIED + 0.05

/** 1 for a row in which everything was found in its place. Each doubt lowers it. */
const entryConfidence = (row: Row, purpose: PurposeInfo, remarks: number): number => {
  let value = 1
  if (!row.columns.isMeasured) value -= 0.15
  if (purpose.right_type === '미분류') value -= UNCLASSIFIED
  value -= Math.min(0.3, remarks * 0.05)
  return Math.round(Math.max(0, value) * 100) / 100
}
