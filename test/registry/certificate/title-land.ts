import { tight } from './calendar.ts'
import type { Draft } from './draft.ts'
import { makeLot } from './lists.ts'
import { type Band, lines, plain } from './text.ts'
import {
  columnsFrom,
  computerisedNote,
  type DisplayNumber,
  dayCell,
  dayTruth,
  displayTruth,
  makeRow,
  makeTable,
  strikeRow,
  type Table,
} from './title-row.ts'
import type { LandTitleTruth } from './truth.ts'
import { CITIES, LAND_CATEGORIES, PROVINCES, TOWNSHIPS, VILLAGES } from './vocabulary.ts'

export type Title<Truth> = {
  readonly tables: readonly Table[]
  readonly truth: Truth
  readonly propertyAddress: string
}

const causeFor = (draft: Draft, place: string): string => {
  const area = draft.random.integer(3, 900)
  const lot = `${draft.random.integer(2, 700)}-${draft.random.integer(2, 30)}`
  return draft.random.pick([
    '지목변경',
    `분할로 인하여 전 ${area}㎡를 ${place} ${lot}에 이기`,
    `합병으로 인하여 대 ${area}㎡를 동소 ${lot}에서 이기`,
    '등록전환',
    '토지대장과의 면적 불일치',
    `행정구역명칭변경으로 인하여 ${tight(draft.today())} 등기`,
  ])
}

const areaOf = (draft: Draft): string => {
  const { random } = draft
  const whole = random.integer(30, 4200)
  if (random.chance(0.15)) return `${whole}.${random.integer(1, 9)}㎡`
  return `${random.chance(0.5) ? whole.toLocaleString('en-US') : whole}㎡`
}

type LandRow = {
  readonly band: Band
  readonly truth: (LandTitleTruth['land_entries'] & object)[number]
}

const makeLandRow = (
  draft: Draft,
  display: DisplayNumber,
  land: { readonly address: string; readonly cause: string; readonly isCancelled: boolean },
): LandRow => {
  const { day } = draft.receive()
  const isCarried = display.previous !== null
  const category = draft.random.pick(LAND_CATEGORIES)
  const area = areaOf(draft)
  const cause = isCarried ? computerisedNote(day + 40) : land.cause
  const middle = [dayCell(day), [plain(land.address)], [plain(category)], [plain(area)]]
  const band = makeRow(display, middle, cause === '' ? [] : lines(cause))
  if (land.isCancelled) strikeRow(band, isCarried)
  if (isCarried) draft.cases.add('previous_display_number').add('computerised_note')
  return {
    band,
    truth: {
      display_number: displayTruth(display),
      receipt_date: dayTruth(day),
      location: land.address,
      land_type: category,
      area,
      cause_and_other: cause,
      is_cancelled: land.isCancelled,
    },
  }
}

/** Rows that follow one another: each strikes the one before it. */
const makeLandRows = (draft: Draft, place: string, address: string): LandRow[] => {
  const { random } = draft
  const count = random.integer(1, 4)
  const isOld = random.chance(0.45)
  const rows = Array.from({ length: count }, (_, index) => {
    const previous = index === 0 && isOld ? `${random.integer(1, 6)}` : null
    const cause = index === 0 ? '' : causeFor(draft, place)
    const isCancelled = index < count - 1
    return makeLandRow(draft, { number: `${index + 1}`, previous }, { address, cause, isCancelled })
  })
  return draft.isCurrentOnly ? rows.slice(-1) : rows
}

export const makeLandTitle = (draft: Draft): Title<LandTitleTruth> => {
  const { random } = draft
  const place = `${random.pick(PROVINCES)} ${random.pick(CITIES)} ${random.pick(TOWNSHIPS)} ${random.pick(VILLAGES)}`
  const address = `${place} ${makeLot(draft)}`
  draft.location = address
  const printed = makeLandRows(draft, place, address)
  if (printed.length > 1) draft.cases.add('struck_title_row')
  const current = printed.at(-1)?.truth
  const inner = draft.cases.has('other_land_columns') ? [53, 61, 79] : [52, 60, 78]
  const heads = ['표시번호', '접  수', '소 재 지 번', '지  목', '면  적', '등기원인 및 기타사항']
  const columns = columnsFrom(heads, [0, 10, 26, ...inner, 108])
  const bands = printed.map(({ band }) => band)
  return {
    tables: [makeTable({ name: '표제부', subtitle: '( 토지의 표시 )' }, columns, bands)],
    truth: {
      property_type: 'land',
      address,
      land_type: current?.land_type ?? null,
      land_area: current?.area ?? null,
      land_entries: printed.map(({ truth }) => truth),
    },
    propertyAddress: address,
  }
}
