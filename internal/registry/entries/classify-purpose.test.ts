import { describe, expect, it } from 'vitest'
import { classifyPurpose } from './classify-purpose.ts'
import type { Section } from './purpose-text.ts'

/** Purpose, right, action, target ranks, and the target's owner (section A) or type (section B) if the words name it. */
type Line = readonly (string | null)[]

const SECTION_A: readonly Line[] = [
  ['소유권보존', '소유권보존', '설정'],
  ['소유권이전', '소유권이전', '이전'],
  ['소유권일부이전', '소유권이전', '일부이전'],
  ['2번홍길동지분전부 이전', '소유권이전', '이전', '2', '홍길동'],
  ['2번홍길동지분4분의1중 일부(8분의1)이전', '소유권이전', '일부이전', '2', '홍길동'],
  ['공유자전원지분전부 이전', '소유권이전', '이전'],
  ['소유권이전청구권가등기', '가등기', '설정'],
  ['2번소유권이전청구권의이전', '가등기', '이전', '2'],
  ['3번소유권이전청구권가등기말소', '가등기', '말소', '3'],
  ['1번등기명의인표시 변경', '등기명의인표시변경', '변경', '1'],
  ['2번등기명의인표시경정', '등기명의인표시변경', '경정', '2'],
  ['가압류', '가압류', '설정'],
  ['2번한다솜지분가압류', '가압류', '설정', '2', '한다솜'],
  ['압류', '압류', '설정'],
  ['3번서라온지분압류', '압류', '설정', '3', '서라온'],
  ['임의경매개시결정', '경매', '설정'],
  ['강제경매개시결정', '경매', '설정'],
  ['강제경매신청', '경매', '설정'],
  ['가처분', '가처분', '설정'],
  ['금지사항등기', '부기등기', '부기'],
  ['3번소유권이전청구권가처분', '가처분', '설정', '3'],
  ['2번한다솜지분전부임의경매신청', '경매', '설정', '2', '한다솜'],
  ['압류말소통지', '미분류', '설정'],
  ['2번가압류등기일부말소', '가압류', '변경', '2'],
  ['1-1번금지사항등기말소', '부기등기', '말소', '1-1'],
  ['신탁', '신탁', '설정'],
  ['1번신탁등기말소', '신탁', '말소', '1'],
  ['4번압류, 5번압류, 6번가압류 등기말소', '압류', '말소', '4,5,6'],
  ['7번강제경매신청등기말소', '경매', '말소', '7'],
  ['소유권이전등기말소예고등기', '미분류', '설정'],
  ['3번가압류, 4번임의경매개시결정, 5번압류 등기말소', '가압류', '말소', '3,4,5'],
  ['2번주식회사누리지분전부이전', '소유권이전', '이전', '2', '주식회사누리'],
  ['강제경매개시결정(3번가압류의 본압류로의 이행)', '경매', '설정'],
  ['2번한다솜지분강제경매개시결정(3번가압류의 본압류로의 이행)', '경매', '설정', '2', '한다솜'],
  ['소유권이전(지분2분의1)', '소유권이전', '이전'],
  ['파산선고', '미분류', '설정'],
  ['회생절차개시결정', '미분류', '설정'],
]

const SECTION_B: readonly Line[] = [
  ['근저당권설정', '근저당권', '설정'],
  ['1번전세권근저당권설정', '근저당권', '설정', '1', '전세권'],
  ['갑구5번서라온지분근저당권설정', '근저당권', '설정', '5'],
  ['1번근저당권이전', '근저당권', '이전', '1'],
  ['1번근저당권변경', '근저당권', '변경', '1'],
  ['1번근저당권담보추가', '근저당권', '변경', '1'],
  ['1번근저당권부질권', '부기등기', '부기', '1', '근저당권'],
  ['1번근저당권부채권근질권설정', '부기등기', '부기', '1', '근저당권'],
  ['1번근저당권부채권가압류', '가압류', '설정', '1', '근저당권'],
  ['전세권설정', '전세권', '설정'],
  ['1번전세권변경', '전세권', '변경', '1'],
  ['1번전세권공동목적변경', '부기등기', '변경', '1', '전세권'],
  ['합병한 355.58㎡에 대한 이기 전세권설정', '전세권', '설정'],
  ['주택임차권', '임차권', '설정'],
  ['임차권설정', '임차권', '설정'],
  ['지상권설정', '지상권', '설정'],
  ['지역권설정', '지역권', '설정'],
  ['2번근저당권설정등기말소', '근저당권', '말소', '2'],
  ['1번 내지 3번 근저당권설정등기말소', '근저당권', '말소', '1,2,3'],
  ['4번근저당권설정등기회복', '근저당권', '변경', '4'],
  ['1번근저당권변경(공동담보추가)', '근저당권', '변경', '1'],
  ['1번근저당권이전(일부)', '근저당권', '일부이전', '1'],
  ['1번근저당권설정등기말소(지분 일부)', '근저당권', '변경', '1'],
  ['1번근저당권설정등기말소(해지)', '근저당권', '말소', '1'],
]

const classify = (line: Line, section: Section): void => {
  const [raw = '', right, action, target = null, last = null] = line
  const { purpose } = classifyPurpose(raw ?? '', { section, rank: '9' })
  const about = section === 'section_a' ? purpose.target_owner : purpose.target_type
  const found = [purpose.right_type, purpose.action_type, purpose.target_rank, about]
  expect(found).toEqual([right, action, target, last])
}

describe('a purpose', () => {
  it.each(SECTION_A)('of section A, %s, is %s, %s', (...line) => {
    classify(line, 'section_a')
  })
  it.each(SECTION_B)('of section B, %s, is %s, %s', (...line) => {
    classify(line, 'section_b')
  })

  it('names the section of its target where it is another than its own', () => {
    const place = { section: 'section_b', rank: '4' } as const
    const found = classifyPurpose('갑구5번서라온지분근저당권설정', place)
    expect(found).toMatchObject({ targetSection: 'section_a', ownerNote: '서라온' })
  })

  it('of a part entry without words is a note to its parent', () => {
    const { purpose } = classifyPurpose('', { section: 'section_b', rank: '1-1' })
    expect(purpose).toMatchObject({ right_type: '부기등기', action_type: '부기' })
  })
})
