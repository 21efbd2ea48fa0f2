/** The state shared by the functions that link entries. */
import type { Finding } from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'
import type { EntryDraft } from './entry-draft.ts'
import { type EntryIndex, indexEntries, inOrder } from './entry-index.ts'
import type { Section } from './purpose-text.ts'

/** By which entry an entry is in force again, and by which it was cancelled before, with which status. */
export type Restoration = Readonly<{
  by: EntryDraft
  canceller: EntryDraft | null
  before: RegistryEntry['status']
}>

type OrderedChanges = Readonly<{
  changes: readonly EntryDraft[]
  /** The place of the last one that states names, numbers or addresses of holders, or -1. */
  lastRenaming: number
  /** How many entries changed the entry when this was computed. */
  count: number
}>

/** The facts about the entries so far. */
export type Linking = Readonly<{
  index: EntryIndex
  status: Map<EntryDraft, RegistryEntry['status']>
  /** The entries that are in force again. */
  restored: Map<EntryDraft, Restoration>
  /** The entries that were cancelled, and by which. */
  cancelledBy: Map<EntryDraft, EntryDraft>
  /** The entries that an entry cancelled or restored, among them some that others cancelled or restored since. */
  endedBy: Map<EntryDraft, Set<EntryDraft>>
  restoredBy: Map<EntryDraft, Set<EntryDraft>>
  /** All cancellations of an entry, which also end its sub-entries, each with its number. */
  cancellations: Map<EntryDraft, Readonly<{ by: EntryDraft; count: number }>[]>
  /** The number of cancellations before an entry was put in force again. They count no more. */
  restoredAfter: Map<EntryDraft, number>
  /** The entries that are cancelled together with all their sub-entries. */
  whollyEnded: Set<EntryDraft>
  /** The entries of which a warning reports that they are cancelled twice, or that a later change strikes nothing of them. */
  reportedTwice: Set<EntryDraft>
  reportedUnstruck: Set<EntryDraft>
  /** The changes in which something is not struck through, by what it is. */
  openChanges: Map<string, EntryDraft[]>
  /** What of an entry is not struck through. */
  openParts: Map<EntryDraft, ReadonlySet<string>>
  warnings: Finding[]
  /** The number of cancellations so far. */
  count: { cancellations: number }
  /** The entries that changed an entry. Entries are only added. */
  changes: Map<EntryDraft, Set<EntryDraft>>
  /** The same in their order. */
  inOrder: Map<EntryDraft, OrderedChanges>
  /** The place of the last change in force that states a part of a right. */
  statements: Map<string, number>
}>

/** The state before the first entry is applied. */
export const startLinking = (
  drafts: Readonly<Record<Section, readonly EntryDraft[]>>,
): Linking => ({
  index: indexEntries(drafts),
  status: new Map(),
  restored: new Map(),
  cancelledBy: new Map(),
  endedBy: new Map(),
  restoredBy: new Map(),
  cancellations: new Map(),
  restoredAfter: new Map(),
  whollyEnded: new Set(),
  reportedTwice: new Set(),
  reportedUnstruck: new Set(),
  openChanges: new Map(),
  openParts: new Map(),
  warnings: [],
  count: { cancellations: 0 },
  changes: new Map(),
  inOrder: new Map(),
  statements: new Map(),
})

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

/** Whether an entry only states the names, numbers or addresses of holders. */
export const isRenaming = ({ entry }: EntryDraft): boolean =>
  entry.purpose.right_type === '등기명의인표시변경'

const NO_CHANGES: OrderedChanges = { changes: [], lastRenaming: -1, count: 0 }

/** The entries of the same section that changed an entry, in their order. They are sorted once, because they may be thousands. */
export const orderedChanges = (linking: Linking, draft: EntryDraft): OrderedChanges => {
  const all = linking.changes.get(draft)
  if (all === undefined) return NO_CHANGES
  const known = linking.inOrder.get(draft)
  if (known?.count === all.size) return known
  const ofSection = [...all].filter(({ section }) => section === draft.section)
  const changes = inOrder(linking.index, ofSection)
  const last = changes.findLast(isRenaming)
  const lastRenaming = last === undefined ? -1 : linking.index.placeOf(last)
  const ordered = { changes, lastRenaming, count: all.size }
  linking.inOrder.set(draft, ordered)
  return ordered
}

/** The entries of the same section that changed an entry, in their order. */
export const changesOf = (linking: Linking, draft: EntryDraft): readonly EntryDraft[] =>
  orderedChanges(linking, draft).changes
