/** Looks for areas of a building that are printed and belong to no floor [documents 13.6]. */
import { type Finding, finding } from '../schema/document.ts'
import { entryId } from '../tables/entry-id.ts'
import type { Table } from '../tables/read-tables.ts'
import type { Row } from '../tables/row.ts'
import { allAreas, readBuildingDetail } from './read-building-detail.ts'
import { isRowDead, liveLines, plainText } from './title-row.ts'

const DETAIL = 3

const linesOf = (row: Row): readonly string[] => liveLines(row, DETAIL, false).map(plainText)

const checkRow = (row: Row): readonly Finding[] => {
  const lines = linesOf(row)
  const known = readBuildingDetail(lines).areas.map(({ area }) => area)
  const printed = allAreas(lines.join(' ').replace(/\([^()]*\)/g, ''))
  const lost = printed.filter((area) => {
    const at = known.indexOf(area)
    if (at !== -1) known.splice(at, 1)
    return at === -1
  })
  if (lost.length === 0) return []
  const message = `The areas ${lost.join(', ')} belong to no floor that was read.`
  return [finding('AREA_NOT_READ', message, entryId(row))]
}

/** Reports areas that were not read, and rows that are both in force and state areas, of which only the last counts. */
export const checkAreas = (tables: readonly Table[]): readonly Finding[] => {
  const rows = tables
    .filter(({ kind }) => kind === 'building')
    .flatMap((table) => table.rows)
    .filter((row) => !isRowDead(row) && allAreas(linesOf(row).join(' ')).length > 0)
  const last = rows.at(-1)
  const several =
    last === undefined || rows.length < 2
      ? []
      : [
          finding(
            'AREA_NOT_READ',
            `${rows.length} rows in force state areas; the last one counts.`,
            entryId(last),
          ),
        ]
  return [...rows.flatMap(checkRow), ...several]
}
