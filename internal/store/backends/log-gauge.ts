/**
 * Estimates how many pages the write-ahead log holds, because the binding does not tell. It learns from each move of the log
 * how many pages a changed row takes.
 */

/** SQLite moves the log at this size by default. */
const FULL_PAGES = 1_000
const PAGE_BYTES = 4_096
/** A changed row changes a page of its table and some of its indexes; rows of one commit share pages. */
const [LEAST_PAGES, MOST_PAGES] = [0.25, 16]

export type LogGauge = Readonly<{
  /** Records a commit: its changed rows, and the size of the values in it. */
  note: (rows: number, valueBytes: number) => void
  isFull: () => boolean
  /** Records that the log has been moved. @param pages that it held */
  noteMoved: (pages: number) => void
}>

export const createLogGauge = (): LogGauge => {
  let pagesPerRow = 4
  let rows = 0
  let valuePages = 0
  return {
    note: (changed, valueBytes) => {
      rows += changed
      valuePages += valueBytes / PAGE_BYTES
    },
    isFull: () => rows * pagesPerRow + valuePages >= FULL_PAGES,
    noteMoved: (pages) => {
      if (rows > 0) {
        const measured = (pages - valuePages) / rows
        pagesPerRow = Math.min(Math.max(measured, LEAST_PAGES), MOST_PAGES)
      }
      rows = 0
      valuePages = 0
    },
  }
}
