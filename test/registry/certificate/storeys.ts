import type { FloorArea } from '#core/registry/document.ts'
import type { Draft } from './draft.ts'
import { type Paragraph, plain, type Run, run } from './text.ts'
import { decimals } from './title-row.ts'
import { FLOOR_USES, HOUSE_USES, ROOFS, STRUCTURES } from './vocabulary.ts'

/** The detail cell of a building: structure, roof and floors, use, and the area of each floor. */
export type BuildingDetail = {
  readonly paragraphs: readonly Paragraph[]
  readonly structure: string
  readonly roof: string
  readonly floors: number
  readonly use: string
  readonly areas: readonly FloorArea[]
  readonly total: number
}

type Line = { readonly paragraphs: readonly Paragraph[]; readonly truth: FloorArea }

type Labels = { readonly above: number; readonly isLarge: boolean }

const floorLine = (draft: Draft, floor: string, isExcluded: boolean, use: string | null): Line => {
  const { random } = draft
  const area = random.chance(0.1)
    ? `${random.integer(20, 900)}`
    : decimals(draft, 20, 900, random.pick([2, 2, 4]))
  const mark = isExcluded ? '(연면적제외)' : ''
  const truth = { floor, area: Number(area), is_excluded: isExcluded }
  if (use !== null) {
    draft.cases.add('use_and_area_on_two_lines')
    return { paragraphs: [plain(`${floor} ${use}`), plain(`${area}㎡${mark}`)], truth }
  }
  // some prints set the label and the area two blanks apart, and indent lower floors by one
  const gap = random.chance(0.15) ? '  ' : ' '
  return { paragraphs: [plain(`${floor}${gap}${area}㎡${mark}`)], truth }
}

const storeys = (draft: Draft, { above, isLarge }: Labels): Line[] => {
  const { random } = draft
  const hasUse = !isLarge && random.chance(0.35)
  const useOf = (): string | null => (hasUse ? random.pick(FLOOR_USES) : null)
  const made: Line[] = []
  const below = draft.wants('basement_floor', 0.3) ? random.integer(1, isLarge ? 3 : 1) : 0
  const isShort = random.chance(0.4)
  const isUnnumbered = below === 1 && random.chance(0.2)
  for (let floor = 1; floor <= below; floor += 1) {
    made.push(
      floorLine(
        draft,
        isUnnumbered ? '지층' : `${isShort ? '지' : '지하'}${floor}층`,
        false,
        useOf(),
      ),
    )
  }
  for (let floor = 1; floor <= above; floor += 1) {
    made.push(floorLine(draft, `${floor}층`, false, useOf()))
    if (floor === 1 && draft.wants('repeated_floor_label', 0.15)) {
      made.push(floorLine(draft, '1층', false, useOf()))
    }
  }
  if (draft.wants('rooftop_excluded', 0.25)) {
    const count = random.integer(1, isLarge ? 2 : 1)
    for (let floor = 1; floor <= count; floor += 1) {
      made.push(floorLine(draft, `옥탑${floor}층`, true, null))
    }
  }
  return made
}

const strike = (line: Line): void => {
  const runs: Run[] = line.paragraphs.flatMap((paragraph) => paragraph.runs)
  for (const each of runs) each.struck = true
}

/** A floor that a change took away: struck in a row that is alive, and not to be summed. */
const addStruckFloor = (draft: Draft, lines: Line[]): Line[] => {
  if (draft.isCurrentOnly || !draft.wants('struck_floor', 0.12)) return lines
  const struck = floorLine(draft, '1층', false, null)
  strike(struck)
  return [struck, ...lines]
}

const sum = (areas: readonly FloorArea[]): number => {
  const total = areas.filter((each) => !each.is_excluded).reduce((all, each) => all + each.area, 0)
  return Math.round(total * 10_000) / 10_000
}

export const makeDetail = (draft: Draft, isLarge: boolean, mayStrike: boolean): BuildingDetail => {
  const { random } = draft
  const structure = random.pick(isLarge ? STRUCTURES.slice(0, 3) : STRUCTURES)
  const roof = random.pick(isLarge ? ROOFS.slice(0, 3) : ROOFS)
  const above = isLarge ? random.integer(8, 45) : random.integer(1, 5)
  const use = isLarge ? '공동주택(아파트)' : random.pick(HOUSE_USES)
  const lines = storeys(draft, { above, isLarge })
  const printed = mayStrike ? addStruckFloor(draft, lines) : lines
  const areas = lines.map((line) => line.truth)
  const roofText = above === 1 && random.chance(0.6) ? `${roof} 단층` : `${roof} ${above}층`
  return {
    paragraphs: [
      plain(structure),
      { runs: [run(roofText)], indent: 0, hang: 0 },
      plain(use),
      ...printed.flatMap((line) => line.paragraphs),
    ],
    structure,
    roof,
    floors: above,
    use,
    areas,
    total: sum(areas),
  }
}
