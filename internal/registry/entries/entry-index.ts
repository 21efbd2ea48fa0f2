/** Finds entries by their ranks without a search through all of them: a hostile file may have thousands below one rank. */
import type { EntryDraft } from './entry-draft.ts'
import type { Section } from './purpose-text.ts'

export type EntryIndex = Readonly<{
  /** The place of an entry in its section, from 0. */
  placeOf: (draft: EntryDraft) => number
  /** The entries of a rank, in their order. */
  ofRank: (section: Section, rank: string) => readonly EntryDraft[]
  /** The sub-entries of a rank, theirs included, in their order. */
  below: (section: Section, rank: string) => readonly EntryDraft[]
  /** The entries whose purposes name a rank, in their order. An entry may be in the list twice. */
  naming: (section: Section, rank: string) => readonly EntryDraft[]
}>

/** The rank of the entry that an entry is a part of, or null. */
export const parentRank = (rank: string): string | null => {
  const end = rank.lastIndexOf('-')
  return end === -1 ? null : rank.slice(0, end)
}

/** The ranks above a rank, the nearest first: `1-1` and `1` of `1-1-2`. */
export const ranksAbove = (rank: string): readonly string[] => {
  const above: string[] = []
  for (let at = parentRank(rank); at !== null; at = parentRank(at)) above.push(at)
  return above
}

const NONE: readonly EntryDraft[] = []

/** Lists of entries by section and rank. */
const makeLists = () => {
  const lists = new Map<string, EntryDraft[]>()
  return {
    add: (section: Section, rank: string, draft: EntryDraft): void => {
      const key = `${section} ${rank}`
      const list = lists.get(key)
      if (list === undefined) lists.set(key, [draft])
      else list.push(draft)
    },
    get: (section: Section, rank: string): readonly EntryDraft[] =>
      lists.get(`${section} ${rank}`) ?? NONE,
  }
}

/** Indexes the entries of both sections. */
export const indexEntries = (
  drafts: Readonly<Record<Section, readonly EntryDraft[]>>,
): EntryIndex => {
  const places = new Map<EntryDraft, number>()
  const [ofRank, below, naming] = [makeLists(), makeLists(), makeLists()]
  for (const list of [drafts.section_a, drafts.section_b]) {
    for (const [place, draft] of list.entries()) {
      const { rank_number: rank } = draft.entry
      places.set(draft, place)
      ofRank.add(draft.section, rank, draft)
      for (const above of ranksAbove(rank)) below.add(draft.section, above, draft)
      for (const { targets } of draft.purposes) {
        for (const target of targets) naming.add(target.section, target.rank, draft)
      }
    }
  }
  return {
    placeOf: (draft) => places.get(draft) ?? -1,
    ofRank: ofRank.get,
    below: below.get,
    naming: naming.get,
  }
}

/** The last entry of a list in order that comes before a place, or null. */
export const lastBefore = (
  { placeOf }: EntryIndex,
  entries: readonly EntryDraft[],
  place: number,
): EntryDraft | null => {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const draft = entries[middle]
    if (draft !== undefined && placeOf(draft) < place) low = middle + 1
    else high = middle
  }
  return entries[low - 1] ?? null
}

/** Entries of one section without repetition, in their order. */
export const inOrder = (
  { placeOf }: EntryIndex,
  entries: Iterable<EntryDraft>,
): readonly EntryDraft[] =>
  [...new Set(entries)].sort((one, other) => placeOf(one) - placeOf(other))
