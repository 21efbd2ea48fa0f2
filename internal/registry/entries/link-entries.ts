/** Links the entries of both sections: cancellations, changes, corrections and restorations [documents 9]. */
import { findDate } from '../fields/date.ts'
import { inHangul } from '../fields/hanja.ts'
import type { Finding } from '../schema/document.ts'
import type { Modification, RegistryEntry, RightType } from '../schema/entry.ts'
import { guessChangedFields } from './changed-fields.ts'
import type { ClassifiedPurpose } from './classify-purpose.ts'
import { currentContent, hasRemains, hasStruckPart, undoneChanges } from './current-content.ts'
import { endsPartly } from './ends-partly.ts'
import type { EntryDraft } from './entry-draft.ts'
import { parentRank, ranksAbove } from './entry-index.ts'
import { endedBy, findTarget, targetsOf, warn } from './find-targets.ts'
import {
  isOnlyReplaced,
  type Linking,
  type Restoration,
  startLinking,
  statusOf,
} from './linking.ts'
import { COST_OF_UNKNOWN } from './read-entry.ts'
import { lacksPart, withStatedHolders } from './renamed.ts'
import { addOpenChange, addStatements, findUnstruck } from './restated.ts'

type LinkedEntries = Readonly<{
  sectionA: readonly RegistryEntry[]
  sectionB: readonly RegistryEntry[]
  warnings: readonly Finding[]
}>

const RIGHTS_WITH_FIELDS = new Set(['소유권이전', '소유권보존'])

/** An ex-officio cancellation has no receipt. Its date and cause are in the rights column. */
const cancellationOf = (by: EntryDraft): { date: string | null; cause: string | null } => {
  const { receipt, cause, content } = by.entry
  const date = receipt.date || content.annotation_date || findDate(by.rightsText)?.date || null
  return { date, cause: cause.text || content.notes_raw }
}

/** Adds an entry to those that another one ended, restored, or was changed by. */
const note = (known: Map<EntryDraft, Set<EntryDraft>>, by: EntryDraft, draft: EntryDraft): void => {
  const drafts = known.get(by) ?? new Set()
  known.set(by, drafts.add(draft))
}

const addModification = (
  linking: Linking,
  target: EntryDraft,
  by: EntryDraft,
  modification: Omit<Modification, 'by_rank'>,
): void => {
  note(linking.changes, target, by)
  const { modifications } = statusOf(linking, target)
  modifications.push({ by_rank: by.entry.rank_number, ...modification })
}

/** Puts an entry in force again. */
const putInForce = (linking: Linking, draft: EntryDraft, by: EntryDraft): void => {
  const before = statusOf(linking, draft)
  linking.restoredAfter.set(draft, linking.count.cancellations)
  linking.whollyEnded.clear()
  linking.status.set(draft, { ...draft.entry.status, modifications: before.modifications })
  const canceller = linking.cancelledBy.get(draft) ?? null
  linking.restored.set(draft, { by, canceller, before })
  note(linking.restoredBy, by, draft)
}

const end = (linking: Linking, draft: EntryDraft, by: EntryDraft): void => {
  const { date, cause } = cancellationOf(by)
  linking.cancelledBy.set(draft, by)
  note(linking.endedBy, by, draft)
  linking.status.set(draft, {
    ...statusOf(linking, draft),
    is_cancelled: true,
    cancelled_by_rank: by.entry.rank_number,
    cancellation_date: date,
    cancellation_cause: cause,
  })
}

/** An entry and its sub-entries. */
const familyOf = (linking: Linking, draft: EntryDraft): readonly EntryDraft[] => [
  draft,
  ...linking.index.below(draft.section, draft.entry.rank_number),
]

