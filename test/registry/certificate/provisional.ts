import { type Cancellable, cancelLater, cancelList, causeBefore } from './cancellation.ts'
import type { Draft } from './draft.ts'
import { addEntry, isAlive } from './entry.ts'
import type { Entry } from './entry-shape.ts'
import { endHoldings, holdingOf, purposeOf, transferToOne } from './ownership.ts'
import { makePerson, printParty } from './people.ts'
import { attachProvisionally, enjoin, openAuction, seize } from './restraints.ts'
import { lines } from './text.ts'

const RESERVED = '소유권이전청구권가등기'

/** A reserved transfer: later it is passed on, forbidden to be disposed of, cancelled, or made good in the same rank. */
export const reserve = (draft: Draft): void => {
  draft.cases.add('provisional_registration')
  if (draft.holdings.length === 1 && draft.wants('compound_main_registration', 0.35)) {
    reserveAndComplete(draft)
    return
  }
  const receipt = draft.receive()
  const printed = printParty('가등기권자', '권리자', makePerson(draft))
  const entry = addEntry(draft, 'a', {
    purposes: [
      { printed: RESERVED, right: '가등기', action: '설정', target: null, targetOwner: null },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '매매예약'),
    blocks: [[printed.paragraphs]],
    content: { persons: [printed.truth] },
  })
  if (draft.wants('provisional_transfer', 0.4)) passOn(draft, entry)
  if (draft.wants('injunction_on_provisional', 0.3)) {
    enjoin(draft, { target: entry, name: '소유권이전청구권' })
  }
  cancelLater(draft, { entry, name: '소유권이전청구권가' }, 0.5)
}

const passOn = (draft: Draft, entry: Entry): void => {
  const receipt = draft.receive()
  const printed = printParty('가등기권자', '권리자', makePerson(draft))
  const by = addEntry(draft, 'a', {
    parent: entry,
    purposes: [
      {
        printed: `${entry.rank}번소유권이전청구권의이전`,
        right: '가등기',
        action: '이전',
        target: entry.rank,
        targetOwner: null,
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '양도'),
    blocks: [[printed.paragraphs]],
    content: { persons: [printed.truth] },
  })
  entry.modifications.push({ by, truth: {} })
}

/** The same rank prints the reservation, and below a partial rule the transfer with its own receipt and cause. */
const reserveAndComplete = (draft: Draft): void => {
  const first = draft.receive()
  const second = draft.receive()
  const person = makePerson(draft)
  const holder = printParty('가등기권자', '권리자', person)
  const owner = printParty('소유자', '소유자', person)
  endHoldings(draft)
  const entry = addEntry(draft, 'a', {
    purposes: [
      { printed: RESERVED, right: '가등기', action: '설정', target: null, targetOwner: null },
      purposeOf('소유권이전'),
    ],
    receipt: first,
    cause: causeBefore(draft, first, '매매예약'),
    second: { receipt: second, cause: causeBefore(draft, second, '매매') },
    blocks: [[holder.paragraphs], [owner.paragraphs]],
    content: { persons: [holder.truth, owner.truth] },
  })
  draft.holdings = [holdingOf(person, [entry], 1, 1)]
}

/** After a sale in court one row cancels what the sale has wiped out. */
export const sellInCourt = (draft: Draft): void => {
  draft.cases.add('auction_sale')
  const before: Cancellable[] = [attachProvisionally(draft), openAuction(draft), seize(draft)]
  const sale = transferToOne(draft, '임의경매로 인한 매각')
  const targets = before.filter(({ entry }) => isAlive(entry))
  if (sale.receipt === null || targets.length < 2) return
  cancelList(draft, targets, { cause: '임의경매로 인한 매각', receipt: sale.receipt })
}

/** Seizures of one kind, later cancelled by one row. */
export const seizeSeveral = (draft: Draft): void => {
  const made = Array.from({ length: draft.random.integer(2, 3) }, () => seize(draft))
  draft.pending.push(() => {
    const alive = made.filter(({ entry }) => isAlive(entry))
    if (alive.length > 1) cancelList(draft, alive)
  })
}

const NOTICES = [
  { printed: '소유권이전등기말소예고등기', text: '소유권이전등기말소 청구의 소', isMalso: true },
  { printed: '압류말소통지', text: '공매', isMalso: true },
  { printed: '파산선고', text: '파산선고', isMalso: false },
  { printed: '회생절차개시결정', text: '회생절차개시결정', isMalso: false },
] as const

/** Entries of no known kind; the word 말소 in them cancels nothing. */
export const notify = (draft: Draft, isMalso: boolean): void => {
  const notice = draft.random.pick(NOTICES.filter((each) => each.isMalso === isMalso))
  draft.cases.add(isMalso ? 'not_cancelling_malso' : 'unclassified_purpose')
  const receipt = draft.receive()
  addEntry(draft, 'a', {
    purposes: [
      { printed: notice.printed, right: '미분류', action: '설정', target: null, targetOwner: null },
    ],
    receipt,
    cause: causeBefore(draft, receipt, notice.text),
    blocks: [isMalso ? [] : [lines('하늘지방법원 제21부')]],
  })
}
