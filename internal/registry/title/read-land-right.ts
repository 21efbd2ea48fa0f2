/** Reads the land right tables of an aggregate building. */
import { readPurposeText } from '../entries/purpose-text.ts'
import { orNull, squeeze } from '../fields/normal-text.ts'
import { readLandRatios } from '../fields/share.ts'
import type { LandRightEntry, LandRightRatioEntry } from '../schema/title.ts'
import { type CellLine, inForce, joinLines, struckShareOf } from '../tables/cell-text.ts'
import { entryId } from '../tables/entry-id.ts'
import { cellOf, type Row, rightBorder, textIn } from '../tables/row.ts'
import { isLandCategory } from './land-category.ts'
import { displayNumber, entryText, isRowDead, liveLines, plainText } from './title-row.ts'

const STARTS_LAND = /^\d+\s*\.(?!\d)\s*/
const SAME_HEIGHT = 3

/** The lines of one land in a row: from its number down to the next one. */
const between = (
  lines: readonly CellLine[],
  from: CellLine,
  to: CellLine | undefined,
): CellLine[] => {
  const isBelow = (line: CellLine) =>
    line.page > from.page ||
    (line.page === from.page && line.baseline <= from.baseline + SAME_HEIGHT)
  const isAboveNext = (line: CellLine) =>
    to === undefined ||
    line.page < to.page ||
    (line.page === to.page && line.baseline > to.baseline + SAME_HEIGHT)
  return lines.filter((line) => isBelow(line) && isAboveNext(line))
}

/** Joins the lines of a cell up to each whole value, such as a category or an area. Null if a rest is none. */
const valuesOf = (
  lines: readonly CellLine[],
  isWhole: (text: string) => boolean,
): readonly string[] | null => {
  const values: string[] = []
  let open = ''
  for (const line of lines) {
    open += squeeze(plainText(line))
    if (!isWhole(open)) continue
    values.push(open)
    open = ''
  }
  return open === '' ? values : null
}

const TYPE = 2
const AREA = 3
const isArea = (text: string): boolean => /^[\d,]+(\.\d+)?㎡$/.test(text)

/**
 * The categories and areas in their order, where some printers print each value below the one before and not at the height of its land.
 * Null unless both columns have one value for each land, and not every land has its own at its height.
 */
const inOrder = (row: Row, parts: readonly (readonly CellLine[])[]) => {
  const isAligned = parts.every((lines) => isArea(squeeze(lines.map(plainText).join(''))))
  const types = valuesOf(cellOf(row, TYPE), isLandCategory)
  const areas = valuesOf(cellOf(row, AREA), isArea)
  const count = parts.length
  return isAligned || types?.length !== count || areas?.length !== count ? null : { types, areas }
}

const readLands = (row: Row): LandRightEntry[] => {
  const locations = cellOf(row, 1)
  const starts = locations.filter((line) => STARTS_LAND.test(plainText(line)))
  const heads = starts.length === 0 ? locations.slice(0, 1) : starts
  const isDead = isRowDead(row)
  const partOf = (land: number, column: number): CellLine[] => {
    const head = heads[land]
    return head === undefined ? [] : between(cellOf(row, column), head, heads[land + 1])
  }
  const listed = inOrder(
    row,
    heads.map((_, land) => partOf(land, AREA)),
  )
  return heads.map((_, land) => {
    const part = (column: number) => partOf(land, column)
    const isCancelled = isDead || struckShareOf(part(1)) >= 0.5
    const text = (column: number) => {
      const lines = part(column)
      return joinLines(isCancelled ? lines : inForce(lines), rightBorder(row, column)).trim()
    }
    return {
      entry_id: `${entryId(row)}${heads.length > 1 ? `.${land + 1}` : ''}`,
      display_number: displayNumber(row),
      location: text(1).replace(STARTS_LAND, ''),
      land_type: listed?.types[land] ?? orNull(squeeze(text(TYPE))),
      area: listed?.areas[land] ?? orNull(squeeze(text(AREA))),
      cause_and_other: textIn(row, 4),
      is_cancelled: isCancelled,
    }
  })
}

/** Reads the lands that the right covers. One row may list several, each with its own number. */
export const readLandRightLands = (rows: readonly Row[]): LandRightEntry[] =>
  rows.flatMap(readLands)

/** Numbers of rows that a later row ended, such as `2번 별도등기 말소` or `2번, 3번 별도등기 말소`. */
const endedNumbers = (rows: readonly LandRightRatioEntry[]): ReadonlySet<string> =>
  new Set(
    rows.flatMap((row) => {
      const said = squeeze(row.cause_and_other)
      const isEnd = /^\d+(번|,|및|내지)(?!토지)((?!일부말소).)*?말소/.test(said)
      return isEnd ? readPurposeText(said).targets.map(({ rank }) => rank) : []
    }),
  )

const RATIO = 2

const readRatioEntry = (row: Row): LandRightRatioEntry => {
  const isCancelled = isRowDead(row)
  const printed = entryText(row, RATIO, isCancelled)
  const ratios = readLandRatios(printed).map(({ text }) => text)
  return {
    entry_id: entryId(row),
    display_number: displayNumber(row),
    land_right_type: orNull(entryText(row, 1, isCancelled)),
    land_right_ratio: orNull(ratios.join(', ') || printed),
    cause_and_other: textIn(row, 3),
    is_cancelled: isCancelled,
  }
}

export type RatioRow = Readonly<{
  entry: LandRightRatioEntry
  /** The ratio as printed, if it is in force: neither the row is cancelled nor the ratio struck through. */
  said: string
}>

/** The rows of the land right of a unit. A row ends with its own strike or with a later row. */
export const readRatioRows = (rows: readonly Row[]): readonly RatioRow[] => {
  const read = rows.map((row) => ({ row, entry: readRatioEntry(row) }))
  const ended = endedNumbers(read.map(({ entry }) => entry))
  return read.map(({ row, entry }) => {
    const isCancelled = entry.is_cancelled || ended.has(entry.display_number.split(' ')[0] ?? '')
    const lines = isCancelled ? [] : liveLines(row, RATIO)
    return {
      entry: { ...entry, is_cancelled: isCancelled },
      said: joinLines(lines, rightBorder(row, RATIO)).trim(),
    }
  })
}

/** Reads the table of land rights of a unit in a building. The first ratio in force counts. */
export const readLandRights = (
  rows: readonly Row[],
): Readonly<{
  entries: LandRightRatioEntry[]
  ratio: string | null
  landArea: number | null
}> => {
  const read = readRatioRows(rows)
  const said = read.find((row) => row.said !== '')?.said ?? ''
  const [ratio] = readLandRatios(said)
  return {
    entries: read.map(({ entry }) => entry),
    ratio: ratio?.text ?? orNull(said),
    landArea: ratio?.landArea ?? null,
  }
}
