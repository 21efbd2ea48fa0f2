/** Which columns of a table have room. Pure. */

type Fitted = Readonly<{ width: string; isWideOnly?: boolean }>

/** Between two columns, in rem. */
const GAP = 0.75

/** The least width of a CSS grid track in rem: 8 for `8rem` and for `minmax(8rem, 1fr)`. */
const leastOf = (width: string): number => Number.parseFloat(width.replace('minmax(', ''))

const neededBy = (columns: readonly Fitted[]): number =>
  columns.reduce((sum, { width }) => sum + leastOf(width) + GAP, GAP)

/**
 * Leaves out the columns for wide windows, from the left, until the others fit.
 * @param room in rem
 */
export const fittingColumns = <Each extends Fitted>(
  columns: readonly Each[],
  room: number,
): readonly Each[] => {
  const at = columns.findIndex(({ isWideOnly = false }) => isWideOnly)
  if (at === -1 || neededBy(columns) <= room) return columns
  return fittingColumns(columns.toSpliced(at, 1), room)
}
