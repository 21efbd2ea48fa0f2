import { yearOf } from './calendar.ts'
import { type Cancellable, cancelLater, causeBefore } from './cancellation.ts'
import type { Draft } from './draft.ts'
import { addEntry } from './entry.ts'
import type { Cause, Entry, Receipt } from './entry-shape.ts'
import { exactSum, makeAmount, roundSum } from './money.ts'
import { makeLender, makePerson, type Party, printParty } from './people.ts'
import { maybeShare, type ShareTarget } from './shares.ts'
import { labelled, type Paragraph } from './text.ts'
import type { ContentTruth } from './truth.ts'
import { CITIES, COURTS, DISTRICTS } from './vocabulary.ts'

type Restraint = {
  readonly name: string
  readonly right: '가압류' | '압류' | '경매' | '가처분'
  readonly cause: (receipt: Receipt) => Cause
  readonly paragraphs: readonly Paragraph[]
  readonly content: Partial<ContentTruth>
}

const restrain = (draft: Draft, target: ShareTarget, restraint: Restraint): Cancellable => {
  const receipt = draft.receive()
  const entry = addEntry(draft, 'a', {
    purposes: [
      {
        printed: `${target.prefix}${restraint.name}`,
        right: restraint.right,
        action: '설정',
        target: target.target,
        targetOwner: target.owner,
      },
    ],
    receipt,
    cause: restraint.cause(receipt),
    blocks: [[restraint.paragraphs]],
    content: restraint.content,
  })
  return { entry, name: restraint.name }
}

const caseNumber = (draft: Draft, receipt: Receipt, word: string): string => {
  const year = yearOf(receipt.day)
  // until 1999 case numbers had two digits of the year
  return `${year < 2000 ? year - 1900 : year}${word}${draft.random.integer(101, 9999)}`
}
const courtCause =
  (draft: Draft, what: string, word: string) =>
  (receipt: Receipt): Cause => {
    const court = draft.random.pick(COURTS)
    const number = caseNumber(draft, receipt, word)
    draft.cases.add('long_cause')
    return causeBefore(draft, receipt, `${court}의 ${what}(${number})`)
  }

const creditorOf = (draft: Draft): Party =>
  draft.random.chance(0.5) ? makePerson(draft) : makeLender(draft)

export const attachProvisionally = (draft: Draft): Cancellable => {
  const creditor = printParty('채권자', '채권자', creditorOf(draft))
  const amount = makeAmount(
    draft,
    '청구금액',
    draft.random.chance(0.5) ? exactSum(draft) : roundSum(draft, 1, 30),
  )
  const made = restrain(draft, maybeShare(draft, 0.6), {
    name: '가압류',
    right: '가압류',
    cause: courtCause(draft, draft.random.pick(['가압류 결정', '가압류결정']), '카단'),
    paragraphs: [labelled('청구금액', amount.raw), ...creditor.paragraphs],
    content: { amounts: [amount], persons: [creditor.truth] },
  })
  if (draft.plans('partial_cancellation', 0.16)) draft.pending.push(() => cancelPartly(draft, made))
  else cancelLater(draft, made, 0.4)
  return made
}

