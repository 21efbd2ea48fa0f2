/** Reads lot address, road address and name of a building from one cell. */
import { type CellLine, joinLines } from '../tables/cell-text.ts'
import { plainText } from './title-row.ts'

export type BuildingPlace = Readonly<{
  address: string | null
  roadAddress: string | null
  buildingName: string | null
}>

const ROAD_TAG = /\[\s*도로명\s*주소\s*\]/
/** A lot of a new district, which has no number of a cadastral lot yet: `M1블록 1로트`. */
const BLOCK = '[^\\s,\\d]{0,8}\\d{1,4}(?:-\\d{1,4})?블[록럭](?:\\s?\\d{1,4}(?:-\\d{1,4})?[로롯]트)?'
/** Matches a line that ends in a lot, with or without a comma: `825`, `산44-7`, `7-1번지`, `외 2필지` (also on its own line). */
const ENDS_IN_LOT = new RegExp(
  `((^|[\\s,])(산?\\s?\\d+(-\\d+)?(번지)?|${BLOCK}|\\d+(-\\d+)?[로롯]트)|\\d+\\s?필지),?$`,
)
/** A lot with the name of the building behind it: `바람리 113-2 가온빌라`. */
const LOT_AND_NAME = /^(.*?\d(?:번지)?(?:\s?외\s?\d+\s?필지)?)\s+([^\d\s,].*)$/
/** Further lots with the name of the building behind them, on a line of their own: `외 3필지 누리1차아파트`. */
const FURTHER_AND_NAME = /^(외\s?\d+\s?필지)\s+(\S.*)$/
const DWELLING = /^제\S+동$/
/** The number of the dwelling on the line of the name: `누리아파트 제3동`. */
const NAME_AND_DWELLING = /\s제\S{1,5}동$/

const joined = (lines: readonly CellLine[], right: number): string | null => {
  const text = joinLines(lines, right).trim()
  return text === '' ? null : text
}

/** Joins lots that a line break split at the hyphen. */
const joinLots = (lines: readonly CellLine[]): readonly CellLine[] => {
  const joined: CellLine[] = []
  for (const line of lines) {
    const before = joined.at(-1)
    const texts = before === undefined ? [] : [plainText(before), plainText(line)]
    const isBroken = /\d-$/.test(texts[0] ?? '') || /^-\d/.test(texts[1] ?? '')
    if (before === undefined || !isBroken) joined.push(line)
    else joined[joined.length - 1] = { ...before, pieces: [...before.pieces, ...line.pieces] }
  }
  return joined
}

const textAt = (lines: readonly CellLine[], at: number): string => {
  const line = lines[at]
  return line === undefined ? '' : plainText(line)
}

const withBlank = (...texts: readonly (string | null | undefined)[]): string | null => {
  const text = texts.filter((each) => each !== null && each !== undefined).join(' ')
  return text === '' ? null : text
}

/** Address and name where one line has the end of the lot and the beginning of the name. */
const splitPlace = (lots: readonly CellLine[], mixed: number, right: number) => {
  const line = lots[mixed]
  const text = line === undefined ? '' : plainText(line)
  const [, lot, name = ''] = FURTHER_AND_NAME.exec(text) ?? LOT_AND_NAME.exec(text) ?? []
  const below = lots.slice(mixed + 1).filter((each) => !DWELLING.test(plainText(each)))
  return {
    address: withBlank(joined(lots.slice(0, mixed), right), lot),
    buildingName: withBlank(DWELLING.test(name) ? null : name, joined(below, right)),
  }
}

/** Lot address, name and road address of a building, which share one cell. */
export const readBuildingPlace = (lines: readonly CellLine[], right: number): BuildingPlace => {
  const tag = lines.findIndex((line) => ROAD_TAG.test(plainText(line)))
  const lots = joinLots(tag === -1 ? lines : lines.slice(0, tag))
  const road = tag === -1 ? [] : lines.slice(tag)
  const lastLot = lots.findLastIndex(
    (line) => ENDS_IN_LOT.test(plainText(line)) && !DWELLING.test(plainText(line)),
  )
  const hasFurther = FURTHER_AND_NAME.test(textAt(lots, lastLot + 1))
  const mixed = hasFurther
    ? lastLot + 1
    : lastLot === -1
      ? lots.findIndex((line) => LOT_AND_NAME.test(plainText(line)))
      : -1
  const end = lastLot === -1 ? Math.min(1, lots.length) : lastLot + 1
  const names = lots.slice(end).filter((line) => !DWELLING.test(plainText(line)))
  const roadText = joined(road, right)?.replace(ROAD_TAG, '').trim() ?? ''
  const place = {
    address: joined(lots.slice(0, end), right),
    buildingName: joined(names, right),
  }
  const { address, buildingName } = mixed === -1 ? place : splitPlace(lots, mixed, right)
  return {
    address,
    buildingName: buildingName?.replace(NAME_AND_DWELLING, '') ?? null,
    roadAddress: roadText === '' ? null : roadText,
  }
}
