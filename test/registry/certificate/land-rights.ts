import { loose } from './calendar.ts'
import { cancelLater, causeBefore } from './cancellation.ts'
import type { Draft } from './draft.ts'
import { addEntry } from './entry.ts'
import { makeOtherLocation } from './lists.ts'
import { makeBank, printParty } from './people.ts'
import { labelled } from './text.ts'

export const superficies = (draft: Draft): void => {
  draft.cases.add('superficies')
  const { random } = draft
  const receipt = draft.receive()
  const purpose = random.pick([
    '건물 기타 공작물이나 수목의 소유',
    '철근콘크리트조 건물의 소유',
    '송전선로의 건설',
  ])
  const scope = random.pick(['토지의 전부', '토지의 동쪽 330㎡'])
  const duration = `${loose(receipt.day)}부터 ${random.pick(['30년', '만 30년', '15년'])}`
  const rent = random.pick(['없음', '월 금500,000원', '연 금1,200,000원'])
  const holder = printParty('지상권자', '지상권자', makeBank(draft))
  const entry = addEntry(draft, 'b', {
    purposes: [
      { printed: '지상권설정', right: '지상권', action: '설정', target: null, targetType: null },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '설정계약'),
    blocks: [
      [
        [
          labelled('목  적', purpose),
          labelled('범  위', scope),
          labelled('존속기간', duration),
          labelled('지  료', rent),
          ...holder.paragraphs,
        ],
      ],
    ],
    content: { term: { purpose, scope, duration, land_rent: rent }, persons: [holder.truth] },
  })
  cancelLater(draft, { entry, name: '지상권설정' }, 0.4)
}

/** The right of a neighbour's land; who holds it is told by that land. */
export const easement = (draft: Draft): void => {
  draft.cases.add('easement')
  const receipt = draft.receive()
  const purpose = draft.random.pick(['통행', '전선로의 설치', '용수'])
  const scope = draft.random.pick(['서쪽 50㎡', '토지의 남쪽 12㎡'])
  const land = makeOtherLocation(draft)
  const entry = addEntry(draft, 'b', {
    purposes: [
      { printed: '지역권설정', right: '지역권', action: '설정', target: null, targetType: null },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '설정계약'),
    blocks: [[[labelled('목  적', purpose), labelled('범  위', scope), labelled('요역지', land)]]],
    content: { term: { purpose, scope }, notes_contain: [land] },
  })
  cancelLater(draft, { entry, name: '지역권설정' }, 0.3)
}
