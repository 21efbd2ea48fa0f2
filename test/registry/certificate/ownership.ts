import { tight } from './calendar.ts'
import { causeBefore } from './cancellation.ts'
import type { Draft, Holding } from './draft.ts'
import { addEntry, type Purpose } from './entry.ts'
import type { Entry } from './entry-shape.ts'
import { makeOwner, type Party, printParty, printShareholders } from './people.ts'
import type { Cell, Paragraph } from './text.ts'
import { makeTradeValue, type TradeValue } from './trade.ts'
import type { ContentTruth } from './truth.ts'

export const TRANSFER_CAUSES = [
  '매매',
  '매매',
  '매매',
  '증여',
  '상속',
  '협의분할에 의한 상속',
  '교환',
  '공유물분할',
  '진정명의회복',
  '확정판결',
] as const

export const purposeOf = (printed: string): Purpose => ({
  printed,
  right: printed.startsWith('소유권보존') ? '소유권보존' : '소유권이전',
  action: printed.endsWith('보존') ? '설정' : printed.includes('일부') ? '일부이전' : '이전',
  target: null,
  targetOwner: null,
})

export const shareText = (numerator: number, denominator: number): string =>
  `${denominator}분의 ${numerator}`

export const holdingOf = (
  party: Party,
  entries: readonly Entry[],
  numerator: number,
  denominator: number,
): Holding => ({
  name: party.name,
  number: party.number,
  address: party.address ?? '',
  numerator,
  denominator,
  entries,
})

/** The earlier owners own no more; their rows stay, alive, but a current copy leaves them out. */
export const endHoldings = (draft: Draft): void => {
  for (const entry of draft.entries.a) {
    if (
      entry.purposes[0]?.right_type === '소유권이전' ||
      entry.purposes[0]?.right_type === '소유권보존'
    )
      entry.isPast = true
  }
  draft.holdings = []
}

type Written = {
  readonly paragraphs: readonly Paragraph[]
  readonly content: Partial<ContentTruth>
}

const writeSole = (label: '소유자', party: Party): Written => {
  const printed = printParty(label, label, party)
  return { paragraphs: printed.paragraphs, content: { persons: [printed.truth] } }
}

type Share = { readonly party: Party; readonly numerator: number; readonly denominator: number }

const makeShares = (draft: Draft): Share[] => {
  const { random } = draft
  if (draft.wants('decimal_share', 0.12)) {
    // 10분의2.4 is printed so; the numerator is no whole number
    return [2.4, 3.6, 4].map((numerator) => ({
      party: makeOwner(draft),
      numerator,
      denominator: 10,
    }))
  }
  const isLong = draft.wants('many_co_owners', 0.09)
  const count = isLong ? random.integer(20, 28) : random.integer(2, 4)
  const isEven = random.chance(0.6)
  const denominator = isEven ? count : count + 1
  return Array.from({ length: count }, (_, index) => ({
    party: makeOwner(draft),
    numerator: !isEven && index === 0 ? 2 : 1,
    denominator,
  }))
}
const printShare = ({ numerator, denominator }: Share): string =>
  Number.isInteger(numerator) ? shareText(numerator, denominator) : `${denominator}분의${numerator}`

const writeShares = (draft: Draft, shares: readonly Share[]): Written => {
  const texts = shares.map(printShare)
  const indent = draft.cases.has('indented_shares') ? 2 : 0
  const owners = shares.map(({ party }, index) => ({ party, share: texts[index] ?? '' }))
  const { cell, printed } = printShareholders('공유자', owners, indent)
  return {
    paragraphs: cell,
    content: {
      persons: printed.map((each) => each.truth),
      shares: shares.map((share, index) => ({
        owner_name: share.party.name,
        raw: `지분 ${texts[index] ?? ''}`,
        numerator: Number.isInteger(share.numerator) ? share.numerator : null,
        denominator: share.denominator,
      })),
    },
  }
}

const writeJoint = (parties: readonly Party[]): Written => {
  // 합유자 hold together: names without shares
  const printed = parties.map((party, index) =>
    printParty(index === 0 ? '합유자' : '', '공유자', party),
  )
  return {
    paragraphs: printed.flatMap((each) => each.paragraphs),
    content: { persons: printed.map((each) => each.truth) },
  }
}

const register = (
  draft: Draft,
  written: Written,
  value: TradeValue | null,
  cause: string,
): Entry => {
  const receipt = draft.receive()
  const block: Cell = [...written.paragraphs, ...(value?.paragraphs ?? [])]
  const entry = addEntry(draft, 'a', {
    purposes: [purposeOf('소유권이전')],
    receipt,
    cause: causeBefore(draft, receipt, cause),
    blocks: [[block]],
    content: { ...written.content, ...value?.content },
  })
  value?.settle(entry)
  return entry
}

/** The first row of a building's section A, or of land that never changed hands. */
export const preserve = (draft: Draft): void => {
  const receipt = draft.receive()
  const owner = makeOwner(draft)
  const written = writeSole('소유자', owner)
  const entry = addEntry(draft, 'a', {
    purposes: [purposeOf('소유권보존')],
    receipt,
    cause: null,
    blocks: [[written.paragraphs]],
    content: written.content,
  })
  draft.holdings = [holdingOf(owner, [entry], 1, 1)]
}

export const transferToOne = (draft: Draft, cause?: string): Entry => {
  const owner = makeOwner(draft)
  const reason = cause ?? draft.random.pick(TRANSFER_CAUSES)
  const value = reason === '매매' ? makeTradeValue(draft) : null
  endHoldings(draft)
  const entry = register(draft, writeSole('소유자', owner), value, reason)
  draft.holdings = [holdingOf(owner, [entry], 1, 1)]
  return entry
}

export const transferToSeveral = (draft: Draft): Entry => {
  draft.cases.add('co_owners')
  const shares = makeShares(draft)
  const reason = draft.random.pick(TRANSFER_CAUSES)
  const value = reason === '매매' ? makeTradeValue(draft) : null
  endHoldings(draft)
  const entry = register(draft, writeShares(draft, shares), value, reason)
  draft.holdings = shares.map(({ party, numerator, denominator }) =>
    holdingOf(party, [entry], numerator, denominator),
  )
  return entry
}

export const transferJointly = (draft: Draft): Entry => {
  draft.cases.add('joint_owners')
  const parties = [makeOwner(draft), makeOwner(draft)]
  endHoldings(draft)
  const entry = register(draft, writeJoint(parties), null, '매매')
  // who owns what share of a joint property is nowhere said: the summary gets no owner of it
  return entry
}

/** The notes that computerisation, division and the like leave below a partial rule. */
export const appendNote = (entry: Entry, texts: Cell): void => {
  entry.band.parts.at(-1)?.blocks.push(texts)
  // whether the date of such a note is an annotation date is open
  delete entry.content.annotation_date
}
export const annotation = (day: number, word: '부기' | '등기', isApart: boolean): string =>
  `${tight(day)}${isApart ? '  ' : ' '}${word}`
