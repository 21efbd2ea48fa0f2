/**
 * Takes due rows of all workspaces, so that no workspace delays the others: neither by many due rows, nor by rows that this
 * node cannot process and that stay due, such as those that only a newer svc can read.
 *
 * It guarantees: each turn takes rows of every workspace that has due rows, at most one page of each. A workspace with rows that
 * stayed due continues behind them in the next turn, and begins again after its last row.
 */
import { type DuePage, type DuePlace, endOf } from '#store/due-place.ts'

export interface DueTurns {
  /**
   * Makes one turn.
   * @param list lists a page of due rows, by time and id
   * @param process returns for each row of a page whether it is no longer due
   */
  take<Row extends DuePlace>(
    limit: number,
    list: (page: DuePage) => Promise<readonly Row[]>,
    process: (rows: readonly Row[]) => Promise<readonly boolean[]>,
  ): Promise<void>
}

/** Creates the turns of one list of due rows. They keep one place for each workspace with rows that stayed due. */
export const createDueTurns = (): DueTurns => {
  const places = new Map<string, DuePlace>()
  return {
    take: async (limit, list, process) => {
      const taken = new Map<string, DuePlace>()
      for (let isLast = false; !isLast; ) {
        const rows = await list({ limit, behind: [...new Map([...places, ...taken]).values()] })
        const areDone = await process(rows)
        for (const [index, { ws, at, id }] of rows.entries()) {
          taken.set(ws, endOf(ws))
          if (areDone[index] !== true) places.set(ws, { ws, at, id })
        }
        isLast = rows.length < limit
      }
      for (const ws of places.keys()) if (!taken.has(ws)) places.delete(ws)
    },
  }
}
