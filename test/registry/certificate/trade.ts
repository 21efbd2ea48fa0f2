import { tight } from './calendar.ts'
import type { Draft } from './draft.ts'
import type { Cause, Entry } from './entry-shape.ts'
import { makeListNumber, makeOtherLocation } from './lists.ts'
import { makeAmount } from './money.ts'
import { labelled, type Paragraph } from './text.ts'
import type { ContentTruth } from './truth.ts'

/** The price of a sale: in the entry, or in a list when several properties were sold together. */
export type TradeValue = {
  readonly paragraphs: readonly Paragraph[]
  readonly content: Partial<ContentTruth>
  /** The list names the rank, which is known only once the entry is made. */
  readonly settle: (entry: Entry) => void
}

const causeLines = (cause: Cause | null): string[] =>
  cause === null ? [] : [...(cause.day === null ? [] : [tight(cause.day)]), cause.text]
const causeTruth = (cause: Cause | null): string => causeLines(cause).join(' ')

const TAGS = { land: '토지', building: '건물', aggregate_building: '집합건물' } as const

const addToList = (draft: Draft, number: string, value: number, entry: Entry): void => {
  const lines = causeLines(entry.cause)
  const own = `[${TAGS[draft.propertyType]}] ${draft.location}`
  const others = Array.from({ length: draft.random.integer(1, 4) }, () => ({
    property: `[${draft.random.pick(['토지', '건물'])}] ${makeOtherLocation(draft)}`,
    rank: `${draft.random.integer(1, 20)}`,
  }))
  const rows = [{ property: own, rank: entry.rank }, ...others].map((row, index) => ({
    serial: `${index + 1}`,
    ...row,
    cause: lines,
  }))
  draft.tradeLists.push({
    rows,
    truth: {
      list_number: number,
      trade_amount: value,
      items: rows.map((row) => ({
        serial_number: row.serial,
        property_description: row.property,
        rank_number: row.rank,
        registration_cause: causeTruth(entry.cause),
        correction_cause: '',
      })),
    },
  })
}

export const makeTradeValue = (draft: Draft, listChance = 0.12): TradeValue | null => {
  const value = draft.random.integer(20, 1800) * 1_000_000
  if (draft.wants('trade_list', listChance)) {
    const number = makeListNumber(draft)
    return {
      paragraphs: [labelled('매매목록', `제${number}호`)],
      content: { trade_list_number: number },
      settle: (entry) => addToList(draft, number, value, entry),
    }
  }
  if (draft.random.chance(0.2)) return null
  const amount = makeAmount(draft, '거래가액', value)
  return {
    paragraphs: [labelled('거래가액', amount.raw)],
    content: { amounts: [amount] },
    settle: () => {},
  }
}

/** A value that another entry has named already: both name the same list. */
export const sameList = (number: string): TradeValue => ({
  paragraphs: [labelled('매매목록', `제${number}호`)],
  content: { trade_list_number: number },
  settle: () => {},
})
