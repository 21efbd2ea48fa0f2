/** Looks for ratios of the land right that were not read, or of which not every one counts [documents 13.6]. */
import { readLandRatios } from '../fields/share.ts'
import { type Finding, finding } from '../schema/document.ts'
import type { Table } from '../tables/read-tables.ts'
import { readRatioRows } from './read-land-right.ts'

const faultOf = (said: string, isAgain: boolean): string | null => {
  const ratios = readLandRatios(said)
  const [first] = ratios
  if (first === undefined) return `The land right ratio ${said} could not be read.`
  if (ratios.length > 1) return `The row states ${ratios.length} ratios; the first one counts.`
  if (first.part > first.landArea)
    return `The land right ratio ${first.text} is more than the land.`
  return isAgain ? 'Several rows in force state a land right ratio; the first one counts.' : null
}

/** Reports the rows whose ratio of the land right is doubtful. */
export const checkLandRights = (tables: readonly Table[]): readonly Finding[] => {
  const rows = tables.filter(({ kind }) => kind === 'land_right').flatMap((table) => table.rows)
  const stating = readRatioRows(rows).filter(({ said }) => said !== '')
  const byType = Map.groupBy(stating, ({ entry }) => entry.land_right_type)
  return stating.flatMap(({ entry, said }) => {
    const type = entry.land_right_type
    // rows of different lands each state a ratio of their own
    const others = type === null ? stating : byType.get(type)
    const message = faultOf(said, (others?.length ?? 0) > 1)
    return message === null ? [] : [finding('LAND_RATIO_NOT_READ', message, entry.entry_id)]
  })
}