const cancel = (linking: Linking, target: EntryDraft, by: EntryDraft): void => {
  const ending = linking.cancelledBy.get(target)
  const isTwice = ending !== undefined && ending !== by && statusOf(linking, target).is_cancelled
  // one warning is enough, however many cancellations follow
  if (isTwice && !linking.reportedTwice.has(target)) {
    linking.reportedTwice.add(target)
    const rank = `rank ${by.entry.rank_number}, after rank ${ending.entry.rank_number}`
    warn(linking, 'CANCELLED_TWICE', target, `It is also cancelled by ${rank}.`)
  }
  linking.count.cancellations += 1
  const all = linking.cancellations.get(target) ?? []
  all.push({ by, count: linking.count.cancellations })
  linking.cancellations.set(target, all)
  if (!linking.whollyEnded.has(target)) {
    const family = familyOf(linking, target)
    for (const draft of family) {
      if (draft !== by && !statusOf(linking, draft).is_cancelled) end(linking, draft, by)
    }
    if (!family.includes(by)) linking.whollyEnded.add(target)
  }
  revive(linking, target, by)
  endRestorations(linking, target, by)
}

/** The first cancellation in force of an entry, or of one that it is a part of, since it was in force the last time. */
const findCanceller = (linking: Linking, draft: EntryDraft): EntryDraft | undefined => {
  const { index, cancellations, restoredAfter } = linking
  const above = ranksAbove(draft.entry.rank_number)
  const found = [draft, ...above.flatMap((rank) => index.ofRank(draft.section, rank))]
    .flatMap((target) => cancellations.get(target) ?? [])
    .filter(({ by, count }) => by !== draft && count > (restoredAfter.get(draft) ?? 0))
    .sort((one, other) => one.count - other.count)
  return found.find(({ by }) => !statusOf(linking, by).is_cancelled)?.by
}

/** Cancels again what an entry had put in force that is itself cancelled, as by `3번근저당권회복등기말소`. */
const endRestorations = (linking: Linking, first: EntryDraft, ending: EntryDraft): void => {
  // a list instead of recursion, because a hostile file may have a chain of thousands
  const open = [first]
  for (const ended of open) {
    for (const draft of linking.restoredBy.get(ended) ?? []) {
      const restoration = linking.restored.get(draft)
      if (restoration?.by !== ended) continue
      cancelAgain(linking, draft, restoration)
      const message = `The restoration by rank ${ended.entry.rank_number} was cancelled; this is cancelled again.`
      warn(linking, 'CHANGE_CANCELLED', draft, message)
      revive(linking, draft, ending)
      open.push(draft)
    }
  }
}

const cancelAgain = (linking: Linking, draft: EntryDraft, restoration: Restoration): void => {
  const { canceller, before } = restoration
  linking.restored.delete(draft)
  if (canceller !== null) {
    linking.cancelledBy.set(draft, canceller)
    note(linking.endedBy, canceller, draft)
  }
  linking.status.set(draft, { ...before, modifications: statusOf(linking, draft).modifications })
}

/** Ends what a cancellation did that is itself cancelled, as by `2번근저당권말소등기의 말소`. */
const revive = (linking: Linking, ended: EntryDraft, by: EntryDraft): void => {
  for (const draft of linking.endedBy.get(ended) ?? []) {
    if (linking.cancelledBy.get(draft) !== ended) continue
    const other = findCanceller(linking, draft)
    if (other !== undefined) {
      end(linking, draft, other)
      continue
    }
    putInForce(linking, draft, by)
    linking.cancelledBy.delete(draft)
    addModification(linking, draft, by, {
      type: 'change',
      changed_fields_guess: [],
      raw: by.entry.purpose.raw,
    })
    const message = `The cancellation by rank ${ended.entry.rank_number} was cancelled; this counts again.`
    warn(linking, 'CHANGE_CANCELLED', draft, message)
  }
}

const modify = (
  linking: Linking,
  target: EntryDraft,
  by: EntryDraft,
  change: Pick<Modification, 'type' | 'raw'>,
): void => {
  for (const { draft, what } of change.type === 'annotate'
    ? []
    : findUnstruck(linking, target, by)) {
    const message = `Rank ${by.entry.rank_number} changes ${what} that is not struck through.`
    warn(linking, 'CHANGED_WITHOUT_STRIKE', draft, message)
  }
  const changed_fields_guess = change.type === 'annotate' ? [] : guessChangedFields(by)
  addModification(linking, target, by, { type: change.type, changed_fields_guess, raw: change.raw })
}

