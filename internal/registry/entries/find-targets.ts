/** Finds the entries that a purpose names, or the change of an entry that it ends. */
import { inHangul } from '../fields/hanja.ts'
import type { ClassifiedPurpose } from './classify-purpose.ts'
import { type EndedRight, endedChange, endedRightOn } from './ends-partly.ts'
import type { EntryDraft } from './entry-draft.ts'
import { inOrder, lastBefore, parentRank } from './entry-index.ts'
import { type Linking, statusOf } from './linking.ts'
import type { Section } from './purpose-text.ts'

/** The entry of a rank. If several have the rank, the last one before the entry that names it. */
export const findTarget = (
  linking: Linking,
  section: Section,
  rank: string,
  by: EntryDraft,
): EntryDraft | null => {
  const { index } = linking
  const entries = index.ofRank(section, rank)
  if (section !== by.section) return entries.at(-1) ?? null
  return lastBefore(index, entries, index.placeOf(by))
}

/** Adds a warning about an entry. */
export const warn = (linking: Linking, code: string, draft: EntryDraft, message: string): void => {
  linking.warnings.push({ code, message, entry_id: draft.entry.entry_id })
}

/** The targets of a purpose: the ranks that it names, or the parent of its own rank. */
export const targetsOf = (
  linking: Linking,
  purpose: ClassifiedPurpose,
  by: EntryDraft,
): readonly EntryDraft[] => {
  const parent = parentRank(by.entry.rank_number)
  if (purpose.targets.length === 0) {
    const target = parent === null ? null : findTarget(linking, by.section, parent, by)
    if (target === null && purpose.purpose.action_type !== '부기') {
      const message = `"${purpose.purpose.raw}" names no rank that is in the document.`
      warn(linking, 'TARGET_NOT_FOUND', by, message)
    }
    return target === null ? [] : [target]
  }
  const missing: string[] = []
  const found = purpose.targets.flatMap(({ rank, section }) => {
    const target = findTarget(linking, section, rank, by)
    if (target === null) missing.push(rank)
    return target ?? []
  })
  if (missing.length > 0) warn(linking, 'TARGET_NOT_FOUND', by, notInDocument(missing, purpose))
  return found
}

/** A hostile purpose may name thousands of ranks. */
const MOST_NAMED = 20

const notInDocument = (missing: readonly string[], { purpose }: ClassifiedPurpose): string => {
  const named = missing.slice(0, MOST_NAMED).join(', ')
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : ''
  return missing.length === 1
    ? `Rank ${named}, which "${purpose.raw}" names, is not in the document.`
    : `Ranks ${named}${more}, which "${purpose.raw}" names, are not in the document.`
}

/** Whether an entry is later than another. Sub-entries are printed below their entry, before earlier ones of the register. */
const isLater = ({ entry: one }: EntryDraft, { entry: other }: EntryDraft): boolean =>
  other.receipt.date !== '' && one.receipt.date > other.receipt.date

/** The last change of an entry before the one that ends it. @param kind 변경, 경정 or 이전 */
const lastChange = (
  linking: Linking,
  target: EntryDraft,
  kind: string,
  by: EntryDraft,
): EntryDraft | undefined =>
  linking.index
    .below(target.section, target.entry.rank_number)
    .findLast(
      (draft) => inHangul(draft.entry.purpose.normalized).endsWith(kind) && !isLater(draft, by),
    )

/** The last entry in force before a cancellation that charges or restrains the target by the right that the cancellation names. */
const rightOn = (
  linking: Linking,
  ended: EndedRight,
  target: EntryDraft,
  by: EntryDraft,
): EntryDraft | undefined => {
  const { index } = linking
  const { section, entry } = target
  const isRight = (draft: EntryDraft): boolean => {
    const { action_type: action, right_type: right, normalized } = draft.entry.purpose
    return (
      draft !== by &&
      right === ended.right &&
      (action === '설정' || action === '부기') &&
      !statusOf(linking, draft).is_cancelled &&
      inHangul(normalized).includes(ended.word) &&
      !isLater(draft, by)
    )
  }
  const lists = [index.below(section, entry.rank_number), index.naming(section, entry.rank_number)]
  const found = lists.flatMap((list) => {
    const last = list.findLast((draft) => draft.section === section && isRight(draft))
    return last ?? []
  })
  return inOrder(index, found).at(-1)
}

/** Whether a target is of another right than the one that ends by its rank. A strike over it shows that it ended itself. */
const isOther = ({ entry: { purpose, provenance } }: EntryDraft, ended: EndedRight): boolean =>
  purpose.right_type !== ended.right && !provenance.is_visual_cancelled

/**
 * The entries that a cancellation ends: those that it names, or, by their ranks, their last change, as in
 * `1번근저당권변경등기말소`, or a right on them, as in `1번근저당권부질권등기말소`.
 */
export const endedBy = (
  linking: Linking,
  purpose: ClassifiedPurpose,
  by: EntryDraft,
): readonly EntryDraft[] =>
  targetsOf(linking, purpose, by).flatMap((target) => {
    const notFound = (what: string): readonly EntryDraft[] => {
      const message = `"${purpose.purpose.raw}" ends a ${what} that is not in the document.`
      warn(linking, 'TARGET_NOT_FOUND', by, message)
      return []
    }
    const kind = endedChange(purpose, target)
    if (kind !== null) {
      const change = lastChange(linking, target, kind, by)
      if (change !== undefined && !statusOf(linking, change).is_cancelled) return change
      return notFound('change')
    }
    const ended = endedRightOn(purpose, target)
    if (ended === null) return target
    const right = rightOn(linking, ended, target, by)
    return right ?? (isOther(target, ended) ? notFound('right') : target)
  })
