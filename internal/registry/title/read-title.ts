/** Reads the title section (표제부) for each type of property. */
import type { ExclusivePartEntry, PropertyType, RegistryTitle } from '../schema/title.ts'
import { entryId } from '../tables/entry-id.ts'
import type { Table } from '../tables/read-tables.ts'
import { cellOf, type Row, textIn } from '../tables/row.ts'
import type { TableKind } from '../tables/table-kind.ts'
import { readBuilding } from './read-building.ts'
import { allAreas } from './read-building-detail.ts'
import { readLandTitle } from './read-land.ts'
import { readLandRightLands, readLandRights } from './read-land-right.ts'
import { dateOf, displayNumber, isRowDead, liveLines, plainText } from './title-row.ts'

const rowsOf = (tables: readonly Table[], kind: TableKind): readonly Row[] =>
  tables.filter((table) => table.kind === kind).flatMap((table) => table.rows)

const readExclusivePart = (row: Row): ExclusivePartEntry => ({
  entry_id: entryId(row),
  display_number: displayNumber(row),
  receipt_date: dateOf(row),
  building_number: textIn(row, 2),
  building_detail: cellOf(row, 3).map(plainText).join('\n'),
  cause_and_other: textIn(row, 4),
  is_cancelled: isRowDead(row),
})

/** Square metres of the last current row that has an area. A dwelling on two floors has the sum. */
const exclusiveArea = (rows: readonly Row[]): number | null => {
  const areas = rows
    .filter((row) => !isRowDead(row))
    .map((row) => allAreas(liveLines(row, 3).map(plainText).join(' ')))
    .findLast((found) => found.length > 0)
  if (areas === undefined) return null
  return Math.round(areas.reduce((sum, area) => sum + area, 0) * 1e4) / 1e4
}

/** Reads the title of a document from its tables [documents 4.1]. */
export const readTitle = (tables: readonly Table[], type: PropertyType): RegistryTitle => {
  if (type === 'land') return readLandTitle(rowsOf(tables, 'land'))
  const { fields, buildingName } = readBuilding(rowsOf(tables, 'building'))
  if (type === 'building') return { property_type: 'building', ...fields }
  const parts = rowsOf(tables, 'exclusive_part')
  const rights = readLandRights(rowsOf(tables, 'land_right'))
  return {
    property_type: 'aggregate_building',
    ...fields,
    building_name: buildingName,
    exclusive_area: exclusiveArea(parts),
    land_right_ratio: rights.ratio,
    land_right_area: rights.landArea,
    exclusive_part_entries: parts.map(readExclusivePart),
    land_right_entries: readLandRightLands(rowsOf(tables, 'land_right_land')),
    land_right_ratio_entries: rights.entries,
  }
}
