import { describe, expect, it } from 'vitest'
import { parseRegistry } from '#registry/parse-registry.ts'
import { registryDocumentSchema } from '#registry/schema/document.ts'
import { measuredPages } from './measured-pages.ts'

/**
 * Pages of one real certificate, measured and made anonymous, as a check that does not come from our own generator. Some
 * pages are missing, and with them some entries that the others mention.
 */
function parseSample() {
  const pages = [
    ...measuredPages('geometry-p01-title-first-page.tsv', 1),
    ...measuredPages('geometry-p03-landright-land.tsv', 3),
    ...measuredPages('geometry-p04-exclusive-landright-gapgu.tsv', 4),
    ...measuredPages('geometry-p08-eulgu.tsv', 8),
    ...measuredPages('geometry-p09-last-page.tsv', 9),
    ...measuredPages('geometry-p10-p11-summary.tsv', 10),
  ]
  const source = { pages, picture: null, isTextBased: true }
  const parsed = parseRegistry(source, { parsedAt: '2026-11-21T00:00:00Z', documentId: null })
  if (parsed.kind === 'refused') throw new Error(parsed.message)
  return registryDocumentSchema.parse(parsed.document)
}

describe('the measured certificate', () => {
  const document = parseSample()
  const { title } = document
  if (title.property_type !== 'aggregate_building') throw new Error('wrong kind')

  it('is known by its head and foot', () => {
    expect(document).toMatchObject({
      profile: {
        certificate_type: 'full',
        include_cancellations: true,
        property_type: 'aggregate_building',
        layout_profile: 'iros_view_v1',
      },
      property_address: '다라도 마바시 가나동 111-222외 2필지 가나다라타워 제6층 제605호',
      jurisdiction: '퍼허지방법원 사아지원 마바등기소',
      viewed_at: '2026년 08월 20일 13시 36분 53초',
      issued_at: null,
    })
  })

  it('has a title whose struck rows are dead', () => {
    expect(title.building_entries.map((entry) => entry.is_cancelled)).toEqual([true, true, false])
    expect(title.building_entries[0]?.building_detail.split('\n')).toEqual([
      '철근콘크리트조',
      '철근콘크리트지붕 11층',
      '근린생활시설',
      '지하1층 3212.47㎡',
      '지하2층 3221.77㎡',
      '1층 2533.4㎡',
      '2층 2512.34㎡',
      '10층 858.28㎡',
      '옥탑1층 113.13㎡',
      '옥탑2층 128.12㎡',
    ])
    expect(title.road_address).toBe('다라도 마바시 다라로 328')
    expect(title.exclusive_area).toBe(400.2)
    expect(title).toMatchObject({ land_right_ratio: '3956분의 111.33', land_right_area: 3956 })
  })

  it('has four lands, of which the struck one is dead', () => {
    const lands = title.land_right_entries.map((land) => [
      land.land_type,
      land.area,
      land.is_cancelled,
    ])
    expect(lands).toEqual([
      ['대', '949㎡', true],
      ['잡종지', '1㎡', false],
      ['잡종지', '8㎡', false],
      ['대', '3947㎡', false],
    ])
  })

  it('has compound transfers in section A, one with a trustee of a new name', () => {
    const [first, rename, second] = document.section_a
    expect(first).toMatchObject({
      rank_number: '1',
      previous_rank: '42',
      purpose: { raw: '소유권이전\n신탁', right_type: '소유권이전' },
      receipt: { date: '2021년 02월 26일', number: '23007호' },
      cause: { text: '신탁', date: '2021년 02월 25일' },
      provenance: { is_visual_cancelled: false },
      status: { is_cancelled: false, modifications: [{ by_rank: '1-1', type: 'change' }] },
    })
    expect(rename?.purpose).toMatchObject({ target_rank: '1', right_type: '등기명의인표시변경' })
    expect(second?.purpose.sub_purposes.map(({ raw }) => raw)).toEqual([
      '합병한 226.99㎡에 대한 이기 소유권이전',
      '신탁',
    ])
    expect(second?.content.persons).toEqual([
      {
        name: '가나다신탁주식회사',
        role: '수탁자',
        resident_number: '000000-0000000',
        address: '가나특별시 퍼허구 카타대로 416, 13층 (자차동,가나타워)',
        share: null,
      },
    ])
  })

  it('has a lease whose struck deposit and scope the later entries replace', () => {
    const [lease, , , , deposit] = document.section_b
    expect(lease).toMatchObject({
      rank_number: '1',
      previous_rank: '7',
      provenance: { is_visual_cancelled: false },
      status: { is_cancelled: false },
    })
    expect(lease?.content.amounts).toEqual([])
    expect(lease?.content.term?.duration).toBe('2019년 11월 28일부터 2034년 11월 27일까지(15년)')
    expect(lease?.status.modifications.map((change) => [change.by_rank, change.type])).toEqual([
      ['1-1', 'annotate'],
      ['1-2', 'change'],
      ['1-3', 'change'],
      ['1-4', 'change'],
    ])
    expect(deposit?.content.amounts).toEqual([
      { type: '보증금', value: 20_000_000, raw: '금20,000,000원' },
    ])
  })

  it('has a mortgage that a later entry cancels, and two that live', () => {
    const mortgages = document.section_b.filter(({ purpose }) => purpose.raw === '근저당권설정')
    const status = mortgages.map(({ status, provenance }) => [
      status.is_cancelled,
      status.cancelled_by_rank,
      status.cancellation_cause,
      provenance.is_visual_cancelled,
    ])
    expect(status).toEqual([
      [true, '3', '해지', true],
      [false, null, null, false],
      [false, null, null, false],
    ])
    expect(mortgages[2]?.content.collateral?.list_number).toBe('2023-1344')
    expect(mortgages[2]?.content.persons.map(({ name, role }) => [name, role])).toEqual([
      ['정자차', '채무자'],
      ['남사아', '근저당권자'],
    ])
  })

  it('has a summary', () => {
    expect(document.major_summary?.owners).toMatchObject([
      { name: '주식회사다라마바사', final_share: '단독소유', rank_number: '10' },
    ])
    const rights = document.major_summary?.rights.map((right) => [
      right.rank_number,
      right.registration_purpose,
      right.receipt_number,
      right.creditor,
      right.max_claim_amount ?? right.bond_amount ?? right.deposit_amount,
      right.is_cancelled,
    ])
    expect(rights).toEqual([
      ['12', '압류', '86890호', '국민건강보험공단', null, false],
      ['16', '가압류', '105736호', '문다라', 67_124_038, false],
      ['1', '전세권설정', '86047호', '주식회사나다라마바사', 10_000_000, false],
      ['1-4', '전세권변경', '39612호', null, 20_000_000, false],
      ['4', '근저당권설정', '41214호', '가나농업협동조합', 1_920_000_000, false],
    ])
  })

  it('leaves no entry with furniture of the page in it', () => {
    for (const entry of [...document.section_a, ...document.section_b]) {
      expect(entry.raw_text).not.toMatch(/이\s*하\s*여\s*백|관할등기소|열람일시|말소사항을 표시함/)
    }
  })
})
