/** Reads structure, roof, floors and areas from the cell 건물내역. */
import { squeeze } from '../fields/normal-text.ts'
import type { FloorArea } from '../schema/title.ts'

export type BuildingDetail = Readonly<{
  structure: string | null
  roof: string | null
  floors: number | null
  use: string | null
  areas: readonly FloorArea[]
}>

const FLOOR =
  /^(지하\s*\d*층|지\s?\d+층|지층|\d+층|중\s?\d*층|옥탑\s*\d*층?|다락(방)?|부속건물)(?=\s|$|\(|\d|[가-힣])/
const AREA = /([\d,]+(?:\.\d+)?)\s*㎡/
const EXCLUDED = /연면적\s*제외/
const ROOF = /\S*지붕|\S*(?:평|경사)?스[라래]브/
const STOREYS = /(?:지하\s*\d+층\s*,?\s*)?(?:지상\s*)?(?:(\d+)층|(단)층)/

/** A line with the number of floors, which is not a floor itself: `지하1층, 지상5층`, `5층 건물`. */
const isHeight = (line: string): boolean => /지상\s*\d+층/.test(line) && !AREA.test(line)

const firstFloor = (lines: readonly string[]): number => {
  const found = lines.findIndex((line) => FLOOR.test(line) && !isHeight(line))
  return found === -1 ? lines.length : found
}

/** Use and area of one floor may be on two lines; an area belongs to the floor above it. */
const readFloors = (lines: readonly string[]): readonly FloorArea[] => {
  const floors: { label: string; text: string }[] = []
  for (const line of lines) {
    const label = FLOOR.exec(line)?.[1]
    if (label !== undefined) floors.push({ label, text: line.slice(label.length) })
    else {
      const floor = floors.at(-1)
      if (floor !== undefined) floor.text += ` ${line}`
    }
  }
  return floors.flatMap(({ label, text }) => {
    const area = AREA.exec(text)?.[1]
    if (area === undefined) return []
    const floor = label.replace(/\s/g, '')
    return [
      { floor, area: Number(area.replace(/,/g, '')), is_excluded: EXCLUDED.test(squeeze(text)) },
    ]
  })
}

const highestFloor = (areas: readonly FloorArea[]): number | null => {
  const numbers = areas.flatMap(({ floor }) => {
    const found = /^(\d+)층$/.exec(floor)?.[1]
    return found === undefined ? [] : [Number(found)]
  })
  return numbers.length === 0 ? null : Math.max(...numbers)
}

type Head = Pick<BuildingDetail, 'structure' | 'roof' | 'floors' | 'use'>

/** Structure, roof, height and use come before the floors, on one line or several. */
const readHead = (lines: readonly string[]): Head => {
  const text = lines.join(' ').trim()
  const roof = ROOF.exec(text)
  const rest = roof === null ? text : text.slice(roof.index + roof[0].length)
  const storeys = STOREYS.exec(rest)
  const structure = roof === null ? (lines[0] ?? '') : text.slice(0, roof.index)
  const from = storeys === null ? 0 : storeys.index + storeys[0].length
  const use = roof === null && storeys === null ? lines.slice(1).join(' ') : rest.slice(from)
  const floors = storeys === null ? null : storeys[2] === undefined ? Number(storeys[1]) : 1
  return {
    structure: orNull(structure),
    roof: roof === null ? null : roof[0],
    floors,
    use: orNull(use.replace(/^[\s,]*(?:건물)?\s*/, '')),
  }
}

const orNull = (text: string): string | null => {
  const trimmed = text.trim().replace(/,$/, '')
  return trimmed === '' ? null : trimmed
}

/** The cell `건물내역` by its lines [documents 4.6]. */
export const readBuildingDetail = (lines: readonly string[]): BuildingDetail => {
  const from = firstFloor(lines)
  const head = readHead(lines.slice(0, from))
  const areas = readFloors(lines.slice(from))
  return { ...head, floors: head.floors ?? highestFloor(areas), areas }
}

/** Square metres of the floors that count, without the noise of binary fractions. */
export const totalFloorArea = (areas: readonly FloorArea[]): number | null => {
  if (areas.length === 0) return null
  const total = areas.reduce((sum, floor) => (floor.is_excluded ? sum : sum + floor.area), 0)
  return Math.round(total * 1e4) / 1e4
}

/** Returns every area in the text, in square metres. */
export const allAreas = (text: string): readonly number[] =>
  [...text.matchAll(/([\d,]+(?:\.\d+)?)\s*㎡/g)].map((found) =>
    Number((found[1] ?? '').replace(/,/g, '')),
  )
