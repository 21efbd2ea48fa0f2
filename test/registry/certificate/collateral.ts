import { tight } from './calendar.ts'
import type { Draft } from './draft.ts'
import type { Receipt } from './entry-shape.ts'
import { makeCollateralRows, makeListNumber, makeOtherLocation } from './lists.ts'
import { labelled, type Paragraph } from './text.ts'
import type { CollateralTruth } from './truth.ts'

export type Collateral = {
  readonly paragraphs: readonly Paragraph[]
  readonly truth: CollateralTruth | null
}

/** A list by number; its table is printed at the end when the customer asked for lists. */
const byList = (draft: Draft, receipt: Receipt, rank: string, share: string | null): Collateral => {
  draft.cases.add('collateral_list')
  const number = makeListNumber(draft)
  const isPrinted = draft.random.chance(0.7)
  const isLong = isPrinted && draft.wants('collateral_list_over_pages', 0.2)
  const count = isLong ? draft.random.integer(16, 24) : draft.random.integer(2, 5)
  const origin = [tight(receipt.day), `제${receipt.number}호`, '설정계약으로 인하여']
  const rows = isPrinted ? makeCollateralRows(draft, { rank, share }, origin, count) : []
  if (isPrinted) draft.collateralLists.push({ number, rows })
  return {
    paragraphs: [labelled('공동담보목록', `제${number}호`)],
    truth: {
      list_number: number,
      items: rows.map((row) => ({
        property_type: row.propertyType,
        // where a share follows the place, whether it belongs to the location is open
        ...(row.share === null ? { location: row.location } : {}),
        area: null,
        type: 'listed',
        reference: row.serial,
      })),
    },
  }
}

/** Up to four properties are named in the entry itself. */
const inline = (draft: Draft): Collateral => {
  draft.cases.add('inline_collateral')
  const items = Array.from({ length: draft.random.integer(1, 3) }, () => ({
    property_type: draft.random.pick(['토지', '건물']),
    location: makeOtherLocation(draft),
  }))
  return {
    paragraphs: items.map((item) => labelled('공동담보', `${item.property_type} ${item.location}`)),
    truth: {
      list_number: null,
      items: items.map((item) => ({ ...item, area: null, type: 'listed', reference: null })),
    },
  }
}

/** This property was added to the collateral of another. */
const addition = (draft: Draft): Collateral => {
  draft.cases.add('collateral_addition')
  const tail = draft.random.chance(0.5)
    ? '의 담보물에 추가'
    : ` 순위 제${draft.random.integer(1, 9)}번의 담보물에 추가`
  const item = { property_type: '토지', location: makeOtherLocation(draft) }
  return {
    paragraphs: [labelled('공동담보', `${item.property_type} ${item.location}${tail}`)],
    truth: {
      list_number: null,
      items: [{ ...item, area: null, type: 'addition', reference: tail.trim() }],
    },
  }
}

export const makeCollateral = (
  draft: Draft,
  receipt: Receipt,
  rank: string,
  share: string | null,
): Collateral => {
  if (draft.wants('collateral_list', 0.2)) return byList(draft, receipt, rank, share)
  if (draft.wants('inline_collateral', 0.12)) return inline(draft)
  if (draft.wants('collateral_addition', 0.08)) return addition(draft)
  return { paragraphs: [], truth: null }
}
