import type { CollateralRow } from './list-shape.ts'
import type { Printed } from './select.ts'
import type { Style } from './style.ts'
import type { Summary } from './summary.ts'
import { type Band, lines, plain, withoutStruck } from './text.ts'
import { columnsFrom, makePart, makeTable, type Table } from './title-row.ts'
import type { World } from './world.ts'

const SECTION_COLUMNS = columnsFrom(
  ['순위번호', '등 기 목 적', '접  수', '등 기 원 인', '권리자 및 기타사항'],
  [0, 10, 30, 46, 62, 108],
)
const TRADE_COLUMNS = columnsFrom(
  ['일련번호', '부동산의 표시', '순위번호', '등기원인', '경정원인'],
  [0, 10, 66, 76, 92, 108],
)
const COLLATERAL_COLUMNS = columnsFrom(
  ['일련번호', '부동산에 관한 권리의 표시', '관할등기소명', '순위번호', '생성원인', '변경/소멸'],
  [0, 10, 46, 66, 76, 92, 108],
)
const OWNER_COLUMNS = columnsFrom(
  ['등기명의인', '(주민)등록번호', '최종지분', '주  소', '순위번호'],
  [0, 17, 33, 46, 99, 108],
)

/** A current copy prints what is left of a band when everything struck is taken out. */
export const currentBand = (band: Band): Band => ({
  lead: [...withoutStruck(band.lead)],
  parts: band.parts
    .map((part) => ({
      ...part,
      middle: part.middle.map(withoutStruck),
      blocks: part.blocks.map(withoutStruck).filter((block) => block.length > 0),
    }))
    .filter((part) => [...part.middle, ...part.blocks].some((cell) => cell.length > 0)),
})

const sectionTable = (name: string, subtitle: string, bands: readonly Band[]): Table => ({
  ...makeTable({ name, subtitle }, SECTION_COLUMNS, bands),
  emptyText: bands.length === 0 ? '기록사항 없음' : null,
})

const tradeTables = ({ draft }: World): Table[] =>
  draft.tradeLists.map(({ truth, rows }) => ({
    ...makeTable(
      { name: '매매목록', subtitle: '' },
      TRADE_COLUMNS,
      rows.map((row) => ({
        lead: [plain(row.serial)],
        parts: [makePart([lines(row.property), lines(row.rank), lines(...row.cause)], [])],
      })),
    ),
    preface: [
      ['목록번호', truth.list_number],
      ['거래가액', `금${truth.trade_amount.toLocaleString('en-US')}원`],
    ],
    groupHead: '예 비 란',
  }))

const collateralBand = (row: CollateralRow): Band => {
  const share = row.share === null ? '' : ` ${row.share}`
  const right = `[${row.propertyType}] ${row.location}${share}`
  return {
    lead: [plain(row.serial)],
    parts: [
      makePart(
        [lines(right), lines(row.office), lines(row.rank), lines(...row.origin)],
        lines(...row.change),
      ),
    ],
  }
}
const collateralTables = ({ draft }: World): Table[] =>
  draft.collateralLists.map(({ number, rows }) => ({
    ...makeTable(
      { name: '공동담보목록', subtitle: '' },
      COLLATERAL_COLUMNS,
      rows.map(collateralBand),
    ),
    preface: [['목록번호', number]],
    groupHead: '기 타 사 항',
  }))

/** A copy of the current owners has a table of names in place of the sections. */
const ownerTable = (summary: Summary): Table => ({
  ...makeTable(
    { name: '명의인', subtitle: '' },
    OWNER_COLUMNS,
    summary.owners.map(({ cells }) => ({
      lead: [...(cells[0] ?? [])],
      parts: [makePart(cells.slice(1, -1), cells.at(-1) ?? [])],
    })),
  ),
  centresLead: false,
})

export type PrintedTables = {
  readonly tables: readonly Table[]
  readonly titleBands: readonly Band[]
  /** In the order of the printed entries. */
  readonly entryBands: { readonly a: readonly Band[]; readonly b: readonly Band[] }
  readonly listBands: readonly Band[]
  readonly hasSectionB: boolean
}

export const makeTables = (
  world: World,
  printed: Printed,
  summary: Summary,
  style: Style,
  showsEmptySectionB: boolean,
): PrintedTables => {
  const isWhole = style.copy === 'full' || style.copy === 'history'
  const bandsOf = (section: 'a' | 'b'): Band[] =>
    printed.sections[section].map(({ band }) => (isWhole ? band : currentBand(band)))
  const entryBands = { a: bandsOf('a'), b: bandsOf('b') }
  const titleBands = world.title.tables.flatMap(({ bands }) => bands)
  if (style.copy === 'owners') {
    const tables = [...world.title.tables, ownerTable(summary)]
    return { tables, titleBands, entryBands, listBands: [], hasSectionB: false }
  }
  const lists = style.copy === 'history' ? [] : [...tradeTables(world), ...collateralTables(world)]
  const hasSectionB = entryBands.b.length > 0 || (showsEmptySectionB && style.copy !== 'history')
  const sectionB = sectionTable('을구', '( 소유권 이외의 권리에 관한 사항 )', entryBands.b)
  const tables = [
    ...world.title.tables,
    sectionTable('갑구', '( 소유권에 관한 사항 )', entryBands.a),
    ...(hasSectionB ? [sectionB] : []),
    ...lists,
  ]
  const listBands = lists.flatMap(({ bands }) => bands)
  return { tables, titleBands, entryBands, listBands, hasSectionB }
}
