/** Gives the holders of an entry the names that later entries state for them (등기명의인표시변경). */
import { squeeze } from '../fields/normal-text.ts'
import type { EntryContent, PersonInfo } from '../schema/entry.ts'
import type { EntryDraft } from './entry-draft.ts'
import { parentRank } from './find-targets.ts'
import { type Linking, statusOf } from './linking.ts'
import { findNewName } from './new-name.ts'

/** A debtor is not a holder (등기명의인). */
const isHolder = ({ role }: PersonInfo): boolean => role !== '채무자'

/** Far more than the name before and the name after. */
const LONGEST = 500

/** The new name that a text states for a name. Of several names it may state some, and their addresses between them. */
const newNameOf = (text: string, name: string): string | null => {
  const old = squeeze(name)
  const first = findNewName(text)
  if (first?.before === old) return first.after
  for (let at = text.indexOf(`${name}의`); at !== -1; at = text.indexOf(`${name}의`, at + 1)) {
    const isWhole = at === 0 || /\s/.test(text.charAt(at - 1))
    const found = isWhole ? findNewName(text.slice(at, at + LONGEST)) : null
    if (found?.before === old) return found.after
  }
  return null
}

const renamed = (content: EntryContent, text: string): EntryContent => {
  const names = [...new Set(content.persons.filter(isHolder).map(({ name }) => name))]
  const single = findNewName(text)
  const found = new Map(names.map((name) => [name, newNameOf(text, name)]))
  // without the name before, the change is certain only of a single holder
  if (single?.before === null && names.length === 1) found.set(names[0] ?? '', single.after)
  const after = (name: string): string => found.get(name) ?? name
  return {
    ...content,
    persons: content.persons.map((person) =>
      isHolder(person) ? { ...person, name: after(person.name) } : person,
    ),
    shares: content.shares.map((share) => ({ ...share, owner_name: after(share.owner_name) })),
  }
}

/** The entries that change one, or, behind the transfer of a right, the right that it transferred. */
const changesOf = (draft: EntryDraft, linking: Linking): readonly EntryDraft[] => {
  const entries = linking.drafts[draft.section]
  const { rank_number: rank, purpose } = draft.entry
  const isTransfer = purpose.action_type === '이전' || purpose.action_type === '일부이전'
  const right = entries.find(({ entry }) => entry.rank_number === parentRank(rank))
  const ranksOf = (changed: EntryDraft): ReadonlySet<string> =>
    new Set(statusOf(linking, changed).modifications.map(({ by_rank }) => by_rank))
  const own = ranksOf(draft)
  const ofRight = right === undefined || !isTransfer ? own : ranksOf(right)
  const from = entries.indexOf(draft)
  return entries.filter(
    ({ entry }, at) => own.has(entry.rank_number) || (at > from && ofRight.has(entry.rank_number)),
  )
}

/** The content of an entry in force with the present names of its holders. */
export const withNewNames = (
  content: EntryContent,
  draft: EntryDraft,
  linking: Linking,
): EntryContent =>
  changesOf(draft, linking)
    .filter((by) => by.entry.purpose.right_type === '등기명의인표시변경')
    .filter((by) => !statusOf(linking, by).is_cancelled)
    .reduce((known, { entry }) => renamed(known, entry.content.notes_raw ?? ''), content)
