/** Reads the building table of the title section. */
import type { BuildingEntry, FloorArea } from '../schema/title.ts'
import { entryId } from '../tables/entry-id.ts'
import { cellOf, type Row, rightBorder, textIn } from '../tables/row.ts'
import { type BuildingPlace, readBuildingPlace } from './read-address.ts'
import { readBuildingDetail, totalFloorArea } from './read-building-detail.ts'
import { dateOf, displayNumber, isRowDead, liveLines, plainText } from './title-row.ts'

const PLACE = 2
const DETAIL = 3
const CAUSE = 4

type BuildingFields = Readonly<{
  address: string | null
  road_address: string | null
  structure: string | null
  roof_type: string | null
  floors: number | null
  building_type: string | null
  areas: FloorArea[]
  total_floor_area: number | null
  building_entries: BuildingEntry[]
}>

const readBuildingEntry = (row: Row, isCancelled: boolean): BuildingEntry => ({
  entry_id: entryId(row),
  display_number: displayNumber(row),
  receipt_date: dateOf(row),
  location_or_number: textIn(row, PLACE),
  building_detail: cellOf(row, DETAIL).map(plainText).join('\n'),
  cause_and_other: textIn(row, CAUSE),
  is_cancelled: isCancelled,
})

const placeOf = (row: Row): BuildingPlace =>
  readBuildingPlace(liveLines(row, PLACE), rightBorder(row, PLACE))

/** The last value that is not null, because a later row may add only the road address. */
const latest = <T>(values: readonly (T | null)[]): T | null =>
  values.findLast((value) => value !== null) ?? null

/** Reads the current state of the building, and each row of its table. */
export const readBuilding = (
  rows: readonly Row[],
): Readonly<{
  fields: BuildingFields
  buildingName: string | null
}> => {
  const dead = new Map(rows.map((row) => [row, isRowDead(row)]))
  const alive = rows.filter((row) => dead.get(row) === false)
  const places = alive.map(placeOf)
  const details = alive.map((row) => readBuildingDetail(liveLines(row, DETAIL).map(plainText)))
  const areas = details.findLast((detail) => detail.areas.length > 0)?.areas ?? []
  const fields: BuildingFields = {
    address: latest(places.map((place) => place.address)),
    road_address: latest(places.map((place) => place.roadAddress)),
    structure: latest(details.map((detail) => detail.structure)),
    roof_type: latest(details.map((detail) => detail.roof)),
    floors: latest(details.map((detail) => detail.floors)),
    building_type: latest(details.map((detail) => detail.use)),
    areas: [...areas],
    total_floor_area: totalFloorArea(areas),
    building_entries: rows.map((row) => readBuildingEntry(row, dead.get(row) ?? false)),
  }
  return { fields, buildingName: latest(places.map((place) => place.buildingName)) }
}
