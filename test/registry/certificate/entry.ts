import type { ActionType, RightType } from '#core/registry/document.ts'
import { padded, tight } from './calendar.ts'
import type { Draft } from './draft.ts'
import type { Cause, Entry, Receipt, Section } from './entry-shape.ts'
import { type BandPart, type Cell, lines, plain } from './text.ts'
import { type ContentTruth, type PurposeTruth, withoutBlanks } from './truth.ts'

/** A purpose as printed, and what it means. A target that is left out is open. */
export type Purpose = {
  readonly printed: string
  readonly right: RightType
  readonly action: ActionType
  readonly target?: string | null
  readonly targetType?: string | null
  readonly targetOwner?: string | null
}
export type NewEntry = {
  readonly parent?: Entry
  readonly rank?: string
  readonly order?: readonly number[]
  readonly purposes: readonly Purpose[]
  readonly receipt: Receipt | null
  readonly cause: Cause | null
  /** Of the second purpose, where it prints its own (main registration). */
  readonly second?: { readonly receipt: Receipt; readonly cause: Cause }
  /** Per purpose: the blocks of the rights column. */
  readonly blocks: readonly Cell[][]
  readonly content?: Partial<ContentTruth>
  readonly isCanceller?: boolean
}

const purposeTruth = (purpose: Purpose, isCompound: boolean): PurposeTruth => ({
  raw: purpose.printed,
  ...(isCompound ? {} : { normalized: withoutBlanks(purpose.printed) }),
  right_type: purpose.right,
  action_type: purpose.action,
  ...(purpose.target === undefined ? {} : { target_rank: purpose.target }),
  ...(purpose.targetType === undefined ? {} : { target_type: purpose.targetType }),
  ...(purpose.targetOwner === undefined ? {} : { target_owner: purpose.targetOwner }),
})

const causeCell = (cause: Cause | null): Cell => {
  if (cause === null) return []
  const date = cause.day === null ? [] : [tight(cause.day)]
  return lines(...date, ...(cause.text === '' ? [] : [cause.text]))
}
const receiptCell = (receipt: Receipt | null): Cell =>
  receipt === null ? [] : lines(tight(receipt.day), `제${receipt.number}호`)

export const emptyContent = (): ContentTruth => ({
  persons: [],
  amounts: [],
  shares: [],
  collateral: null,
  term: null,
  lease: null,
  protected_right: null,
  prohibition_text: null,
  trade_list_number: null,
  annotation_date: null,
  cancels_cause: null,
  notes_contain: [],
})

const partsOf = (entry: NewEntry): BandPart[] =>
  entry.purposes.map((purpose, index) => {
    const own = index === 0 ? entry : entry.second
    return {
      isRuled: index > 0,
      middle: [
        purpose.printed === '' ? [] : [plain(purpose.printed)],
        receiptCell(own?.receipt ?? null),
        causeCell(own?.cause ?? null),
      ],
      blocks: [...(entry.blocks[index] ?? [])],
    }
  })

const placeOf = (draft: Draft, section: Section, entry: NewEntry) => {
  if (entry.rank !== undefined) return { rank: entry.rank, order: entry.order ?? [] }
  if (entry.parent === undefined) {
    const number = draft.nextRank[section]
    draft.nextRank[section] += 1
    return { rank: `${number}`, order: [number] }
  }
  const { parent } = entry
  const number = draft.entries[section].filter((each) => each.parent === parent).length + 1
  return { rank: `${parent.rank}-${number}`, order: [...parent.order, number] }
}

export const addEntry = (draft: Draft, section: Section, entry: NewEntry): Entry => {
  const { rank, order } = placeOf(draft, section, entry)
  const isCompound = entry.purposes.length > 1
  const added: Entry = {
    section,
    rank,
    parent: entry.parent ?? null,
    order,
    band: { lead: [plain(rank)], parts: partsOf(entry) },
    purposes: entry.purposes.map((purpose) =>
      purposeTruth(
        // a rank of the other section is told only of entries of section B, and an owner only of section A
        section === 'a' ? { ...purpose, targetType: null } : { ...purpose, targetOwner: null },
        isCompound,
      ),
    ),
    receipt: entry.receipt,
    cause: entry.cause,
    hasOpenCause: entry.second !== undefined,
    content: { ...emptyContent(), ...entry.content },
    previousRank: null,
    cancelledBy: null,
    cancellation: { day: null, cause: null },
    hasOpenStatus: false,
    isCanceller: entry.isCanceller ?? false,
    isPast: false,
    modifications: [],
    superseded: new Set(),
    openModifications: [],
  }
  draft.entries[section].push(added)
  if (added.parent !== null) {
    const siblings = draft.entries[section].filter((each) => each.parent === added.parent)
    if (siblings.length >= 3) draft.cases.add('several_sub_entries')
    if (order.length > 2) draft.cases.add('deep_rank')
  }
  return added
}

/** Entries that can still be cancelled, changed or transferred. */
export const isAlive = (entry: Entry): boolean => entry.cancelledBy === null
export const receiptTruth = (receipt: Receipt | null): { date: string; number: string } =>
  receipt === null
    ? { date: '', number: '' }
    : { date: padded(receipt.day), number: `${receipt.number}호` }
