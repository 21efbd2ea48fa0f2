/** Lowers the confidence of entries of a scan with letters that OCR is not sure of [documents 14.4]. */
import { squeeze } from '../fields/normal-text.ts'
import type { RegistryEntry } from '../schema/entry.ts'
import type { Row } from '../tables/row.ts'
import { rightAt } from './scan-confidence.ts'

/** The share of the row's letters, 0 to 1, that OCR is not sure of. */
export const doubtedShare = (row: Row): number => {
  const pieces = row.lines.flatMap(({ cells }) => cells.flat())
  const lettersIn = (some: typeof pieces): number =>
    some.reduce((sum, { text }) => sum + squeeze(text).length, 0)
  const doubted = pieces.filter(({ isDoubtful }) => isDoubtful === true)
  return lettersIn(doubted) / Math.max(1, lettersIn(pieces))
}

/** @param doubts of each entry, by its id */
export const withOcrDoubts = (
  entries: readonly RegistryEntry[],
  doubts: ReadonlyMap<string, number>,
): RegistryEntry[] =>
  entries.map((entry) => {
    const right = rightAt(doubts.get(entry.entry_id) ?? 0)
    return { ...entry, confidence: Math.round(entry.confidence * right * 100) / 100 }
  })
