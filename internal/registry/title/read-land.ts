/** Reads the title section of a land certificate. */
import { orNull, squeeze } from '../fields/normal-text.ts'
import type { LandEntry, RegistryTitle } from '../schema/title.ts'
import { joinLines } from '../tables/cell-text.ts'
import { entryId } from '../tables/entry-id.ts'
import { type Row, rightBorder, textIn } from '../tables/row.ts'
import { dateOf, displayNumber, entryText, isRowDead, liveLines } from './title-row.ts'

const LOCATION = 2
const LAND_TYPE = 3
const AREA = 4

const readLandEntry = (row: Row): LandEntry => {
  const isCancelled = isRowDead(row)
  const text = (column: number) => entryText(row, column, isCancelled)
  return {
    entry_id: entryId(row),
    display_number: displayNumber(row),
    receipt_date: dateOf(row),
    location: text(LOCATION),
    land_type: orNull(squeeze(text(LAND_TYPE))),
    area: orNull(squeeze(text(AREA))),
    cause_and_other: textIn(row, 5),
    is_cancelled: isCancelled,
  }
}

/** Reads the title of a land certificate. A later row may state only the fields that it changes. */
export const readLandTitle = (rows: readonly Row[]): RegistryTitle => {
  const alive = rows.filter((row) => !isRowDead(row))
  const latest = (column: number): string | null => {
    const texts = alive.map((row) => joinLines(liveLines(row, column), rightBorder(row, column)))
    return texts.findLast((text) => text.trim() !== '')?.trim() ?? null
  }
  return {
    property_type: 'land',
    address: latest(LOCATION),
    land_type: orNull(squeeze(latest(LAND_TYPE) ?? '')),
    land_area: orNull(squeeze(latest(AREA) ?? '')),
    land_entries: rows.map(readLandEntry),
  }
}
