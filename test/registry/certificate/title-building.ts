import { tight } from './calendar.ts'
import type { Draft } from './draft.ts'
import { makeLot } from './lists.ts'
import { type BuildingDetail, makeDetail } from './storeys.ts'
import { type Band, type Cell, lines, plain } from './text.ts'
import type { Title } from './title-land.ts'
import {
  type Column,
  columnsFrom,
  computerisedNote,
  type DisplayNumber,
  dayCell,
  dayTruth,
  displayTruth,
  makeRow,
  makeTable,
  strikeRow,
} from './title-row.ts'
import type { BuildingTitleTruth } from './truth.ts'
import { CITIES, DISTRICTS, METROPOLES, PROVINCES, QUARTERS, ROADS } from './vocabulary.ts'

/** Where a building stands, as its title row prints it. */
export type Site = {
  readonly address: string
  readonly name: string | null
  readonly part: string | null
  readonly road: string | null
}
type Row = { readonly band: Band; readonly truth: BuildingTitleTruth['building_entries'] & object }
type RowTruth = Row['truth'][number]

export const makePlace = (draft: Draft): string => {
  const { random } = draft
  const city = random.chance(0.4)
    ? random.pick(METROPOLES)
    : `${random.pick(PROVINCES)} ${random.pick(CITIES)}`
  return `${city} ${random.pick(DISTRICTS)} ${random.pick(QUARTERS)}`
}
export const makeLots = (draft: Draft): { lots: string; first: string; count: number } => {
  const first = makeLot(draft)
  if (!draft.wants('several_lots', 0.25)) return { lots: first, first, count: 1 }
  const others = Array.from({ length: draft.random.integer(1, 7) }, () => makeLot(draft))
  return { lots: [first, ...others].join(', '), first, count: others.length + 1 }
}
export const makeRoad = (draft: Draft, place: string): string =>
  `${place.split(' ').slice(0, -1).join(' ')} ${draft.random.pick(ROADS)} ${draft.random.integer(1, 350)}`

const siteCell = (site: Site, hasRoad: boolean): Cell => [
  plain(site.address),
  ...(site.name === null ? [] : [plain(site.name)]),
  ...(site.part === null ? [] : [plain(site.part)]),
  ...(hasRoad && site.road !== null ? roadCell(site.road) : []),
]
const roadCell = (road: string): Cell => lines('[도로명주소]', road)
const textOf = (cell: Cell): string =>
  cell.map((paragraph) => paragraph.runs.map((run) => run.text).join('  ')).join('\n')

const makeBuildingRow = (
  draft: Draft,
  display: DisplayNumber,
  cells: {
    readonly site: Cell
    readonly detail: Cell
    readonly cause: Cell
    readonly hasDate: boolean
  },
): { band: Band; truth: RowTruth } => {
  const day = cells.hasDate ? draft.receive().day : null
  const live = cells.detail.filter((paragraph) => paragraph.runs.some((run) => !run.struck))
  return {
    band: makeRow(display, [dayCell(day), cells.site, cells.detail], cells.cause),
    truth: {
      display_number: displayTruth(display),
      receipt_date: dayTruth(day),
      location_or_number: textOf(cells.site),
      // with a struck floor it is open whether the row's text shows it
      ...(live.length === cells.detail.length ? { building_detail: textOf(cells.detail) } : {}),
      cause_and_other: textOf(cells.cause),
      is_cancelled: false,
    },
  }
}

export type BuildingTable = {
  readonly bands: readonly Band[]
  readonly detail: BuildingDetail
  readonly truths: readonly RowTruth[]
  readonly road: string | null
}

/** What the building was before: struck, but for the note of computerisation. */
const makeOldRow = (
  draft: Draft,
  site: Site,
  isLarge: boolean,
): { band: Band; truth: RowTruth } => {
  const isCarried = draft.wants('previous_display_number', 0.5)
  const previous = isCarried ? `${draft.random.integer(1, 4)}` : null
  const cause = isCarried ? lines(computerisedNote(draft.today() + 30)) : []
  const detail = makeDetail(draft, isLarge, false).paragraphs
  const cells = { site: siteCell(site, false), detail, cause, hasDate: true }
  const { band, truth } = makeBuildingRow(draft, { number: '1', previous }, cells)
  strikeRow(band, isCarried)
  draft.cases.add('struck_title_row')
  return { band, truth: { ...truth, is_cancelled: true } }
}

/** Rows of the building: perhaps an old one that is struck, a note, and the road address in a row of its own. */
export const makeBuildingTable = (draft: Draft, site: Site, isLarge: boolean): BuildingTable => {
  const { random } = draft
  const rows: { band: Band; truth: RowTruth }[] = []
  const nextDisplay = () => ({ number: `${rows.length + 1}`, previous: null })
  if (!draft.isCurrentOnly && random.chance(0.4)) rows.push(makeOldRow(draft, site, isLarge))
  const isLater = site.road !== null && draft.wants('road_address_in_later_row', 0.3)
  const detail = makeDetail(draft, isLarge, true)
  const cause = rows.length > 0 ? lines('증축', `${tight(draft.today())} 등기`) : []
  const cells = { site: siteCell(site, !isLater), detail: detail.paragraphs, cause, hasDate: true }
  rows.push(makeBuildingRow(draft, nextDisplay(), cells))
  if (draft.wants('note_only_title_row', 0.15)) {
    const note = lines(
      random.pick(['건축법상 사용승인 받지 않은 건물임', '이 건물은 미등기 부속건물이 있음']),
    )
    rows.push(
      makeBuildingRow(draft, nextDisplay(), { site: [], detail: [], cause: note, hasDate: false }),
    )
  }
  if (isLater && site.road !== null) {
    const why = lines('도로명주소', `${tight(draft.today())} 등기`)
    const later = { site: roadCell(site.road), detail: [], cause: why, hasDate: false }
    rows.push(makeBuildingRow(draft, nextDisplay(), later))
  }
  if (site.road !== null) draft.cases.add('road_address')
  const bands = rows.map(({ band }) => band)
  return { bands, detail, truths: rows.map(({ truth }) => truth), road: site.road }
}

export const buildingTruth = (table: BuildingTable, address: string) => ({
  address,
  road_address: table.road,
  structure: table.detail.structure,
  roof_type: table.detail.roof,
  floors: table.detail.floors,
  building_type: table.detail.use,
  areas: [...table.detail.areas],
  total_floor_area: table.detail.total,
  building_entries: [...table.truths],
})

export const buildingColumns = (siteHead: string): Column[] => {
  const heads = ['표시번호', '접  수', siteHead, '건 물 내 역', '등기원인 및 기타사항']
  return columnsFrom(heads, [0, 10, 26, 54, 81, 108])
}

export const makeBuildingTitle = (draft: Draft): Title<BuildingTitleTruth> => {
  const place = makePlace(draft)
  const { lots, first, count } = makeLots(draft)
  const address = `${place} ${lots}`
  draft.location = `${place} ${first}`
  const road = draft.random.chance(0.6) ? makeRoad(draft, place) : null
  const site = { address, name: null, part: null, road }
  const table = makeBuildingTable(draft, site, false)
  if (count > 1) draft.cases.add('further_lots')
  const heading = { name: '표제부', subtitle: '( 건물의 표시 )' }
  return {
    tables: [makeTable(heading, buildingColumns('소재지번 및 건물번호'), table.bands)],
    truth: { property_type: 'building', ...buildingTruth(table, address) },
    propertyAddress: `${place} ${first}${count > 1 ? `외 ${count - 1}필지` : ''}`,
  }
}
