/** The history of a running job that is not recorded yet: the values that it drew, and the order in which it got results. */
import type { HistoryEntry } from '#core/durable/step.ts'
import type { Statement } from '#store/database.ts'
import { type HistoryRow, insertHistory } from '#store/jobs/steps.ts'
import type { JournalOf } from './read-journal.ts'

/** Hands all unwritten history to a write, which records it before its own statements. */
export type WithHistory = <Written>(
  write: (before: readonly Statement[]) => Promise<Written>,
) => Promise<Written>

export type UnwrittenHistory = Readonly<{
  add: (entries: readonly HistoryEntry[]) => void
  /** Encrypted, in order. */
  rows: () => readonly HistoryRow[]
  withHistory: WithHistory
}>

/**
 * Keeps history until a write has recorded it for certain. The script may catch the failure of a write and go on, and without
 * the history that came with it, later entries would take its place in the next attempt. Each row has its place in the history,
 * so that it may be written twice.
 * @param recorded the number of entries before the first
 */
export const keepHistory = ({ job, cipher }: JournalOf, recorded: number): UnwrittenHistory => {
  let count = recorded
  let unwritten: readonly HistoryRow[] = []
  return {
    add: (entries) => {
      if (entries.length === 0) return
      const sealed = cipher.seal(String(count), 'history', JSON.stringify(entries))
      unwritten = [...unwritten, { first: count, entries: sealed }]
      count += entries.length
    },
    rows: () => unwritten,
    withHistory: async (write) => {
      const rows = unwritten
      const written = await write(rows.map((row) => insertHistory(job, row)))
      unwritten = unwritten.filter((row) => !rows.includes(row))
      return written
    },
  }
}
