/**
 * Decides when to checkpoint the write-ahead log. It estimates how many pages the log holds, because the binding does not tell,
 * and learns from each checkpoint how many pages a changed row takes. A checkpoint blocks the event loop, so after a long one
 * the next one comes after fewer pages.
 */

/** Pages of the log at which a checkpoint is due. SQLite's default is 1,000. */
const [FEWEST_DUE, MOST_DUE] = [125, 1_000]
/** Milliseconds of a checkpoint from which fewer pages are due for the next one, and up to which more are. */
const [LONG_MS, SHORT_MS] = [20, 8]
const PAGE_BYTES = 4_096
/** A changed row changes a page of its table and some of its indexes; rows of one commit share pages. */
const [LEAST_PAGES, MOST_PAGES] = [0.25, 16]

export type LogGauge = Readonly<{
  /** Records a commit: its changed rows, and the size of the values in it. */
  note: (rows: number, valueBytes: number) => void
  /** Records that up to so many pages were returned to the disk, for each of which another one may have moved. */
  noteReclaimed: (pages: number) => void
  /** Returns whether a checkpoint is due. */
  isDue: () => boolean
  /** Records a checkpoint. @param pages that the log held @param ms that it took */
  noteCheckpoint: (pages: number, ms: number) => void
}>

const nextDue = (duePages: number, ms: number): number => {
  if (ms > LONG_MS) return Math.max(duePages / 2, FEWEST_DUE)
  return ms < SHORT_MS ? Math.min(duePages * 2, MOST_DUE) : duePages
}

export const createLogGauge = (): LogGauge => {
  let duePages = MOST_DUE
  let pagesPerRow = 4
  let rows = 0
  let valuePages = 0
  let movedPages = 0
  return {
    note: (changed, valueBytes) => {
      rows += changed
      valuePages += valueBytes / PAGE_BYTES
    },
    noteReclaimed: (pages) => {
      movedPages += pages
    },
    isDue: () => rows * pagesPerRow + valuePages + movedPages >= duePages,
    noteCheckpoint: (pages, ms) => {
      // the pages that have moved are not counted, only how many may have
      if (rows > 0 && movedPages === 0) {
        const measured = (pages - valuePages) / rows
        pagesPerRow = Math.min(Math.max(measured, LEAST_PAGES), MOST_PAGES)
      }
      duePages = nextDue(duePages, ms)
      rows = 0
      valuePages = 0
      movedPages = 0
    },
  }
}
