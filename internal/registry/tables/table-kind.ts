/** The kinds of tables in a certificate: their headings and columns. */
import { squeeze } from '../fields/normal-text.ts'

export const TABLE_KINDS = [
  'land',
  'building',
  'land_right_land',
  'exclusive_part',
  'land_right',
  'section_a',
  'section_b',
  'trade_list',
  'collateral_list',
  'holders',
] as const
export type TableKind = (typeof TABLE_KINDS)[number]

export const LIST_KINDS: ReadonlySet<TableKind> = new Set(['trade_list', 'collateral_list'])

/** One column head, and where its column begins on the grid of 108 units if the head cannot be read. */
type Head = Readonly<{ names: readonly string[]; unit: number }>
export type TableHead = Readonly<{ columns: readonly Head[] }>

/** The columns of rights tables. */
export const RANK = 0
export const PURPOSE = 1
export const RECEIPT = 2
export const CAUSE = 3
export const RIGHTS = 4

const rights: TableHead = {
  columns: [
    { names: ['순위번호'], unit: 0 },
    { names: ['등기목적'], unit: 10 },
    { names: ['접수'], unit: 30 },
    { names: ['등기원인'], unit: 46 },
    { names: ['권리자및기타사항'], unit: 62 },
  ],
}
const cause = '등기원인및기타사항'

/** The columns of each table, measured on a real certificate. */
export const TABLE_HEADS: Readonly<Record<TableKind, TableHead>> = {
  land: {
    columns: [
      { names: ['표시번호'], unit: 0 },
      { names: ['접수'], unit: 10 },
      { names: ['소재지번'], unit: 26 },
      { names: ['지목'], unit: 52 },
      { names: ['면적'], unit: 60 },
      { names: [cause], unit: 78 },
    ],
  },
  building: {
    columns: [
      { names: ['표시번호'], unit: 0 },
      { names: ['접수'], unit: 10 },
      {
        names: ['소재지번,건물명칭및번호', '소재지번및건물번호', '소재지번및건물명칭', '소재지번'],
        unit: 26,
      },
      { names: ['건물내역'], unit: 54 },
      { names: [cause], unit: 81 },
    ],
  },
  land_right_land: {
    columns: [
      { names: ['표시번호'], unit: 0 },
      { names: ['소재지번'], unit: 10 },
      { names: ['지목'], unit: 42 },
      { names: ['면적'], unit: 54 },
      { names: [cause], unit: 66 },
    ],
  },
  exclusive_part: {
    columns: [
      { names: ['표시번호'], unit: 0 },
      { names: ['접수'], unit: 10 },
      { names: ['건물번호'], unit: 26 },
      { names: ['건물내역'], unit: 45 },
      { names: [cause], unit: 65 },
    ],
  },
  land_right: {
    columns: [
      { names: ['표시번호'], unit: 0 },
      { names: ['대지권종류'], unit: 10 },
      { names: ['대지권비율'], unit: 45 },
      { names: [cause], unit: 65 },
    ],
  },
  section_a: rights,
  section_b: rights,
  trade_list: {
    columns: [
      { names: ['일련번호'], unit: 0 },
      { names: ['부동산의표시'], unit: 10 },
      { names: ['순위번호'], unit: 66 },
      { names: ['등기원인'], unit: 76 },
      { names: ['경정원인'], unit: 92 },
    ],
  },
  collateral_list: {
    columns: [
      { names: ['일련번호'], unit: 0 },
      { names: ['부동산에관한권리의표시'], unit: 10 },
      { names: ['관할등기소명', '관할등기소'], unit: 46 },
      { names: ['순위번호'], unit: 66 },
      { names: ['생성원인'], unit: 76 },
      { names: ['변경/소멸', '변경및소멸'], unit: 92 },
    ],
  },
  holders: {
    columns: [
      { names: ['등기명의인'], unit: 0 },
      { names: ['(주민)등록번호'], unit: 17 },
      { names: ['최종지분'], unit: 33 },
      { names: ['주소'], unit: 46 },
      { names: ['순위번호'], unit: 99 },
    ],
  },
}

/** Words of a two-row head that span other heads and are not the name of a column. */
export const SPANNING_HEADS: ReadonlySet<string> = new Set(['예비란', '기타사항'])

const OPEN = '[【\\[(\\uFF3B]*'
const BRACKETED: readonly (readonly [RegExp, TableKind])[] = [
  [/매매목록[】\])]?$/, 'trade_list'],
  [/(공동담보목록|공동전세목록)[】\])]?$/, 'collateral_list'],
  [/명의인[】\])]?/, 'holders'],
]

/** Which table a line opens, or null. Headings are compared without blanks. */
export const tableKindOf = (text: string): TableKind | null => {
  const line = squeeze(text)
  if (line.length > 40) return null
  if (/\(?대지권의목적인토지의표시\)?$/.test(line)) return 'land_right_land'
  if (/^[(]?대지권의표시[)]?$/.test(line)) return 'land_right'
  if (/전유부분의건물의표시\)?$/.test(line)) return 'exclusive_part'
  if (/\((1동의)?건물의표시\)$/.test(line)) return 'building'
  if (/\(토지의표시\)$/.test(line)) return 'land'
  const bracket = new RegExp(`^${OPEN}갑[구9][】\\])]?`).test(line)
  if ((bracket && /^[【[(]/.test(line)) || line === '(소유권에관한사항)') return 'section_a'
  const second = new RegExp(`^${OPEN}을[구9][】\\])]?`).test(line)
  if ((second && /^[【[(]/.test(line)) || line === '(소유권이외의권리에관한사항)')
    return 'section_b'
  if (!/^[【[]/.test(line)) return null
  return BRACKETED.find(([pattern]) => pattern.test(line))?.[1] ?? null
}
