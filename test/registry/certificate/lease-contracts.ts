import { type Day, loose, padded, yearOf } from './calendar.ts'
import { cancelLater, causeBefore } from './cancellation.ts'
import type { Draft } from './draft.ts'
import { addEntry } from './entry.ts'
import { scopeOf, termOf } from './leases.ts'
import { makeAmount, roundSum } from './money.ts'
import { makeOwner, makePerson, printParty } from './people.ts'
import { labelled } from './text.ts'
import { COURTS } from './vocabulary.ts'

/** Some prints pad the days with zeros. */
const leaseDates = (draft: Draft, contract: Day) => {
  const print = draft.random.pick([loose, padded])
  return {
    paragraphs: [
      labelled('임대차계약일자', print(contract)),
      labelled('주민등록일자', print(contract + 35)),
      labelled('점유개시일자', print(contract + 33)),
      labelled('확정일자', print(contract + 1)),
    ],
    truth: {
      contract_date: padded(contract),
      resident_registration_date: padded(contract + 35),
      possession_start_date: padded(contract + 33),
      fixed_date: padded(contract + 1),
    },
  }
}

/** A lease that a court put on record: its purpose is just 주택임차권. */
export const leaseByOrder = (draft: Draft): void => {
  draft.cases.add('lease_order')
  const receipt = draft.receive()
  const dates = leaseDates(draft, receipt.day - draft.random.integer(500, 1500))
  const amount = makeAmount(draft, '보증금', roundSum(draft, 1, 40))
  const rent = rentOf(draft, 0.6)
  const area = scopeOf(draft)
  const holder = printParty('임차권자', '임차인', makePerson(draft))
  const number = `${yearOf(receipt.day)}카${draft.random.pick(['기', '임'])}${draft.random.integer(101, 9999)}`
  const entry = addEntry(draft, 'b', {
    purposes: [
      { printed: '주택임차권', right: '임차권', action: '설정', target: null, targetType: null },
    ],
    receipt,
    cause: causeBefore(draft, receipt, `${draft.random.pick(COURTS)}의 임차권등기명령(${number})`),
    blocks: [
      [
        [
          labelled('임차보증금', amount.raw),
          ...rent.paragraphs,
          labelled('범  위', area),
          ...dates.paragraphs,
          ...holder.paragraphs,
        ],
      ],
    ],
    content: {
      amounts: [amount, ...rent.amounts],
      persons: [holder.truth],
      lease: {
        ...dates.truth,
        lease_area: area,
      },
    },
  })
  delete entry.content.term
  cancelLater(draft, { entry, name: '주택임차권' }, 0.3)
}

const rentOf = (draft: Draft, noneChance: number) => {
  if (!draft.wants('monthly_rent', 1 - noneChance)) {
    if (!draft.wants('rent_none', 0.7)) return { paragraphs: [], amounts: [] }
    return { paragraphs: [labelled('차  임', '없음')], amounts: [] }
  }
  const raw = `월 금${draft.random.integer(2, 30)}00,000원`
  const value = Number(raw.replaceAll(/\D/g, ''))
  return { paragraphs: [labelled('차  임', raw)], amounts: [{ type: '차임' as const, value, raw }] }
}

export const leaseByContract = (draft: Draft): void => {
  const receipt = draft.receive()
  const amount = makeAmount(draft, '보증금', roundSum(draft, 1, 40))
  const rent = rentOf(draft, 0.4)
  const area = scopeOf(draft)
  const duration = termOf(draft, receipt.day)
  const holder = printParty('임차권자', '임차인', makeOwner(draft))
  const entry = addEntry(draft, 'b', {
    purposes: [
      { printed: '임차권설정', right: '임차권', action: '설정', target: null, targetType: null },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '설정계약'),
    blocks: [
      [
        [
          labelled('임차보증금', amount.raw),
          ...rent.paragraphs,
          labelled('범  위', area),
          labelled('존속기간', duration),
          ...holder.paragraphs,
        ],
      ],
    ],
    content: {
      amounts: [amount, ...rent.amounts],
      persons: [holder.truth],
      term: { duration },
      lease: { lease_area: area },
    },
  })
  cancelLater(draft, { entry, name: '임차권설정' }, 0.3)
}
