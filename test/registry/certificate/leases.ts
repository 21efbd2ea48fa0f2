import type { AmountInfo } from '#core/registry/document.ts'
import { type Day, loose, padded, tight } from './calendar.ts'
import { cancelLater, causeBefore } from './cancellation.ts'
import type { Draft } from './draft.ts'
import { addEntry, isAlive } from './entry.ts'
import type { Entry } from './entry-shape.ts'
import { makeListNumber } from './lists.ts'
import { makeAmount, roundSum } from './money.ts'
import { importedFrom } from './mortgage-stories.ts'
import { mortgage } from './mortgages.ts'
import { annotation } from './ownership.ts'
import { makeOwner, printParty } from './people.ts'
import { labelled, lines, type Paragraph } from './text.ts'

export const scopeOf = (draft: Draft): string => {
  const { random } = draft
  return random.pick([
    `${random.integer(101, 1203)}호 건물 전부`,
    `${random.integer(1, 5)}층 전부`,
    `제${random.integer(101, 905)}호 전부`,
    `건물의 전부`,
    `${random.integer(1, 5)}층 ${random.integer(20, 200)}.${random.integer(10, 99)}㎡`,
  ])
}
export const termOf = (draft: Draft, from: Day): string => {
  const years = draft.random.integer(1, 15)
  const until = from + years * 365
  if (draft.wants('duration_on_two_lines', 0.5)) {
    return `${loose(from)}부터 ${loose(until)}까지(${years}년)`
  }
  return draft.random.pick([`${loose(until)}까지`, `${tight(from)}부터 ${years}년`])
}

export type Lease = {
  readonly entry: Entry
  readonly deposit: Paragraph
  readonly depositTruth: AmountInfo
  readonly scope: Paragraph
}

/** 전세권: deposit, scope, duration, holder. */
export const leaseOnDeposit = (draft: Draft): Lease => {
  const receipt = draft.receive()
  const depositTruth = makeAmount(draft, '보증금', roundSum(draft, 1, 60))
  const deposit = labelled('전세금', depositTruth.raw)
  const scopeText = scopeOf(draft)
  const scope = labelled('범  위', scopeText)
  const duration = termOf(draft, receipt.day)
  const holder = printParty('전세권자', '전세권자', makeOwner(draft))
  const carried = draft.wants('imported_purpose', 0.2) ? `${importedFrom(draft)} ` : ''
  const entry = addEntry(draft, 'b', {
    purposes: [
      {
        printed: `${carried}전세권설정`,
        right: '전세권',
        action: '설정',
        target: null,
        targetType: null,
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '설정계약'),
    blocks: [[[deposit, scope, labelled('존속기간', duration), ...holder.paragraphs]]],
    content: {
      amounts: [depositTruth],
      persons: [holder.truth],
      // whether the scope of a lease is a scope of the term as well is open
      term: { duration },
      lease: { lease_area: scopeText },
    },
  })
  return { entry, deposit, depositTruth, scope }
}

const changeLease = (draft: Draft, { entry, deposit, depositTruth, scope }: Lease): void => {
  const isDeposit = draft.random.chance(0.6)
  const receipt = draft.receive()
  const next = makeAmount(draft, '보증금', roundSum(draft, 1, 60))
  const nextScope = scopeOf(draft)
  for (const run of (isDeposit ? deposit : scope).runs) run.struck = true
  entry.superseded.add(isDeposit ? 'amounts' : 'lease')
  const by = addEntry(draft, 'b', {
    parent: entry,
    purposes: [
      {
        printed: `${entry.rank}번전세권변경`,
        right: '전세권',
        action: '변경',
        target: entry.rank,
        targetType: '전세권',
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, isDeposit ? '변경계약' : '건축물 합병'),
    blocks: [[[isDeposit ? labelled('전세금', next.raw) : labelled('범  위', nextScope)]]],
    content: isDeposit ? { amounts: [next] } : { lease: { lease_area: nextScope } },
  })
  if (!isDeposit) {
    delete by.content.term
    delete entry.content.lease
  } else {
    draft.cases.add('deposit_change')
    entry.content.amounts = (entry.content.amounts ?? []).filter((each) => each !== depositTruth)
  }
  const field = isDeposit ? '전세금' : '범위'
  entry.modifications.push({ by, truth: { type: 'change', changed_fields_guess: [field] } })
}

/** `1번 등기는 건물만에 관한 것임`: no purpose, no receipt, no cause. */
const noteBuildingOnly = (draft: Draft, entry: Entry): void => {
  draft.cases.add('empty_purpose')
  const day = draft.today()
  const text = `${entry.rank}번 등기는 건물만에 관한 것임`
  const by = addEntry(draft, 'b', {
    parent: entry,
    purposes: [{ printed: '', right: '부기등기', action: '부기' }],
    receipt: null,
    cause: null,
    blocks: [[lines(text, annotation(day, '부기', draft.random.chance(0.5)))]],
    content: { annotation_date: padded(day) },
  })
  entry.modifications.push({ by, truth: { type: 'annotate' } })
}

const jointLeaseList = (draft: Draft, entry: Entry): void => {
  draft.cases.add('joint_lease_list')
  const day = draft.today()
  const number = makeListNumber(draft)
  const by = addEntry(draft, 'b', {
    parent: entry,
    purposes: [
      {
        printed: `${entry.rank}번전세권공동목적변경`,
        right: '부기등기',
        action: '변경',
        target: entry.rank,
        targetType: '전세권',
      },
    ],
    receipt: null,
    cause: null,
    blocks: [
      [
        [
          labelled('공동전세목록', `제${number}호`),
          ...lines('구분건물구분으로 인하여', annotation(day, '부기', true)),
        ],
      ],
    ],
    content: { annotation_date: padded(day) },
  })
  // a list of joint leases is no list of collateral for certain
  delete by.content.collateral
  entry.openModifications.push(by)
}

export const leaseStory = (draft: Draft): void => {
  const made = leaseOnDeposit(draft)
  const { entry } = made
  if (draft.wants('empty_purpose', 0.3)) noteBuildingOnly(draft, entry)
  if (draft.wants('joint_lease_list', 0.35)) jointLeaseList(draft, entry)
  if (draft.wants('mortgage_on_lease', 0.25)) mortgage(draft, { parent: entry })
  if (draft.plans('deposit_change', 0.4))
    draft.pending.push(() => isAlive(entry) && changeLease(draft, made))
  cancelLater(draft, { entry, name: '전세권설정' }, 0.35)
}
