import { padded } from './calendar.ts'
import { receiptTruth } from './entry.ts'
import type { Entry } from './entry-shape.ts'
import type { Printed } from './select.ts'
import { isVisuallyCancelled } from './select.ts'
import type { ContentTruth, EntryTruth } from './truth.ts'

/** Where the layout put an entry. */
export type Placement = { readonly pages: readonly number[] }

const contentOf = (entry: Entry): ContentTruth => {
  const content = { ...entry.content }
  if (entry.cancelledBy !== null) {
    for (const field of entry.superseded) delete content[field]
  }
  // the long note below a rank may be read as text of its own: what else it becomes is not said
  return content
}

const statusOf = (entry: Entry, printed: Printed): EntryTruth['status'] => {
  const isOpen = (by: Entry): boolean => by.cancelledBy !== null
  const made = entry.modifications.filter(({ by }) => printed.isPrinted(by))
  const modifications = made
    .filter(({ by }) => !isOpen(by))
    .map(({ by, truth }) => ({ by_rank: by.rank, ...truth }))
  const open_modifications = [
    ...made.filter(({ by }) => isOpen(by)).map(({ by }) => by.rank),
    ...entry.openModifications.filter((by) => printed.isPrinted(by)).map((by) => by.rank),
  ]
  const links = { modifications, open_modifications }
  if (entry.hasOpenStatus) return links
  const none = { cancelled_by_rank: null, cancellation_date: null, cancellation_cause: null }
  if (entry.cancelledBy === null) return { is_cancelled: false, ...none, ...links }
  const by = entry.cancelledBy
  if (by === 'unprinted' || !printed.isPrinted(by)) {
    // nothing but the strike tells; where that is not clear, nothing does
    return isVisuallyCancelled(entry) === true ? { is_cancelled: true, ...none, ...links } : links
  }
  const { day, cause } = entry.cancellation
  return {
    is_cancelled: true,
    cancelled_by_rank: by.rank,
    cancellation_date: day === null ? null : padded(day),
    cancellation_cause: cause,
    ...links,
  }
}

const causeOf = (entry: Entry): Pick<EntryTruth, 'cause'> => {
  if (entry.hasOpenCause) return {}
  if (entry.cause === null) return { cause: { text: '', date: null } }
  const { day, text } = entry.cause
  return { cause: { text, date: day === null ? null : padded(day) } }
}

export const deriveEntry = (entry: Entry, printed: Printed, { pages }: Placement): EntryTruth => {
  const [first] = entry.purposes
  if (first === undefined) throw new Error(`rank ${entry.rank} has no purpose`)
  const isCompound = entry.purposes.length > 1
  const visual = isVisuallyCancelled(entry)
  return {
    rank_number: entry.rank,
    previous_rank: entry.previousRank,
    purpose: isCompound
      ? { ...first, raw: entry.purposes.map(({ raw }) => raw).join('\n') }
      : first,
    sub_purposes: isCompound
      ? entry.purposes.map((purpose) => ({
          ...purpose,
          normalized: purpose.raw.replaceAll(' ', ''),
        }))
      : [],
    receipt: receiptTruth(entry.receipt),
    ...causeOf(entry),
    content: contentOf(entry),
    status: statusOf(entry, printed),
    page_no: pages[0] ?? 1,
    is_continuation: pages.length > 1,
    ...(visual === undefined ? {} : { is_visual_cancelled: visual }),
  }
}
