/** The labels of the rights column and the field that each of them fills. */
import type { AmountType, PersonRole } from '../schema/entry.ts'

/** The kind of field that a label of the rights column begins. */
export type LabelKind =
  | Readonly<{ kind: 'person'; role: PersonRole }>
  | Readonly<{ kind: 'amount'; type: AmountType }>
  | Readonly<{ kind: 'text'; field: TextField }>
  /**
   * Known words without their own field. They go to `notes_raw` as printed [documents 7.3]. Some are also words of a
   * sentence, and labels only before a wide gap.
   */
  | Readonly<{ kind: 'note'; isWord: boolean }>

export type TextField =
  | 'purpose'
  | 'scope'
  | 'duration'
  | 'land_rent'
  | 'contract_date'
  | 'resident_registration_date'
  | 'possession_start_date'
  | 'fixed_date'
  | 'lease_area'
  | 'protected_right'
  | 'prohibition_text'
  | 'trade_list'
  | 'collateral_list'
  | 'collateral'

const person = (role: PersonRole): LabelKind => ({ kind: 'person', role })
const amount = (type: AmountType): LabelKind => ({ kind: 'amount', type })
const text = (field: TextField): LabelKind => ({ kind: 'text', field })
const note: LabelKind = { kind: 'note', isWord: true }
const agent: LabelKind = { kind: 'note', isWord: false }

/** The labels of the rights column, without blanks [documents 7.3], [documents 7.4]. */
const LABELS: ReadonlyMap<string, LabelKind> = new Map([
  ['소유자', person('소유자')],
  ['공유자', person('공유자')],
  ['합유자', person('공유자')],
  ['잔존합유자', person('공유자')],
  ['수탁자', person('수탁자')],
  ['채무자', person('채무자')],
  ['연대채무자', person('채무자')],
  ['채무자겸설정자', person('채무자')],
  ['채무자겸근저당권설정자', person('채무자')],
  ['근저당권자', person('근저당권자')],
  ['공동근저당권자', person('근저당권자')],
  ['저당권자', person('근저당권자')],
  ['공동저당권자', person('근저당권자')],
  ['전세권자', person('전세권자')],
  ['공동전세권자', person('전세권자')],
  ['전전세권자', person('전세권자')],
  ['임차권자', person('임차인')],
  ['공동임차권자', person('임차인')],
  ['전차인', person('임차인')],
  ['임차인', person('임차인')],
  ['지상권자', person('지상권자')],
  ['구분지상권자', person('지상권자')],
  ['지역권자', person('권리자')],
  ['가등기권자', person('권리자')],
  ['환매권자', person('권리자')],
  ['질권자', person('채권자')],
  ['근질권자', person('채권자')],
  ['채권자', person('채권자')],
  ['권리자', person('권리자')],
  ['채권최고액', amount('채권최고액')],
  ['채권액', amount('채권액')],
  ['전세금', amount('보증금')],
  ['전전세금', amount('보증금')],
  ['임차보증금', amount('보증금')],
  ['보증금', amount('보증금')],
  ['차임', amount('차임')],
  ['월차임', amount('차임')],
  ['청구금액', amount('청구금액')],
  ['거래가액', amount('거래가액')],
  ['목적', text('purpose')],
  ['범위', text('scope')],
  ['존속기간', text('duration')],
  ['지료', text('land_rent')],
  ['목적및범위', text('scope')],
  ['전세권의목적인범위', text('scope')],
  ['임대차기간', text('duration')],
  ['임대차계약일자', text('contract_date')],
  ['임대차계약일', text('contract_date')],
  ['임대차계약체결일', text('contract_date')],
  ['임대차계약체결일자', text('contract_date')],
  ['주민등록일자', text('resident_registration_date')],
  ['주민등록일', text('resident_registration_date')],
  ['전입신고일자', text('resident_registration_date')],
  ['전입신고일', text('resident_registration_date')],
  ['전입일자', text('resident_registration_date')],
  ['점유개시일자', text('possession_start_date')],
  ['점유개시일', text('possession_start_date')],
  ['확정일자', text('fixed_date')],
  ['임차건물', text('lease_area')],
  ['임차할부분', text('lease_area')],
  ['임차부분', text('lease_area')],
  ['임차범위', text('lease_area')],
  ['임차목적물', text('lease_area')],
  ['피보전권리', text('protected_right')],
  ['금지사항', text('prohibition_text')],
  ['매매목록', text('trade_list')],
  ['공동담보목록', text('collateral_list')],
  ['공동전세목록', text('collateral_list')],
  ['공동담보', text('collateral')],
  ['공동전세', text('collateral')],
  ['공동목적', text('collateral')],
  ...[
    '위탁자',
    '수익자',
    '대위자',
    '대위원인',
    '변제기',
    '이자',
    '요역지',
    '승역지',
    '특약',
    '특약사항',
    '부종성',
    '지료의지급시기',
    '차임의지급시기',
    '신탁원부',
    '환매대금',
    '환매기간',
    '매매대금',
    '매매비용',
    '목록번호',
    '접수',
    '반환기',
    '위약금',
    '차임지급시기',
    '지급시기',
    '지료지급시기',
    '이자지급시기',
    '이자의지급장소',
    '원본의지급장소',
    '원본및이자의지급장소',
    '계약비용',
    '권리소멸약정',
    '공유물불분할약정',
    '사업자등록신청일자',
    '사업자등록신청일',
    '도면',
    '도면편철장',
    '원본',
    '손해배상',
    '양도액',
    '변제액',
    '선정자',
    '취급지점',
    '원인',
  ].map((word): [string, LabelKind] => [word, note]),
  // persons and offices that act for a holder, and where it is served; they may be indented as its address is
  ...[
    '관리청',
    '관리기관',
    '처분청',
    '대표자',
    '대표이사',
    '법정대리인',
    '친권자',
    '후견인',
    '특별대리인',
    '업무집행자',
    '설정자',
    '근저당권설정자',
    '전세권설정자',
    '물상보증인',
    '대위신청인',
    '대위채권자',
    '파산관재인',
    '관리인',
    '공동관리인',
    '대리인',
    '지배인',
    '송달장소',
    '국내영업소',
    '대한민국에서의대표자',
    '국내에서의대표자',
  ].map((word): [string, LabelKind] => [word, agent]),
])

/** A person's label with a word about the person: `채권자(선정당사자)`. */
const EXPLAINED = /^([가-힣]+)\([가-힣]{2,10}\)$/

/** A holder of a right without a role of its own, such as 광업권자. */
const OTHER_HOLDER = /^[가-힣]{2,8}권자$/

/** Whether a label names a holder of a right that has no role: it takes 권리자, with a warning. */
export const isOtherHolder = (label: string): boolean =>
  !LABELS.has(label) && OTHER_HOLDER.test(label)

/** What a label means. @param label without blanks */
export const meaningOf = (label: string): LabelKind | undefined => {
  const known = LABELS.get(label)
  if (known !== undefined) return known
  if (OTHER_HOLDER.test(label)) return person('권리자')
  const explained = LABELS.get(EXPLAINED.exec(label)?.[1] ?? '')
  return explained?.kind === 'person' ? explained : undefined
}

const LONGEST = Math.max(...[...LABELS.keys()].map((label) => label.length))

/** Whether a known label begins with the text, so that the next line may complete it. */
export const isPrefixOfLabel = (text: string): boolean => {
  if (text.length > LONGEST) return false
  for (const label of LABELS.keys()) if (label.startsWith(text)) return true
  return false
}