/** Restores an entry, together with the parts that were cancelled with it. */
const restore = (linking: Linking, target: EntryDraft, restoring: EntryDraft): void => {
  const by = statusOf(linking, target).cancelled_by_rank
  for (const draft of familyOf(linking, target)) {
    const isPart = statusOf(linking, draft).cancelled_by_rank === by
    if (draft === target || isPart) putInForce(linking, draft, restoring)
  }
}

/** How a purpose changes its target, or null if it does not. */
const modificationType = (
  purpose: ClassifiedPurpose,
  by: EntryDraft,
): Modification['type'] | null => {
  const { action_type: action, right_type: right, normalized } = purpose.purpose
  if (normalized === '') return parentRank(by.entry.rank_number) === null ? null : 'annotate'
  if (action === '경정') return 'correct'
  if (action === '변경') return 'change'
  if (action === '이전' || action === '일부이전') {
    return by.section === 'section_a' && RIGHTS_WITH_FIELDS.has(right) ? null : 'change'
  }
  return right === '부기등기' ? 'annotate' : null
}

const apply = (linking: Linking, by: EntryDraft, purpose: ClassifiedPurpose): void => {
  const raw = purpose.purpose.raw || by.rightsText
  if (purpose.purpose.action_type === '말소') {
    for (const target of endedBy(linking, purpose, by)) {
      if (endsPartly(purpose, target)) modify(linking, target, by, { type: 'change', raw })
      else cancel(linking, target, by)
    }
    return
  }
  const type = modificationType(purpose, by)
  if (type === null) return
  for (const target of targetsOf(linking, purpose, by)) {
    if (purpose.isRestoration) restore(linking, target, by)
    modify(linking, target, by, { type, raw })
  }
}

/** Cancels entries that are struck through if nothing else explains it. If strikes and purposes disagree, the purposes count. */
const settleStrike = (linking: Linking, draft: EntryDraft): void => {
  const status = statusOf(linking, draft)
  const isStruck = draft.entry.provenance.is_visual_cancelled
  const isExplained = linking.restored.has(draft) || isOnlyReplaced(linking, draft)
  if (!isStruck || status.is_cancelled || isExplained) return
  warn(linking, 'STRUCK_WITHOUT_CANCELLATION', draft, 'Struck through, but no entry cancels it.')
  linking.status.set(draft, { ...status, is_cancelled: true })
}

/** Compares the strikes inside an entry with the changes of it. */
const checkStrikes = (linking: Linking, draft: EntryDraft): void => {
  const isStruck = draft.entry.provenance.is_visual_cancelled
  const undone = undoneChanges(draft, linking).map(({ entry }) => entry.rank_number)
  if (undone.length > 0 && !statusOf(linking, draft).is_cancelled) {
    const message = `The change of rank ${undone.join(', ')} was cancelled; what it replaced counts again.`
    warn(linking, 'CHANGE_CANCELLED', draft, message)
  }
  const content = currentContent(draft, linking)
  const stated = withStatedHolders(content, draft, linking)
  const isInForce = !statusOf(linking, draft).is_cancelled && !linking.restored.has(draft)
  if (hasRemains(stated, draft)) {
    const message = 'A holder is struck through in part; the rest is left in the notes.'
    warn(linking, 'STRUCK_IN_PART', draft, message)
  } else if (isInForce && lacksPart(stated, draft)) {
    const message = 'A part of a holder is struck through, and no entry states another.'
    warn(linking, 'STRUCK_IN_PART', draft, message)
  }
  // a restored entry stays struck through
  if (isStruck || linking.restored.has(draft)) return
  if (statusOf(linking, draft).is_cancelled) {
    const message = 'Cancelled by another entry, but not struck through.'
    warn(linking, 'CANCELLED_WITHOUT_STRIKE', draft, message)
  } else if (undone.length === 0 && hasStruckPart(content, draft)) {
    const message = 'A part of it is struck through, but no entry changes it.'
    warn(linking, 'STRUCK_WITHOUT_CHANGE', draft, message)
  }
}