/** `2번가압류등기일부말소` leaves the entry alive. */
const cancelPartly = (draft: Draft, { entry, name }: Cancellable): void => {
  if (entry.cancelledBy !== null) return
  draft.cases.add('partial_cancellation')
  const receipt = draft.receive()
  const by = addEntry(draft, 'a', {
    purposes: [
      {
        printed: `${entry.rank}번${name}등기일부말소`,
        right: '가압류',
        action: '변경',
        target: entry.rank,
        targetOwner: null,
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '일부해제'),
    blocks: [[]],
  })
  delete by.content.cancels_cause
  entry.modifications.push({ by, truth: { type: 'change' } })
}

type Authority = {
  readonly paragraphs: readonly Paragraph[]
  readonly content: Partial<ContentTruth>
}

const authority = (name: string, notes: readonly (readonly [string, string])[]): Authority => {
  const printed = printParty('권리자', '권리자', {
    name,
    number: null,
    address: null,
    branch: null,
  })
  return {
    paragraphs: [...printed.paragraphs, ...notes.map(([label, value]) => labelled(label, value))],
    content: { persons: [printed.truth], notes_contain: notes.map(([, value]) => value) },
  }
}

const makeAuthority = (draft: Draft): Authority => {
  const { random } = draft
  const district = random.pick(DISTRICTS)
  if (draft.wants('state_with_office', 0.25)) {
    return authority('국', [['처분청', `${random.pick(['구름', '하늘', '나래'])}세무서`]])
  }
  if (draft.wants('managing_agency', 0.12)) return authority('국', [['관리기관', '누리지방국세청']])
  if (draft.wants('authority_with_code', 0.25)) {
    const party = {
      name: random.pick(CITIES),
      number: `${random.integer(3010, 4990)}`,
      address: null,
      branch: null,
    }
    const printed = printParty('권리자', '권리자', party)
    delete printed.truth.resident_number
    return { paragraphs: printed.paragraphs, content: { persons: [printed.truth] } }
  }
  if (draft.wants('authority_without_number', 0.6)) {
    return authority(
      random.pick([district, `${district}(세무관리과)`, '구름세무서', '국민건강보험공단']),
      [],
    )
  }
  const fund = {
    name: '국민건강보험공단',
    number: '111471-0009999',
    address: '가람북도 이슬시 누리로 32 (가나동)',
    branch: null,
  }
  const printed = printParty('권리자', '권리자', fund)
  return {
    paragraphs: printed.paragraphs,
    content: { persons: [printed.truth] },
  }
}

export const seize = (draft: Draft): Cancellable => {
  const { random } = draft
  const written = makeAuthority(draft)
  const number = random.integer(100, 99999)
  const reason = random.pick([
    `압류(세무관리과-${number})`,
    `압류(징세46120-${number})`,
    `압류(청소과67500-${number})`,
    `압류(세관${number})`,
    `압류(체납징수과-${number})`,
  ])
  const made = restrain(draft, maybeShare(draft, 0.5), {
    name: '압류',
    right: '압류',
    cause: (receipt) => causeBefore(draft, receipt, reason),
    ...written,
  })
  cancelLater(draft, made, 0.4)
  return made
}

export const openAuction = (draft: Draft): Cancellable => {
  const { random } = draft
  const creditor = printParty('채권자', '채권자', creditorOf(draft))
  const target = maybeShare(draft, 0.4)
  const name = random.pick(
    target.prefix === ''
      ? ['임의경매개시결정', '강제경매개시결정', '강제경매신청', '임의경매개시결정']
      : ['전부임의경매신청', '강제경매개시결정', '임의경매개시결정'],
  )
  const made = restrain(draft, target, {
    name,
    right: '경매',
    cause: courtCause(
      draft,
      name.includes('강제') ? '강제경매개시결정' : '임의경매개시결정',
      '타경',
    ),
    paragraphs: creditor.paragraphs,
    content: { persons: [creditor.truth] },
  })
  // cancellers do not repeat the share
  const cancellable = { entry: made.entry, name: name.replace('전부', '') }
  cancelLater(draft, cancellable, 0.35)
  return cancellable
}

export const enjoin = (draft: Draft, onto: { target: Entry; name: string } | null): Cancellable => {
  const creditor = printParty('채권자', '채권자', creditorOf(draft))
  const right = draft.random.pick([
    '소유권이전등기청구권',
    '소유권말소등기청구권',
    '사해행위취소로 인한 소유권이전등기말소등기청구권',
  ])
  const ban = '매매, 증여, 전세권, 저당권, 임차권의 설정 기타일체의 처분행위 금지'
  const target: ShareTarget =
    onto === null
      ? maybeShare(draft, 0.3)
      : { prefix: `${onto.target.rank}번${onto.name}`, target: onto.target.rank, owner: null }
  const made = restrain(draft, target, {
    name: '가처분',
    right: '가처분',
    cause: courtCause(draft, '가처분결정', draft.random.pick(['카단', '카합', '즈단'])),
    paragraphs: [labelled('피보전권리', right), ...creditor.paragraphs, labelled('금지사항', ban)],
    content: { persons: [creditor.truth], protected_right: right, prohibition_text: ban },
  })
  cancelLater(draft, made, 0.35)
  return made
}
