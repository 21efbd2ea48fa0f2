import { type Day, tight } from './calendar.ts'
import type { Draft } from './draft.ts'
import { type Band, type BandPart, indented, lines, plain, strikeBand, strikeCell } from './text.ts'
import {
  buildingColumns,
  buildingTruth,
  makeBuildingTable,
  makeLots,
  makePlace,
  makeRoad,
} from './title-building.ts'
import type { Title } from './title-land.ts'
import {
  columnsFrom,
  dayTruth,
  decimals,
  leadOf,
  makePart,
  makeRow,
  makeTable,
  type Table,
} from './title-row.ts'
import type { AggregateTitleTruth } from './truth.ts'
import { ESTATE_NAMES, ESTATE_NAMES_WITH_DIGITS, STRUCTURES } from './vocabulary.ts'

type Land = {
  readonly number: number
  readonly address: string
  readonly category: string
  readonly area: string
}
type LandTruth = (AggregateTitleTruth['land_right_entries'] & object)[number]

const landPart = (land: Land, cause: string): BandPart =>
  makePart(
    [
      [{ ...plain(`${land.number}. ${land.address}`), hang: 3 }],
      [plain(land.category)],
      [plain(land.area)],
    ],
    cause === '' ? [] : lines(cause),
  )
/** The location is without the number in front of it; whether the parser keeps that is open. */
const landTruth = (
  land: Land,
  display: string,
  cause: string | null,
  isCancelled: boolean,
): LandTruth => ({
  display_number: display,
  location: land.address,
  land_type: land.category,
  area: land.area,
  // printed once beside the first land; what the others get is open
  ...(cause === null ? {} : { cause_and_other: cause }),
  is_cancelled: isCancelled,
})

type LandTable = {
  readonly table: Table
  readonly truths: readonly LandTruth[]
  readonly count: number
}

const makeLandTable = (draft: Draft, place: string, lots: readonly string[]): LandTable => {
  const { random } = draft
  const note = `${tight(draft.today())} 등기`
  const area = (): string =>
    `${random.chance(0.5) ? random.integer(90, 9000) : decimals(draft, 90, 70000, 1)}㎡`
  const lands = lots.map((lot, index) => ({
    number: index + 1,
    address: `${place} ${lot}`,
    category: random.pick(['대', '대', '잡종지', '도로']),
    area: area(),
  }))
  const isPartlyStruck = !draft.isCurrentOnly && draft.wants('land_partly_struck', 0.25)
  const parts = lands.map((land, index) => landPart(land, index === 0 ? note : ''))
  const bands: Band[] = [{ lead: leadOf({ number: '1', previous: null }), parts }]
  const truths = lands.map((land, index) =>
    landTruth(land, '1', index === 0 ? note : null, isPartlyStruck && index === 0),
  )
  const [first] = lands
  if (isPartlyStruck && first !== undefined) {
    // land no. 1 is restated below; the note of its old line stays unstruck
    parts[0]?.middle.forEach(strikeCell)
    const why = ['1토지 착오발견', `${tight(draft.today())} 등기`]
    const restated = { ...first, area: area() }
    const part = {
      ...landPart(restated, ''),
      blocks: [[indented(why[0] ?? ''), plain(why[1] ?? '')]],
    }
    bands.push({ lead: leadOf({ number: '2', previous: null }), parts: [part] })
    truths.push(landTruth(restated, '2', why.join(' '), false))
  }
  if (lots.length > 1) draft.cases.add('several_lands')
  const heads = ['표시번호', '소 재 지 번', '지  목', '면  적', '등기원인 및 기타사항']
  const heading = { name: null, subtitle: '( 대지권의 목적인 토지의 표시 )' }
  const table = makeTable(heading, columnsFrom(heads, [0, 10, 42, 54, 66, 108]), bands)
  return { table, truths, count: lots.length }
}

const makeExclusivePart = (draft: Draft, number: string, day: Day) => {
  const { random } = draft
  const structure = random.pick(STRUCTURES.slice(0, 3))
  const area = decimals(draft, 18, 160, random.pick([1, 2, 4]))
  const isDivided = random.chance(0.2)
  const cause = isDivided
    ? `구분으로 인하여 ${draft.location} ${random.pick(ESTATE_NAMES)} 제6층 제601호에서 이기`
    : ''
  const detail = [structure, `${area}㎡`]
  const band = makeRow(
    { number: '1', previous: null },
    [lines(tight(day)), lines(number), lines(...detail)],
    cause === '' ? [] : lines(cause),
  )
  const heads = ['표시번호', '접  수', '건 물 번 호', '건 물 내 역', '등기원인 및 기타사항']
  const heading = { name: '표제부', subtitle: '( 전유부분의 건물의 표시 )' }
  const truth = {
    display_number: '1',
    receipt_date: dayTruth(day),
    building_number: number,
    building_detail: detail.join('\n'),
    cause_and_other: cause,
    is_cancelled: false,
  }
  return {
    table: makeTable(heading, columnsFrom(heads, [0, 10, 26, 45, 65, 108]), [band]),
    truth,
    area: Number(area),
  }
}