/** For section B: the type of right that a purpose concerns, from its own text or else from its target. */
const targetType = (
  linking: Linking,
  purpose: ClassifiedPurpose,
  by: EntryDraft,
): string | null => {
  const [named] = purpose.targets
  if (by.section === 'section_a' || named === undefined) return null
  if (purpose.purpose.target_type !== null) return purpose.purpose.target_type
  // a right in section B charges a share of ownership, whatever the entry of section A is
  if (named.section === 'section_a') return '소유권이전'
  const target = findTarget(linking, named.section, named.rank, by)
  return target?.entry.purpose.right_type ?? purpose.purpose.right_type
}

/** Actions on another entry. If the purpose names only its rank, as `1번순위변경`, its right is that of the entry. */
const OF_TARGET: ReadonlySet<string> = new Set(['말소', '변경', '경정', '이전', '일부이전'])

/** The right of a purpose. In section B, `1번한다솜지분이전` transfers a share of the right that has this rank. */
const ownRight = (linking: Linking, purpose: ClassifiedPurpose, by: EntryDraft): RightType => {
  const { right_type: right, action_type: action, normalized } = purpose.purpose
  const [named] = purpose.targets
  if (named === undefined) return right
  const isOfShare =
    by.section === 'section_b' &&
    named.section === 'section_b' &&
    right === '소유권이전' &&
    !inHangul(normalized).includes('소유권')
  const isUnnamed = right === '미분류' && OF_TARGET.has(action)
  if (!isOfShare && !isUnnamed) return right
  return findTarget(linking, named.section, named.rank, by)?.entry.purpose.right_type ?? right
}

const withRights = (linking: Linking, draft: EntryDraft): RegistryEntry['purpose'] => {
  const typed = draft.purposes.map((purpose) => ({
    ...purpose.purpose,
    right_type: ownRight(linking, purpose, draft),
    target_type: targetType(linking, purpose, draft),
  }))
  const isCompound = typed.length > 1
  return {
    ...draft.entry.purpose,
    right_type: typed[0]?.right_type ?? draft.entry.purpose.right_type,
    target_type: typed[0]?.target_type ?? null,
    sub_purposes: isCompound ? typed : [],
  }
}

const finish = (linking: Linking, draft: EntryDraft): RegistryEntry => {
  const status = statusOf(linking, draft)
  const content = currentContent(draft, linking)
  const purpose = withRights(linking, draft)
  const { confidence } = draft.entry
  const isFound = draft.entry.purpose.right_type === '미분류' && purpose.right_type !== '미분류'
  return {
    ...draft.entry,
    confidence: isFound ? Math.round((confidence + COST_OF_UNKNOWN) * 100) / 100 : confidence,
    purpose,
    content: status.is_cancelled ? content : withStatedHolders(content, draft, linking),
    status,
  }
}

/** Applies cancellations and changes to the entries that they target, in the order of the register [documents 9.1]. */
export const linkEntries = (
  sectionA: readonly EntryDraft[],
  sectionB: readonly EntryDraft[],
): LinkedEntries => {
  const linking = startLinking({ section_a: sectionA, section_b: sectionB })
  const all = [...sectionA, ...sectionB]
  for (const draft of all) {
    for (const purpose of draft.purposes) apply(linking, draft, purpose)
    addOpenChange(linking, draft)
  }
  for (const draft of all) settleStrike(linking, draft)
  for (const entries of [sectionA, sectionB]) addStatements(linking, entries)
  for (const draft of all) checkStrikes(linking, draft)
  return {
    sectionA: sectionA.map((draft) => finish(linking, draft)),
    sectionB: sectionB.map((draft) => finish(linking, draft)),
    warnings: linking.warnings,
  }
}
