/** Looks for ratios of the land right that were not read, or of which not every one counts [documents 13.6]. */
import { readLandRatios } from '../fields/share.ts'
import { type Finding, finding } from '../schema/document.ts'
import type { Table } from '../tables/read-tables.ts'
import { type RatioRow, readRatioRows } from './read-land-right.ts'

const faultOf = ({ entry, said }: RatioRow, stating: readonly RatioRow[]): string | null => {
  const ratios = readLandRatios(said)
  const [first] = ratios
  if (first === undefined) return `The land right ratio ${said} could not be read.`
  if (ratios.length > 1) return `The row states ${ratios.length} ratios; the first one counts.`
  if (first.part > first.landArea)
    return `The land right ratio ${first.text} is more than the land.`
  const type = entry.land_right_type
  // rows of different lands each state a ratio of their own
  const isAgain = stating.length > 1 && (type === null || typesOf(stating).get(type) !== 1)
  return isAgain ? 'Several rows in force state a land right ratio; the first one counts.' : null
}

const typesOf = (rows: readonly RatioRow[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { entry } of rows) {
    const type = entry.land_right_type ?? ''
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return counts
}

/** Reports the rows whose ratio of the land right is doubtful. */
export const checkLandRights = (tables: readonly Table[]): readonly Finding[] => {
  const rows = tables.filter(({ kind }) => kind === 'land_right').flatMap((table) => table.rows)
  const stating = readRatioRows(rows).filter(({ said }) => said !== '')
  return stating.flatMap((row) => {
    const message = faultOf(row, stating)
    return message === null ? [] : [finding('LAND_RATIO_NOT_READ', message, row.entry.entry_id)]
  })
}
