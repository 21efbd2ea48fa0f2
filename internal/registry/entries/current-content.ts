/** Computes the content of an entry that is in force after later entries changed it. */
import type { EntryContent, RegistryEntry } from '../schema/entry.ts'
import type { EntryDraft } from './entry-draft.ts'
import { changesOf, isOnlyReplaced, type Linking, statusOf } from './linking.ts'
import { isRenamed } from './renamed.ts'
import { findReplaced, isRestated } from './restated.ts'

/** A restored entry stays struck through as a whole, so only the later changes show which parts were replaced before. */
const withoutRestated = (linking: Linking, draft: EntryDraft): RegistryEntry['content'] => {
  const { content } = draft.entry
  const isReplaced = findReplaced(linking, draft)
  return {
    ...content,
    persons: content.persons.filter(({ role }) => !isReplaced(role)),
    amounts: content.amounts.filter(({ type }) => !isReplaced(type)),
  }
}

/** Whether every holder and sum of the entry is struck through, even if its rank is not. */
const saysNothing = ({ liveContent, entry: { content } }: EntryDraft): boolean =>
  content.persons.length + content.amounts.length > 0 &&
  liveContent.persons.length + liveContent.amounts.length === 0

/** The changes of an entry that were cancelled, and that had replaced what is struck through. */
export const undoneChanges = (draft: EntryDraft, linking: Linking): readonly EntryDraft[] => {
  const [undone, others] = splitChanges(draft, linking)
  const isBack = comesBack(draft, others)
  return undone.filter((by) => restoredBy(draft, statedBy([by]), isBack) !== draft.liveContent)
}

/** The changes of an entry: those that were cancelled, and those in force. */
const splitChanges = (
  draft: EntryDraft,
  linking: Linking,
): readonly [undone: readonly EntryDraft[], others: readonly EntryDraft[]] => {
  const changes = changesOf(linking, draft)
  const isUndone = (by: EntryDraft): boolean => statusOf(linking, by).is_cancelled
  return [changes.filter(isUndone), changes.filter((by) => !isUndone(by))]
}

/** The roles and kinds of amounts that changes state. */
const statedBy = (changes: readonly EntryDraft[]): ReadonlySet<string> =>
  new Set(
    changes.flatMap(({ entry: { content } }) => [
      ...content.persons.map((person) => person.role),
      ...content.amounts.map((amount) => amount.type),
    ]),
  )

const isPartial = ({ entry }: EntryDraft): boolean => entry.purpose.action_type === '일부이전'

/**
 * Whether a role or kind of amount comes back if the change is cancelled that replaced it: nothing else states it.
 * @param others the changes in force; what they state again stays replaced
 */
const comesBack = (
  { liveContent: live, entry }: EntryDraft,
  others: readonly EntryDraft[],
): ((part: string) => boolean) => {
  const replaced = statedBy(
    others.filter(
      (by) => by.entry.purpose.right_type === entry.purpose.right_type && !isPartial(by),
    ),
  )
  const alive = new Set<string>([
    ...live.persons.map(({ role }) => role),
    ...live.amounts.map(({ type }) => type),
  ])
  return (part) => !replaced.has(part) && !alive.has(part)
}

/** The content with the struck persons and amounts that cancelled changes had replaced. @param said what they state */
const restoredBy = (
  { liveContent: live, entry }: EntryDraft,
  said: ReadonlySet<string>,
  isBack: (part: string) => boolean,
): EntryContent => {
  const persons = entry.content.persons.filter(({ role }) => said.has(role) && isBack(role))
  const amounts = entry.content.amounts.filter(({ type }) => said.has(type) && isBack(type))
  if (persons.length + amounts.length === 0) return live
  return {
    ...live,
    persons: [...live.persons, ...persons],
    amounts: [...live.amounts, ...amounts],
  }
}

/** The content of an entry that no other changed. A struck amount next to one of its kind was replaced in its place. */
const unchanged = ({ entry: { content }, liveContent: live }: EntryDraft): EntryContent => {
  if (content.amounts.length === live.amounts.length) return content
  const types = new Set(live.amounts.map(({ type }) => type))
  const others = content.amounts.filter(({ type }) => !types.has(type))
  return { ...content, amounts: [...live.amounts, ...others] }
}

const STRUCK_PARTS = [
  'persons',
  'amounts',
  'collateral',
  'term',
  'lease',
  'trade_list_number',
] as const

/** Whether the content of an entry in force has a part that is struck through. */
export const hasStruckPart = (content: EntryContent, { liveContent: live }: EntryDraft): boolean =>
  content !== live &&
  STRUCK_PARTS.some((part) => JSON.stringify(content[part]) !== JSON.stringify(live[part]))

/** Whether a holder is left out although a part of it, such as its address, is not struck through and went to the notes. */
export const hasRemains = (content: EntryContent, { entry }: EntryDraft): boolean => {
  const before = new Set(entry.content.notes_raw?.split('\n'))
  const isLess = content.persons.length < entry.content.persons.length
  return isLess && content.notes_raw?.split('\n').some((note) => !before.has(note)) === true
}

/** The content in force. Parts that later entries replaced are left out of an entry in force, and kept in one that is not. */
export const currentContent = (draft: EntryDraft, linking: Linking): RegistryEntry['content'] => {
  const status = statusOf(linking, draft)
  const isStruck = draft.entry.provenance.is_visual_cancelled
  const isWhollyStruck = isStruck || saysNothing(draft)
  if (linking.restored.has(draft) && isWhollyStruck) return withoutRestated(linking, draft)
  const isAlive = !status.is_cancelled && (!isStruck || isOnlyReplaced(linking, draft))
  const isReplaced =
    isAlive &&
    (status.modifications.length > 0 || isRestated(draft, linking) || isRenamed(draft, linking))
  const { cancels_cause } = draft.entry.content
  if (isAlive && !isReplaced) return unchanged(draft)
  if (!isReplaced) return draft.entry.content
  const [undone, others] = splitChanges(draft, linking)
  return { ...restoredBy(draft, statedBy(undone), comesBack(draft, others)), cancels_cause }
}
