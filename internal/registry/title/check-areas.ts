/** Looks for areas that are printed and were not read, or not as they are printed [documents 13.6]. */
import { squeeze } from '../fields/normal-text.ts'
import { type Finding, finding } from '../schema/document.ts'
import { entryId } from '../tables/entry-id.ts'
import type { Table } from '../tables/read-tables.ts'
import type { Row } from '../tables/row.ts'
import type { TableKind } from '../tables/table-kind.ts'
import { allAreas, floorsWithoutArea, readBuildingDetail } from './read-building-detail.ts'
import { isRowDead, liveLines, plainText } from './title-row.ts'

/** The column with areas, for each table of the title that has one. */
const AREA_COLUMNS: ReadonlyMap<TableKind, number> = new Map([
  ['land', 4],
  ['building', 3],
  ['land_right_land', 3],
  ['exclusive_part', 3],
])

const linesOf = (row: Row): readonly string[] =>
  liveLines(row, AREA_COLUMNS.get(row.kind) ?? 0).map(plainText)

const report = (row: Row, message: string): Finding =>
  finding('AREA_NOT_READ', message, entryId(row))

/** Areas of a building that belong to no floor, floors without an area, and areas in old units. */
const checkBuilding = (row: Row): readonly Finding[] => {
  const lines = linesOf(row)
  const known = readBuildingDetail(lines).areas.map(({ area }) => area)
  const hasAreas = known.length > 0
  const printed = allAreas(lines.join(' ').replace(/\([^()]*\)/g, ''))
  const lost = printed.filter((area) => {
    const at = known.indexOf(area)
    if (at !== -1) known.splice(at, 1)
    return at === -1
  })
  const empty = floorsWithoutArea(lines)
  const isOld = !hasAreas && /\d\s*평(?![슬지])/.test(lines.join(' '))
  return [
    ...(lost.length === 0
      ? []
      : [report(row, `The areas ${lost.join(', ')} belong to no floor that was read.`)]),
    ...(isOld ? [report(row, 'The areas are in 평 and were not read.')] : []),
    ...(empty.length === 0 ? [] : [report(row, `No area was read of ${empty.join(', ')}.`)]),
  ]
}

const NUMBER = /^(\d{1,3}(,\d{3})+|\d+)(\.\d+)?$/
/** Areas of the land in units of before 1962. */
const OLD_UNIT = /\d\s*(평|홉|작|정|단|무|보)/

/** An area with a comma or point at the wrong place, of which a digit was lost, or a land without a unit. */
const checkNumbers = (row: Row): readonly Finding[] => {
  const text = squeeze(linesOf(row).join(' '))
  const wrong = [...text.matchAll(/(?<!\d[,.]*)\d[\d,.]*(?=㎡)/g)]
    .map(([printed]) => printed)
    .filter((printed) => !NUMBER.test(printed))
  const hasUnit = row.kind !== 'land' || /㎡/.test(text) || OLD_UNIT.test(text)
  return [
    ...wrong.map((printed) => report(row, `The area ${printed}㎡ is not a number.`)),
    ...(hasUnit || !/\d/.test(text) ? [] : [report(row, `The area ${text} has no unit.`)]),
  ]
}

/** Reports rows that are both in force and state areas, of which only the last counts. */
const checkSeveral = (rows: readonly Row[]): readonly Finding[] => {
  const stating = rows.filter((row) => allAreas(linesOf(row).join(' ')).length > 0)
  const last = stating.at(-1)
  return last === undefined || stating.length < 2
    ? []
    : [report(last, `${stating.length} rows in force state areas; the last one counts.`)]
}

/** Reports areas that were not read, or not with certainty. */
export const checkAreas = (tables: readonly Table[]): readonly Finding[] => {
  const alive = tables
    .filter(({ kind }) => AREA_COLUMNS.has(kind))
    .flatMap((table) => table.rows)
    .filter((row) => !isRowDead(row))
  const buildings = alive.filter(({ kind }) => kind === 'building')
  return [
    ...alive.flatMap(checkNumbers),
    ...buildings.flatMap(checkBuilding),
    ...checkSeveral(buildings),
    ...checkSeveral(alive.filter(({ kind }) => kind === 'land')),
  ]
}
