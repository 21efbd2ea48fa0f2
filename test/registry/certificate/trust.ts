import { padded, tight } from './calendar.ts'
import { type Cancellable, cancelExOfficio, causeBefore } from './cancellation.ts'
import type { Draft } from './draft.ts'
import { addEntry } from './entry.ts'
import type { Entry } from './entry-shape.ts'
import { makeListNumber } from './lists.ts'
import { annotation, endHoldings, holdingOf, purposeOf } from './ownership.ts'
import { makeTrustCompany, printParty } from './people.ts'
import { cellsOfPart, labelled, lines, plain, run, strikeCell } from './text.ts'

/** `소유권이전` and below a partial rule `신탁`; later the trustee may be renamed, and the property come back. */
export const putInTrust = (draft: Draft): void => {
  const settlor = draft.holdings[0]
  if (settlor === undefined || draft.holdings.length !== 1) return
  const receipt = draft.receive()
  const trustee = makeTrustCompany(draft)
  const printed = printParty('수탁자', '수탁자', trustee)
  draft.cases.add('compound_trust').add('trust_register')
  endHoldings(draft)
  const entry = addEntry(draft, 'a', {
    purposes: [
      purposeOf('소유권이전'),
      { printed: '신탁', right: '신탁', action: '설정', target: null, targetOwner: null },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '신탁'),
    blocks: [[printed.paragraphs], [[labelled('신탁원부', `제${makeListNumber(draft)}호`)]]],
    content: { persons: [printed.truth] },
  })
  draft.holdings = [holdingOf(trustee, [entry], 1, 1)]
  // a current copy would print the number without the name that is struck
  if (!draft.isCurrentOnly && draft.plans('trustee_renamed', 0.4)) {
    draft.pending.push(() => renameTrustee(draft, entry, printed.nameRun))
  }
  if (draft.plans('compound_trust_cancelled', 0.6)) {
    draft.pending.push(() => endTrust(draft, entry, settlor))
  }
}

const renameTrustee = (draft: Draft, entry: Entry, nameRun: { text: string; struck: boolean }) => {
  const receipt = draft.receive()
  const name = makeTrustCompany(draft).name
  nameRun.struck = true
  draft.cases.add('trustee_renamed')
  // the name alone is struck; whether the person stays with the old name, the new one or not at all is open
  delete entry.content.persons
  const change = addEntry(draft, 'a', {
    parent: entry,
    purposes: [
      {
        printed: `${entry.rank}번등기명의인표시변경`,
        right: '등기명의인표시변경',
        action: '변경',
        target: entry.rank,
        targetOwner: null,
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '상호변경'),
    blocks: [[[{ runs: [run(`${nameRun.text}의 성명(명칭)`), run(name)], indent: 0, hang: 10 }]]],
  })
  delete change.content.persons
  entry.modifications.push({ by: change, truth: { type: 'change' } })
}

const endTrust = (
  draft: Draft,
  entry: Entry,
  settlor: { name: string; number: string | null; address: string },
): void => {
  // sold out of the trust meanwhile: then there is nothing to give back
  if (draft.holdings.length !== 1 || draft.holdings[0]?.entries[0] !== entry) return
  draft.cases.add('compound_trust_cancelled')
  const receipt = draft.receive()
  const owner = { ...settlor, branch: null }
  const printed = printParty('소유자', '소유자', owner)
  endHoldings(draft)
  const back = addEntry(draft, 'a', {
    purposes: [
      purposeOf('소유권이전'),
      {
        printed: `${entry.rank}번신탁등기말소`,
        right: '신탁',
        action: '말소',
        target: entry.rank,
        targetOwner: null,
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, draft.random.pick(['신탁재산의귀속', '매매'])),
    blocks: [
      [printed.paragraphs],
      draft.random.chance(0.5) ? [[labelled('원인', '신탁재산의 처분')]] : [],
    ],
    content: { persons: [printed.truth] },
  })
  // it cancels a part of another rank and transfers: whether that makes a cause of cancellation is open
  delete back.content.cancels_cause
  for (const cell of entry.band.parts.slice(1).flatMap(cellsOfPart)) strikeCell(cell)
  entry.modifications.push({ by: back, truth: { type: 'change' } })
  draft.holdings = [holdingOf(owner, [back], 1, 1)]
}

const PROHIBITIONS = [
  '이 주택은 부동산등기법에 따라 소유권보존등기를 마친 주택으로서 입주예정자의 동의 없이는 양도하거나 제한물권을 설정하거나 압류, 가압류, 가처분 등 소유권에 제한을 가하는 일체의 행위를 할 수 없음',
  '이 토지는 주택법에 따라 입주자를 모집한 토지로서 입주예정자의 동의 없이는 양도하거나 제한물권을 설정하거나 압류, 가압류, 가처분 등 소유권에 제한을 가하는 일체의 행위를 할 수 없음',
]

/** The ban on disposal of a new house: below the first rank, and lifted by the registrar when the house is sold. */
export const prohibit = (draft: Draft, entry: Entry): Cancellable => {
  draft.cases.add('prohibition')
  const text = draft.random.pick(PROHIBITIONS)
  const day = draft.today()
  const ban = addEntry(draft, 'a', {
    parent: entry,
    // the parent's rank is not printed: null or the parent, both are allowed
    purposes: [{ printed: '금지사항등기', right: '부기등기', action: '부기', targetOwner: null }],
    receipt: null,
    cause: null,
    blocks: [[[plain(text), plain(annotation(day, '부기', draft.random.chance(0.4)))]]],
  })
  ban.content.prohibition_text = text
  ban.content.annotation_date = padded(day)
  entry.modifications.push({ by: ban, truth: { type: 'annotate' } })
  return { entry: ban, name: '금지사항' }
}
export const liftBan = (draft: Draft, ban: Cancellable): void =>
  cancelExOfficio(draft, ban, '소유권이전등기로 인하여')

/** `환매특약` stands below the sale that it belongs to. */
export const agreeRepurchase = (draft: Draft, sale: Entry, seller: string): void => {
  draft.cases.add('repurchase')
  const amount = `금${draft.random.integer(20, 90)}0,000,000원`
  const years = `${tight(draft.today())}부터 ${draft.random.integer(2, 5)}년`
  const printed = printParty('환매권자', '권리자', {
    name: seller,
    number: null,
    address: null,
    branch: null,
  })
  const entry = addEntry(draft, 'a', {
    parent: sale,
    purposes: [{ printed: '환매특약', right: '부기등기', action: '부기', targetOwner: null }],
    receipt: sale.receipt,
    cause: sale.cause,
    blocks: [[[...lines(`환매대금  ${amount}`, `환매기간  ${years}`), ...printed.paragraphs]]],
    content: { persons: [printed.truth], notes_contain: [amount, years] },
  })
  sale.modifications.push({ by: entry, truth: { type: 'annotate' } })
}
