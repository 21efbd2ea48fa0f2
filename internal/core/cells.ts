/**
 * Cells: databases of one instance, each with a share of the workspaces. The first one is the home, which also has what
 * must be found before the workspace is known: accounts, sessions, nodes and the directory of workspaces [access 23.1].
 */

/** The name of the first database as a cell. */
export const HOME_CELL = 'home'

const NAME = /^[a-z][a-z0-9-]{0,30}$/

/** Whether a text may name a further cell. */
export const isCellName = (text: string): boolean => NAME.test(text) && text !== HOME_CELL

/** The sentence for a text that is not such a name. */
export const CELL_NAME_RULE = `The name of a cell has 1 to 31 characters a-z, 0-9 and -, begins with a letter and is not ${HOME_CELL}.`

/**
 * Finds the cell that a command of one database must not touch: its settings give a cell the database of another one.
 * @param named the cell that the command names; home accepts any database, for copies that are examined apart from their instance
 * @param stored the name that the database has; null if it has none
 */
export const findOtherCell = (named: string, stored: string | null): string | null =>
  named === HOME_CELL || stored === named ? null : stored

/** The directory's entry of a workspace. */
export type WorkspacePlace = Readonly<{
  cell: string
  /** The cell to which it is being moved; null if it stays. */
  movingTo: string | null
}>

/** The place of workspaces that are at home and stay there, which have no row in the directory. */
export const AT_HOME: WorkspacePlace = { cell: HOME_CELL, movingTo: null }

/** Milliseconds for which a server uses a place that it has read. A move waits longer than that before it copies. */
export const PLACE_FRESH_MS = 2_000

/** The same for a workspace that is being moved, so that the pause ends soon. */
export const MOVING_FRESH_MS = 250

/** The most milliseconds that a server works on a request with such a place. A move waits for it too. */
export const PLACE_SETTLE_MS = 2_000

/** Whether a place that was read at `readAt` may still be used. */
export const isPlaceFresh = (
  { movingTo }: WorkspacePlace,
  { readAt, now }: Readonly<{ readAt: number; now: number }>,
): boolean => now - readAt < (movingTo === null ? PLACE_FRESH_MS : MOVING_FRESH_MS)

/** The key of a hint that concerns only one cell. Keys of the home have no suffix, as before there were cells. */
export const toCellKey = (cell: string, key: string): string =>
  cell === HOME_CELL ? key : `${key}@${cell}`

/** Splits the key of a hint into cell and key. Tags and ids contain no `@`. */
export const fromCellKey = (text: string): Readonly<{ cell: string; key: string }> => {
  const at = text.lastIndexOf('@')
  return at < 0
    ? { cell: HOME_CELL, key: text }
    : { cell: text.slice(at + 1), key: text.slice(0, at) }
}
