/** Gives the holders of an entry the names that later entries state for them (등기명의인표시변경). */
import { squeeze } from '../fields/normal-text.ts'
import type { EntryContent, PersonInfo } from '../schema/entry.ts'
import type { EntryDraft } from './entry-draft.ts'
import { type Linking, statusOf } from './linking.ts'
import { findNewName, type NewName } from './new-name.ts'

/** A debtor is not a holder (등기명의인). */
const isHolder = ({ role }: PersonInfo): boolean => role !== '채무자'

const renamed = (content: EntryContent, { before, after }: NewName): EntryContent => {
  const names = new Set(content.persons.filter(isHolder).map(({ name }) => squeeze(name)))
  // without the name before, the change is certain only of a single holder
  const isOld = (name: string): boolean =>
    before === null ? names.size === 1 && names.has(squeeze(name)) : squeeze(name) === before
  return {
    ...content,
    persons: content.persons.map((person) =>
      isHolder(person) && isOld(person.name) ? { ...person, name: after } : person,
    ),
    shares: content.shares.map((share) =>
      isOld(share.owner_name) ? { ...share, owner_name: after } : share,
    ),
  }
}

/** The content of an entry in force with the present names of its holders. */
export const withNewNames = (
  content: EntryContent,
  draft: EntryDraft,
  linking: Linking,
): EntryContent => {
  const ranks = new Set(statusOf(linking, draft).modifications.map(({ by_rank }) => by_rank))
  return linking.drafts[draft.section]
    .filter((by) => ranks.has(by.entry.rank_number) && !statusOf(linking, by).is_cancelled)
    .filter(({ entry }) => entry.purpose.right_type === '등기명의인표시변경')
    .map(({ entry }) => findNewName(entry.content.notes_raw ?? ''))
    .reduce((known, found) => (found === null ? known : renamed(known, found)), content)
}
