/**
 * Pages of due rows of all workspaces. A row that this node cannot process stays due, so a page does not always begin with the
 * oldest row: each workspace may continue at a place of its own (service/due-turns.ts).
 */
import type { Statement } from './database.ts'
import { allOf, listed, raw, sql, TRUE } from './sql.ts'

/** The place of a row among the due rows of its workspace, which are ordered by time and id. */
export type DuePlace = Readonly<{ ws: string; at: number; id: string }>

export type DuePage = Readonly<{
  limit: number
  /** One place per workspace: its rows up to there are left out. */
  behind: readonly DuePlace[]
}>

/** A place behind all rows of the workspace. */
export const endOf = (ws: string): DuePlace => ({ ws, at: Number.MAX_SAFE_INTEGER, id: '' })

const isEnd = ({ at }: DuePlace): boolean => at === Number.MAX_SAFE_INTEGER

/** A condition: the row belongs to the page. @param at the column by which rows are due */
export const isOnPage = ({ behind }: DuePage, at: string): Statement => {
  const { ended = [], open = [] } = Object.groupBy(behind, (place) =>
    isEnd(place) ? 'ended' : 'open',
  )
  return allOf(isNotOf(ended), isBehindPlaces(open, at))
}

/** For each row that is left out, it costs a quarter of the comparison with a place. */
const isNotOf = (ended: readonly DuePlace[]): Statement =>
  ended.length === 0 ? TRUE : sql`ws NOT IN ${listed(ended.map(({ ws }) => ws))}`

const isBehindPlaces = (open: readonly DuePlace[], at: string): Statement => {
  if (open.length === 0) return TRUE
  const places = JSON.stringify(Object.fromEntries(open.map(({ ws, at, id }) => [ws, [at, id]])))
  // SQLite keeps a parsed text for further rows here, but not as an argument of json_each
  const part = (index: number): Statement =>
    sql`${places} ->> ('$."' || ws || '"[' || ${index} || ']')`
  return sql`(ws NOT IN (SELECT key FROM json_each(${places})) OR (${raw(at)}, id) > (${part(0)}, ${part(1)}))`
}