type RatioTruth = (AggregateTitleTruth['land_right_ratio_entries'] & object)[number]

/** A right that burdens the land alone is noted here, and its end too. */
const addRatioNotes = (draft: Draft, bands: Band[], truths: RatioTruth[], day: string): void => {
  const addNote = (...texts: readonly string[]): void => {
    const display = { number: `${bands.length + 1}`, previous: null }
    bands.push(makeRow(display, [[], []], lines(...texts)))
    truths.push({
      display_number: display.number,
      land_right_type: null,
      land_right_ratio: null,
      cause_and_other: texts.join('\n'),
      is_cancelled: false,
    })
  }
  if (!draft.wants('separate_registration', 0.4)) return
  addNote('별도등기 있음', '1토지(갑구2-1번 금지사항등기)', `${day} 등기`)
  if (draft.isCurrentOnly || !draft.wants('separate_registration_cancelled', 0.6)) return
  addNote('2번 별도등기 말소', `${tight(draft.today() + 45)} 등기`)
  const [band, truth] = [bands[1], truths[1]]
  if (band === undefined || truth === undefined) return
  truth.is_cancelled = true
  strikeBand(band)
}

const makeRatioTable = (draft: Draft, landCount: number) => {
  const { random } = draft
  const denominator = random.chance(0.4)
    ? `${random.integer(300, 9000)}`
    : decimals(draft, 300, 70000, 1)
  const numerator = decimals(draft, 10, 120, random.pick([2, 4]))
  const ratio = `${denominator}분의 ${numerator}`
  const kind = `${Array.from({ length: landCount }, (_, index) => index + 1).join(', ')} 소유권대지권`
  const day = tight(draft.today())
  const cause = [`${day} 대지권`, `${day} 등기`]
  const ratioCell = [{ ...plain(ratio), indent: 2, hang: 2 }]
  const bands = [
    makeRow({ number: '1', previous: null }, [lines(kind), ratioCell], lines(...cause)),
  ]
  const truths: RatioTruth[] = [
    {
      display_number: '1',
      land_right_type: kind,
      land_right_ratio: ratio,
      cause_and_other: cause.join('\n'),
      is_cancelled: false,
    },
  ]
  addRatioNotes(draft, bands, truths, day)
  const heads = ['표시번호', '대지권종류', '대지권비율', '등기원인 및 기타사항']
  const heading = { name: null, subtitle: '( 대지권의 표시 )' }
  const table = makeTable(heading, columnsFrom(heads, [0, 10, 45, 65, 108]), bands)
  return { table, truths, ratio, area: Number(denominator) }
}

const nameOf = (draft: Draft): string =>
  draft.wants('building_name_with_digits', 0.25)
    ? draft.random.pick(ESTATE_NAMES_WITH_DIGITS)
    : draft.random.pick(ESTATE_NAMES)

const propertyLine = (words: readonly (string | null)[]): string =>
  words.filter((each) => each !== null).join(' ')

const landTruths = (land: LandTable | null, ratio: ReturnType<typeof makeRatioTable> | null) => ({
  land_right_entries: [...(land?.truths ?? [])],
  land_right_ratio: ratio?.ratio ?? null,
  land_right_area: ratio?.area ?? null,
  land_right_ratio_entries: ratio?.truths ?? [],
})

export const makeAggregateTitle = (draft: Draft): Title<AggregateTitleTruth> => {
  const { random } = draft
  const place = makePlace(draft)
  const { lots, first, count } = makeLots(draft)
  draft.location = `${place} ${first}`
  const name = nameOf(draft)
  const part = random.chance(0.6) ? `제${random.integer(101, 118)}동` : null
  const road = random.chance(0.6) ? makeRoad(draft, place) : null
  const building = makeBuildingTable(draft, { address: `${place} ${lots}`, name, part, road }, true)
  const floor = random.integer(1, building.detail.floors)
  const number = `제${floor}층 제${floor}0${random.integer(1, 8)}호`
  const { day } = draft.receive()
  const exclusive = makeExclusivePart(draft, number, day)
  const hasLand = !draft.wants('no_land_right', 0.2)
  const land = hasLand ? makeLandTable(draft, place, lots.split(', ')) : null
  const ratio = land === null ? null : makeRatioTable(draft, land.count)
  if (count > 1) draft.cases.add('further_lots')
  const line = `${place} ${first}${count > 1 ? `외 ${count - 1}필지` : ''}`
  const heading = { name: '표제부', subtitle: '( 1동의 건물의 표시 )' }
  return {
    tables: [
      makeTable(heading, buildingColumns('소재지번,건물명칭 및 번호'), building.bands),
      ...(land === null ? [] : [land.table]),
      exclusive.table,
      ...(ratio === null ? [] : [ratio.table]),
    ],
    truth: {
      property_type: 'aggregate_building',
      ...buildingTruth(building, `${place} ${lots}`),
      building_name: name,
      exclusive_area: exclusive.area,
      exclusive_part_entries: [exclusive.truth],
      ...landTruths(land, ratio),
    },
    propertyAddress: propertyLine([line, name, part, number]),
  }
}
