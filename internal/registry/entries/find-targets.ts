/** Finds the entries that a purpose names, or the change of an entry that it ends. */
import { inHangul } from '../fields/hanja.ts'
import type { ClassifiedPurpose } from './classify-purpose.ts'
import { type EndedRight, endedChange, endedRightOn } from './ends-partly.ts'
import type { EntryDraft } from './entry-draft.ts'
import { type Linking, statusOf } from './linking.ts'
import type { Section } from './purpose-text.ts'

/** The rank of the entry that an entry is a part of, or null. */
export const parentRank = (rank: string): string | null => {
  const end = rank.lastIndexOf('-')
  return end === -1 ? null : rank.slice(0, end)
}

/** The entry of a rank. If several have the rank, the last one before the entry that names it. */
export const findTarget = (
  linking: Linking,
  section: Section,
  rank: string,
  by: EntryDraft,
): EntryDraft | null => {
  const entries = linking.drafts[section]
  const end = section === by.section ? entries.indexOf(by) : entries.length
  const before = entries.slice(0, end).filter((draft) => draft.entry.rank_number === rank)
  return before.at(-1) ?? null
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
  return purpose.targets.flatMap(({ rank, section }) => {
    const target = findTarget(linking, section, rank, by)
    if (target === null) {
      warn(
        linking,
        'TARGET_NOT_FOUND',
        by,
        `Rank ${rank}, which "${purpose.purpose.raw}" names, is not in the document.`,
      )
    }
    return target ?? []
  })
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
  linking.drafts[target.section].findLast(
    (draft) =>
      draft.entry.rank_number.startsWith(`${target.entry.rank_number}-`) &&
      inHangul(draft.entry.purpose.normalized).endsWith(kind) &&
      !isLater(draft, by),
  )

/** The last entry in force before a cancellation that charges or restrains the target by the right that the cancellation names. */
const rightOn = (
  linking: Linking,
  ended: EndedRight,
  target: EntryDraft,
  by: EntryDraft,
): EntryDraft | undefined => {
  const { rank_number: rank } = target.entry
  return linking.drafts[target.section].findLast((draft) => {
    const { action_type: action, right_type: right, normalized } = draft.entry.purpose
    const isOnTarget =
      draft.entry.rank_number.startsWith(`${rank}-`) ||
      draft.purposes.some(({ targets }) =>
        targets.some((named) => named.rank === rank && named.section === target.section),
      )
    return (
      isOnTarget &&
      draft !== by &&
      right === ended.right &&
      (action === '설정' || action === '부기') &&
      inHangul(normalized).includes(ended.word) &&
      !isLater(draft, by) &&
      !statusOf(linking, draft).is_cancelled
    )
  })
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
