/** What the entries of a rank state, found without a search through all entries: a hostile file may have thousands of one rank. */
import { ranksAbove } from '../entries/entry-index.ts'
import { squeeze } from '../fields/normal-text.ts'
import type { RegistryEntry } from '../schema/entry.ts'

/** Characters of the entries of a rank in which names are searched. Long histories of a right have a tenth of them. */
const MOST_SEARCHED = 50_000

/**
 * Returns a function that decides whether an entry of a rank, or a sub-entry of it, has a name; null if it has no entry. It does not
 * search longer texts, and returns true for them.
 */
export const indexTexts = (
  entries: readonly RegistryEntry[],
): ((rank: string, name: string) => boolean | null) => {
  const texts = new Map<string, string>()
  for (const { rank_number: own, raw_text: text } of entries) {
    for (const rank of [own, ...ranksAbove(own)]) {
      const before = texts.get(rank) ?? ''
      if (before.length <= MOST_SEARCHED) texts.set(rank, `${before}\n${squeeze(text)}`)
    }
  }
  return (rank, name) => {
    const text = texts.get(rank)
    if (text === undefined) return null
    return text.length > MOST_SEARCHED || text.includes(squeeze(name))
  }
}

type Stated = { areAllCancelled: boolean; isChanged: boolean; amounts: Set<number> }

/** Returns a function that finds what the entries of a rank with a receipt number state. An empty number means all of the rank. */
export const indexRights = (
  entries: readonly RegistryEntry[],
): ((rank: string, receipt: string) => Readonly<Stated> | null) => {
  const found = new Map<string, Stated>()
  const keyOf = (rank: string, receipt: string): string => `${rank} ${receipt}`
  for (const { rank_number: rank, receipt, status, content } of entries) {
    for (const number of new Set(['', receipt.number])) {
      const key = keyOf(rank, number ?? '')
      const stated = found.get(key) ?? {
        areAllCancelled: true,
        isChanged: false,
        amounts: new Set(),
      }
      stated.areAllCancelled &&= status.is_cancelled
      stated.isChanged ||= status.modifications.length > 0
      // later sub-entries may have changed the amount, so there may be several
      for (const { value } of content.amounts) stated.amounts.add(value)
      found.set(key, stated)
    }
  }
  return (rank, receipt) => found.get(keyOf(rank, receipt)) ?? null
}
