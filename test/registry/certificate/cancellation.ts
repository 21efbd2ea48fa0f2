import type { RightType } from '#core/registry/document.ts'
import { type Day, tight } from './calendar.ts'
import type { Draft } from './draft.ts'
import { addEntry, isAlive } from './entry.ts'
import type { Cause, Entry, Receipt } from './entry-shape.ts'
import { lines, strikeBand, strikeCell } from './text.ts'

/** What cancellers call the entries: `3번가압류등기말소` says 가압류, whatever share the entry was on. */
export type Cancellable = { readonly entry: Entry; readonly name: string }

const strike = (draft: Draft, entry: Entry): void => {
  if (draft.wants('strike_on_rank_only', 0.03)) {
    strikeCell(entry.band.lead)
    return
  }
  const hasRights = entry.band.parts.some((part) => part.blocks.some((block) => block.length > 0))
  if (hasRights && draft.wants('strike_on_rights_only', 0.03)) {
    for (const part of entry.band.parts) part.blocks.forEach(strikeCell)
    return
  }
  strikeBand(entry.band)
}

/** The law strikes what hangs on an entry together with it. */
export const markCancelled = (
  draft: Draft,
  entry: Entry,
  by: Entry | 'unprinted',
  cancellation: { readonly day: Day | null; readonly cause: string | null },
): void => {
  if (!isAlive(entry)) return
  entry.cancelledBy = by
  entry.cancellation = cancellation
  strike(draft, entry)
  draft.cases.add('cancelled_entry')
  for (const child of draft.entries[entry.section]) {
    if (child.parent !== entry) continue
    draft.cases.add('cancel_parent_with_sub_entries')
    markCancelled(draft, child, by, cancellation)
  }
}

const CAUSES: Partial<Record<RightType, readonly string[]>> = {
  근저당권: ['해지', '일부포기', '해지', '변제'],
  전세권: ['해지', '존속기간 만료', '해지'],
  지상권: ['해지', '존속기간 만료', '혼동'],
  압류: ['해제'],
  가압류: ['해제', '취하', '집행취소결정'],
  가처분: ['해제', '취하'],
  경매: ['취하', '기각결정'],
  가등기: ['해제', '혼동', '매매예약해제'],
}
const reasonFor = (draft: Draft, entry: Entry): string =>
  draft.random.pick(CAUSES[entry.purposes[0]?.right_type ?? '미분류'] ?? ['해지'])

export const causeBefore = (draft: Draft, receipt: Receipt, text: string): Cause => ({
  day: receipt.day - draft.random.integer(0, 12),
  text,
})

const rightOf = (entry: Entry): RightType => entry.purposes[0]?.right_type ?? '미분류'

/** One row that cancels all of them; the text says which. */
export const addCanceller = (
  draft: Draft,
  targets: readonly Cancellable[],
  printed: string,
  options: { readonly cause?: string; readonly receipt?: Receipt } = {},
): Entry | null => {
  const first = targets[0]
  if (first === undefined || targets.some(({ entry }) => !isAlive(entry))) return null
  const receipt = options.receipt ?? draft.receive()
  const cause = causeBefore(draft, receipt, options.cause ?? reasonFor(draft, first.entry))
  const rights = new Set(targets.map(({ entry }) => rightOf(entry)))
  const canceller = addEntry(draft, first.entry.section, {
    purposes: [
      {
        printed,
        right: rightOf(first.entry),
        action: '말소',
        target: targets.map(({ entry }) => entry.rank).join(','),
        // of several kinds at once: open
        ...(rights.size === 1 ? { targetType: rightOf(first.entry) } : {}),
        targetOwner: null,
      },
    ],
    receipt,
    cause,
    blocks: [[]],
    content: { cancels_cause: cause.text },
    isCanceller: true,
  })
  draft.cases.add('empty_rights')
  if (rights.size > 1) draft.cases.add('cancel_mixed_rights')
  for (const { entry } of targets) {
    markCancelled(draft, entry, canceller, { day: receipt.day, cause: cause.text })
  }
  return canceller
}

