import type { Finding, RegistryEntry } from '../schema/document.ts'
import type { EntryDraft } from './entry-draft.ts'
import type { Section } from './purpose-text.ts'

/** What is known of the entries while they are being linked. */
export type Linking = {
  readonly drafts: Readonly<Record<Section, readonly EntryDraft[]>>
  readonly status: Map<EntryDraft, RegistryEntry['status']>
  readonly restored: Set<EntryDraft>
  readonly warnings: Finding[]
}

/** The status of an entry so far. */
export function statusOf(linking: Linking, draft: EntryDraft): RegistryEntry['status'] {
  const known = linking.status.get(draft)
  if (known !== undefined) return known
  const fresh = { ...draft.entry.status, modifications: [] }
  linking.status.set(draft, fresh)
  return fresh
}

/** Nearly all of a row may be struck because later entries replaced each of its fields; then the row itself lives. */
export function isOnlyReplaced(linking: Linking, draft: EntryDraft): boolean {
  const { modifications } = statusOf(linking, draft)
  return !draft.isHeadStruck && modifications.some((change) => change.type !== 'annotate')
}
