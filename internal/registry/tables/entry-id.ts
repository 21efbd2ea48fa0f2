/** Creates the ids of entries from their position in the document. */
import type { Row } from './row.ts'
import type { TableKind } from './table-kind.ts'

const PREFIXES: Readonly<Record<TableKind, string>> = {
  land: 'title_land',
  building: 'title_bldg',
  land_right_land: 'title_land_right',
  exclusive_part: 'title_exclusive',
  land_right: 'title_land_right_ratio',
  section_a: 'gap',
  section_b: 'eul',
  trade_list: 'trade',
  collateral_list: 'collateral',
  holders: 'holder',
}

/** An id such as `gap:p2:r12`: the table, the page, and the row among that table's rows on the page [documents 5.1]. */
export const entryId = (row: Row): string => {
  const [part] = row.parts
  return `${PREFIXES[row.kind]}:p${part?.page ?? 1}:r${part?.row ?? 1}`
}
