/** The state that is shared while entries are linked. */
import type { Finding } from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'
import type { EntryDraft } from './entry-draft.ts'
import type { Section } from './purpose-text.ts'

/** What is known of the entries while they are being linked. */
export type Linking = Readonly<{
  drafts: Readonly<Record<Section, readonly EntryDraft[]>>
  status: Map<EntryDraft, RegistryEntry['status']>
  restored: Set<EntryDraft>
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

/** Nearly all of a row may be struck because later entries replaced each of its fields; then the row itself lives. */
export const isOnlyReplaced = (linking: Linking, draft: EntryDraft): boolean => {
  const { modifications } = statusOf(linking, draft)
  return !draft.isHeadStruck && modifications.some((change) => change.type !== 'annotate')
}
