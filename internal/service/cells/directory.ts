/**
 * Caches which cell has a workspace. The place of a workspace is read at most every 2 s (core/cells.ts), and again when a hint
 * reports that it has changed. An instance with one database has no directory.
 *
 * Guarantee: PLACE_FRESH_MS after a change, no request starts with the old place. Moves rely on this, so a place that cannot be
 * read again is not used any longer.
 */
import QuickLRU from 'quick-lru'
import { HOME_CELL, isPlaceFresh, PLACE_FRESH_MS, type WorkspacePlace } from '#core/cells.ts'
import { isWorkspaceId } from '#core/workspace-id.ts'
import type { Database } from '#store/database.ts'
import { findPlace } from '#store/workspaces/cells.ts'
import { cellAway, requireSettled } from './find-database.ts'

export interface CellDirectory {
  /** Returns the cell of a workspace. @throws {AppError} unavailable: it is being moved @throws {DatabaseError} of the home */
  cellOf(ws: string): Promise<string>
  /** Forgets a place that has changed. */
  forget(ws: string): void
}

const MOST_KNOWN = 100_000

type Known = Readonly<{ place: WorkspacePlace; readAt: number }>

/** @param now a monotonic clock in milliseconds */
export const createCellDirectory = (
  home: Pick<Database, 'one' | 'all' | 'now'>,
  now: () => number = () => performance.now(),
): CellDirectory => {
  const known = new QuickLRU<string, Known>({ maxSize: MOST_KNOWN })
  const reading = new Map<string, Promise<WorkspacePlace>>()

  const read = async (ws: string): Promise<WorkspacePlace> => {
    // a place is as old as the start of its read, not the end
    const readAt = now()
    const place = await findPlace(home, ws)
    // a read that took this long may show the place before a move
    if (now() - readAt >= PLACE_FRESH_MS) throw cellAway(HOME_CELL)
    known.set(ws, { place, readAt })
    return place
  }

  /** Concurrent requests share a read. */
  const readOnce = (ws: string): Promise<WorkspacePlace> => {
    const underWay = reading.get(ws)
    if (underWay !== undefined) return underWay
    const place = read(ws).finally(() => reading.delete(ws))
    reading.set(ws, place)
    return place
  }

  return {
    cellOf: async (ws) => {
      // any caller can send long texts, which must not be cached
      if (!isWorkspaceId(ws)) return HOME_CELL
      const entry = known.get(ws)
      const isFresh =
        entry !== undefined && isPlaceFresh(entry.place, { readAt: entry.readAt, now: now() })
      return requireSettled(ws, isFresh ? entry.place : await readOnce(ws))
    },
    forget: (ws) => void known.delete(ws),
  }
}