export const cancelOne = (draft: Draft, target: Cancellable, cause?: string): Entry | null =>
  addCanceller(draft, [target], `${target.entry.rank}번${target.name}등기말소`, {
    ...(cause === undefined ? {} : { cause }),
  })

/** `4번압류, 5번압류, 6번가압류 등기말소`; of one kind also `4번, 5번 압류등기말소`. */
export const cancelList = (
  draft: Draft,
  targets: readonly Cancellable[],
  options: { readonly cause?: string; readonly receipt?: Receipt } = {},
): Entry | null => {
  const name = targets[0]?.name ?? ''
  const isOneKind = targets.every((target) => target.name === name)
  const ranks = targets.map(({ entry }) => entry.rank)
  const full = `${targets.map((target) => `${target.entry.rank}번${target.name}`).join(', ')} 등기말소`
  const forms = [
    full,
    `${ranks.map((rank) => `${rank}번`).join(', ')} ${name}등기말소`,
    `${ranks.join(',')}번${name}등기말소`,
    `${ranks.map((rank) => `${rank}번`).join(' 및 ')} ${name}등기말소`,
  ]
  const canceller = addCanceller(
    draft,
    targets,
    isOneKind ? draft.random.pick(forms) : full,
    options,
  )
  if (canceller !== null) draft.cases.add('cancel_list')
  return canceller
}

/** `1번 내지 3번 근저당권설정등기말소`: the targets are all the ranks of the range. */
export const cancelRange = (draft: Draft, targets: readonly Cancellable[]): Entry | null => {
  const first = targets[0]
  const last = targets.at(-1)
  if (first === undefined || last === undefined) return null
  const printed = `${first.entry.rank}번 내지 ${last.entry.rank}번 ${first.name}등기말소`
  const canceller = addCanceller(draft, targets, printed)
  if (canceller !== null) draft.cases.add('cancel_range')
  return canceller
}

/** By the registrar: no receipt, no cause; the rights column says why and when. */
export const cancelExOfficio = (draft: Draft, target: Cancellable, why: string): void => {
  if (!isAlive(target.entry)) return
  const day = draft.today()
  const canceller = addEntry(draft, target.entry.section, {
    purposes: [
      {
        printed: `${target.entry.rank}번${target.name}등기말소`,
        right: rightOf(target.entry),
        action: '말소',
        target: target.entry.rank,
        targetType: rightOf(target.entry),
        targetOwner: null,
      },
    ],
    receipt: null,
    cause: null,
    blocks: [[lines(why, `${tight(day)} 등기`)]],
    isCanceller: true,
  })
  // the brief says where the reason goes in the status of the target, not in the content of the canceller
  delete canceller.content.cancels_cause
  delete canceller.content.annotation_date
  draft.cases.add('ex_officio_cancellation')
  markCancelled(draft, target.entry, canceller, { day, cause: why })
}

/** Cancels later, if it is still there then. */
export const cancelLater = (draft: Draft, target: Cancellable, probability: number): void => {
  if (!draft.random.chance(probability)) return
  draft.pending.push(() => {
    if (isAlive(target.entry)) cancelOne(draft, target)
  })
}

/** The row that cancels it is not printed; only the strike tells. */
export const strikeSilently = (draft: Draft, entry: Entry): void => {
  draft.cases.add('struck_without_canceller')
  entry.cancelledBy = 'unprinted'
  strikeBand(entry.band)
}

/** A canceller whose target was struck long ago and is not printed. */
export const cancelMissing = (draft: Draft, section: 'a' | 'b', name: string, right: RightType) => {
  const missing = `${draft.nextRank[section]}`
  draft.nextRank[section] += 1
  const receipt = draft.receive()
  const cause = causeBefore(draft, receipt, '해제')
  addEntry(draft, section, {
    purposes: [
      {
        printed: `${missing}번${name}등기말소`,
        right,
        action: '말소',
        target: missing,
        targetOwner: null,
      },
    ],
    receipt,
    cause,
    blocks: [[]],
    content: { cancels_cause: cause.text },
    isCanceller: true,
  })
  draft.cases.add('target_not_found')
  draft.warnings.add('TARGET_NOT_FOUND')
}
