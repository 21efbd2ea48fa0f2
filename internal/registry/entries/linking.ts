/** The state shared by the functions that link entries. */
import type { Finding } from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'
import type { EntryDraft } from './entry-draft.ts'
import type { Section } from './purpose-text.ts'

/** The facts about the entries so far. */
export type Linking = Readonly<{
  drafts: Readonly<Record<Section, readonly EntryDraft[]>>
  status: Map<EntryDraft, RegistryEntry['status']>
  /** The entries that are in force again, by which entry, and by which they were cancelled before, with which status. */
  restored: Map<
    EntryDraft,
    Readonly<{ by: EntryDraft; canceller: EntryDraft | null; before: RegistryEntry['status'] }>
  >
  /** The entries that were cancelled, and by which. */
  cancelledBy: Map<EntryDraft, EntryDraft>
  /** The later cancellations of entries that were cancelled already, which count if the one before is cancelled itself. */
  cancelledAgain: Map<EntryDraft, readonly EntryDraft[]>
  /** The entries of which a warning reports that a later change strikes nothing of them. */
  reportedUnstruck: Set<EntryDraft>
  warnings: Finding[]
}>

/** The status of an entry so far. */
export const statusOf = (linking: Linking, draft: EntryDraft): RegistryEntry['status'] => {
  const known = linking.status.get(draft)
  if (known !== undefined) return known
  const fresh = { ...draft.entry.status, modifications: [] }
  linking.status.set(draft, fresh)
  return fresh
}

/** Whether only fields of the row were replaced. Later entries may strike nearly all of it while the row itself stays in force. */
export const isOnlyReplaced = (linking: Linking, draft: EntryDraft): boolean => {
  const { modifications } = statusOf(linking, draft)
  return !draft.isHeadStruck && modifications.some((change) => change.type !== 'annotate')
}
