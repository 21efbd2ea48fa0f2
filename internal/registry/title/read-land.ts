/** Reads the title section of a land certificate. */
import type { LandEntry, RegistryTitle } from '../schema/title.ts'
import { entryId } from '../tables/entry-id.ts'
import { type Row, textIn } from '../tables/row.ts'
import { dateOf, displayNumber, isRowDead, orNull } from './title-row.ts'

const readLandEntry = (row: Row): LandEntry => ({
  entry_id: entryId(row),
  display_number: displayNumber(row),
  receipt_date: dateOf(row, 1),
  location: textIn(row, 2),
  land_type: orNull(textIn(row, 3).replace(/\s/g, '')),
  area: orNull(textIn(row, 4).replace(/\s/g, '')),
  cause_and_other: textIn(row, 5),
  is_cancelled: isRowDead(row),
})

/** Reads the title of a land certificate, from the last current row with a location. */
export const readLandTitle = (rows: readonly Row[]): RegistryTitle => {
  const entries = rows.map(readLandEntry)
  const alive = entries.filter((entry) => !entry.is_cancelled)
  const now = alive.findLast((entry) => entry.location !== '') ?? alive.at(-1)
  const lastWith = (key: 'land_type' | 'area') => alive.findLast((entry) => entry[key] !== null)
  return {
    property_type: 'land',
    address: now === undefined ? null : orNull(now.location),
    land_type: now?.land_type ?? lastWith('land_type')?.land_type ?? null,
    land_area: now?.area ?? lastWith('area')?.area ?? null,
    land_entries: entries,
  }
}
