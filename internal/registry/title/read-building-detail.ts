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

/** The kinds of labels before an area. The last three name a further building, whose floors follow or which has one. */
const FLOOR_LABELS = [
  '지하\\s*\\d*층',
  '지\\s?\\d+층',
  '지층',
  '지하실',
  '지하(?=\\s*[\\d,.]+\\s*㎡|\\s+[가-힣]|주차장)',
  '반지하층?',
  '(?:지상\\s*)?\\d+층',
  '중\\s?\\d*층',
  '옥탑(?:층|\\s*\\d{1,2}층?(?![\\d.,]*\\s*㎡))?',
  '옥상층?(?=[\\s(]|$)',
  'P\\.?H\\.?\\s?\\d{0,2}층?(?=[\\s(]|$)',
  '다락[방층]?',
  '\\(?부속건물\\)?',
  '부\\s?\\d{1,2}(?=\\s)',
  '제?[가나다라마바사아자차카타파하]동(?=$)',
]
const FLOOR = new RegExp(`^(${FLOOR_LABELS.join('|')})(?=\\s|$|\\(|\\d|[가-힣~∼])`)
/** A label of a further building, which may have floors of its own. */
const FURTHER_BUILDING = /^(?:부속건물|부\d|제?.동$)/
/** One floor or a range of floors among those that share an area: `2층 내지 15층`. Only the last of a list needs its unit. */
const SHARING =
  '(지하|지상)?\\s*(\\d+)층?(?:\\s*(?:내지|부터|[~∼-])\\s*(?:지하|지상)?\\s*(\\d+)층(?:까지)?)?'
/** Floors of equal area on one line: `1층, 3층 내지 5층 각 50㎡`. */
const FLOOR_LIST = new RegExp(`^${SHARING}(?:\\s*(?:[,·]|및|과|와)\\s*${SHARING})*`)
const EACH_SHARING = new RegExp(SHARING, 'g')
const MOST_FLOORS = 200
// patterns that begin within a long run of digits or letters take time that grows with the square of its length
const AREA = /(?<![\d,])([\d,]+(?:\.\d+)?)\s*㎡/
const AREA_OR_OLD_UNIT = /(?<![\d,])[\d,]+(?:\.\d+)?\s*(?:㎡|평(?![슬지]))/
/** The area of another part of the same floor: `점포 50㎡, 제2종근린생활시설(학원) 20㎡`, or `점포 50㎡ 주택 20㎡`. */
const FURTHER_AREA =
  /㎡\s*(?:\([^()]*\)\s*)?(?:,|및|(?<=\s)(?!내\s|중\s|이\s?중|합계|총|연면적)(?=[가-힣]))(?:[^㎡()]|\([^()]*\))*?(?<!\d[,.]?)(\d[\d,]*(?:\.\d+)?)\s*(?=㎡)/g
/** The separator before another floor on the same line: `1층 66.12㎡, 2층 50㎡`. */
const BETWEEN_FLOORS =
  /(?<=㎡(?:\([^()]*\))?)[\s,]+(?=(?:반?지하|지상?)?\s?\d*층|지하실|옥탑|옥상|\(?부속건물)/
const EXCLUDED = /연면적\s*제외/
/**
 * Old entries name the roof by 즙 (`와즙`, of tiles) and one storey as 평가건. After the storeys and in brackets, 즙 is the juice of a
 * use: `단층 소매점(과즙)`.
 */
const ROOF = /(?<!\S)(?:\S*지붕|\S*스[라래]브즙?|\S*즙(?![가-힣)])(?<!층.{0,200}))/
const STOREYS =
  /(?:지하\s*\d+층(?:[\s,/·]|및)*)?(?:지상\s*)?(?:(?<!\d)(\d+)층|(단층|평[가옥]건(?!물)))/
/** What comes before an area in 평: `1동 건평 15평`. */
const OLD_AREA = /(?:(?<!\d)\d{1,3}동\s?)?건평\s?$/

const toNumber = (digits: string): number => Number(digits.replace(/,/g, ''))

const numberOf = (line: string | undefined): number | null => {
  const found = /^(\d+)층/.exec(line ?? '')?.[1]
  return found === undefined ? null : Number(found)
}

/** The labels of floors that share an area. A hostile range could name millions. */
const sharingLabels = (line: string): readonly string[] => {
  const listed = line.includes('각') ? (FLOOR_LIST.exec(line)?.[0] ?? '') : ''
  if (!/(층|까지)$/.test(listed)) return []
  const labels: string[] = []
  for (const [, below = '', from, to = from] of listed.matchAll(EACH_SHARING)) {
    for (let floor = Number(from); floor <= Number(to) && labels.length < MOST_FLOORS; floor += 1) {
      labels.push(`${below}${floor}층`)
    }
  }
  return labels
}

/** Returns the floor labels of a line: none, one, or one for each floor of a list or range. */
const labelsOf = (line: string): readonly string[] => {
  const sharing = sharingLabels(line)
  if (sharing.length > 1) return sharing
  const label = FLOOR.exec(line)?.[1]
  return label === undefined ? [] : [label.replace(/[\s()]/g, '')]
}

const isFloor = (line: string): boolean => labelsOf(line).length > 0

const isFurther = (label: string | undefined): boolean => FURTHER_BUILDING.test(label ?? '')

/** Lines over which the narrow column breaks the use of floors that share an area. */
const LINES_OF_USE = 4

/** The lines of a cell, one for each floor or more. A range of floors may have the word 각 on a line below it. */
const floorLines = (printed: readonly string[]): readonly string[] => {
  const [first = '', ...others] = printed
  // the name of the first of several buildings is above its structure
  const lines = (isFurther(labelsOf(first)[0]) ? others : printed).flatMap((line) =>
    line.split(BETWEEN_FLOORS),
  )
  const joined: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const count = isOpenRange(line) ? linesOfRange(lines.slice(at, at + LINES_OF_USE)) : 1
    joined.push(lines.slice(at, at + count).join(' '))
    at += count - 1
  }
  return joined
}

/** Whether a line names a range of floors without the word 각 and an area: `2층~4층`. */
const isOpenRange = (line: string): boolean =>
  /^[^\d]{0,3}\d+층?\s*(?:내지|부터|[~∼-])/.test(line) && !line.includes('각') && !AREA.test(line)

/** How many lines a range of floors takes up to its area. 1 if its area is not one of each. */
const linesOfRange = (lines: readonly string[]): number => {
  const end = lines.findIndex((line) => AREA.test(line))
  const isOfRange = end > 0 && !lines.slice(1, end + 1).some(isFloor)
  return isOfRange &&
    lines
      .slice(0, end + 1)
      .join('')
      .includes('각')
    ? end + 1
    : 1
}

/** Whether an area follows below the line and before the next floor. */
const hasOwnArea = (lines: readonly string[], at: number): boolean => {
  const next = lines.findIndex((each, index) => index > at && isFloor(each))
  return next !== -1 && lines.slice(at, next).some((each) => AREA.test(each))
}

/**
 * Whether a line gives the number of floors instead of one floor: `지하1층, 지상5층`, or `5층 업무시설` before the first floor
 * if the roof fills the preceding line.
 */
const isHeight = (lines: readonly string[], at: number): boolean => {
  const line = lines[at] ?? ''
  if (AREA.test(line)) return false
  if (/지상\s*\d+층/.test(line)) return !hasOwnArea(lines, at)
  if (/^지하\s*\d+층[\s,/·및]*$/.test(line) && /^지상\s*\d+층/.test(lines[at + 1] ?? ''))
    return true
  const height = numberOf(line)
  const next = lines.findIndex((each, index) => index > at && isFloor(each))
  if (height === null || next === -1 || hasOwnArea(lines, at)) return false
  const below = numberOf(labelsOf(lines[next] ?? '')[0])
  return below === null ? /^반?지/.test(lines[next] ?? '') : below < height
}

const firstFloor = (lines: readonly string[]): number => {
  const found = lines.findIndex((line, at) => isFloor(line) && !isHeight(lines, at))
  return found === -1 ? lines.length : found
}

/** An area in brackets is a part of the area before them: `100㎡(주차장 80㎡, 기계실 20㎡)`. */
const areasOf = (printed: string): readonly number[] => {
  const outside = printed.replace(/\([^()]*\)/g, ' ')
  const text = AREA.test(outside) ? outside : printed
  const area = AREA.exec(text)?.[1]
  const further = [...text.matchAll(FURTHER_AREA)].map((found) => found[1] ?? '')
  return area === undefined ? [] : [area, ...further].map(toNumber)
}

type PrintedFloor = { labels: readonly string[]; text: string }

/** Use and area of one floor may be on two lines; an area belongs to the floor above it, unless several floors share theirs. */
const printedFloors = (lines: readonly string[]): readonly PrintedFloor[] => {
  const floors: PrintedFloor[] = []
  for (const line of lines) {
    const labels = labelsOf(line)
    const floor = floors.at(-1)
    if (labels.length > 0) floors.push({ labels, text: line })
    else if (floor !== undefined && !(floor.labels.length > 1 && AREA.test(floor.text))) {
      const isNext = AREA.test(floor.text) && !/\([^()]*$/.test(floor.text)
      floor.text += `${isNext ? ', ' : ' '}${line}`
    }
  }
  return floors
}

const readFloors = (lines: readonly string[]): readonly FloorArea[] =>
  printedFloors(lines).flatMap(({ labels, text }) => {
    const isExcluded = EXCLUDED.test(squeeze(text))
    return labels.flatMap((floor) =>
      areasOf(text).map((area) => ({ floor, area, is_excluded: isExcluded })),
    )
  })

const highestFloor = (areas: readonly FloorArea[]): number | null => {
  const numbers = areas.flatMap(({ floor }) => {
    const found = /^(?:지상)?(\d+)층$/.exec(floor)?.[1]
    return found === undefined ? [] : [Number(found)]
  })
  return numbers.length === 0 ? null : Math.max(...numbers)
}

type Head = BuildingDetail

/** Returns the areas of a one-storey building, which may follow its use without a floor label: `단층주택 66.12㎡`. */
const onlyFloor = (storeys: string, use: string): readonly FloorArea[] => {
  const floor = /(?:(?:단|(?<!\d)1)층|평[가옥]건)$/.exec(storeys)?.[0]
  if (floor === undefined) return []
  return areasOf(use).map((area) => ({ floor, area, is_excluded: false }))
}

/** Structure, roof, height and use come before the floors, on one line or several. */
const readHead = (lines: readonly string[]): Head => {
  const text = lines.join(' ').trim()
  const roof = ROOF.exec(text)
  const rest = roof === null ? text : text.slice(roof.index + roof[0].length)
  const storeys = STOREYS.exec(rest)
  const structure = roof === null ? (lines[0] ?? '') : text.slice(0, roof.index)
  const from = storeys === null ? 0 : storeys.index + storeys[0].length
  const after = roof === null && storeys === null ? lines.slice(1).join(' ') : rest.slice(from)
  const use = after.split(AREA_OR_OLD_UNIT, 1)[0]?.replace(OLD_AREA, '') ?? ''
  const floors = storeys === null ? null : storeys[2] === undefined ? Number(storeys[1]) : 1
  return {
    structure: orNull(structure),
    roof: roof === null ? null : roof[0],
    floors,
    use: orNull(use.replace(/^[\s,]*(?:건물)?\s*/, '')),
    areas: onlyFloor(storeys?.[0] ?? '', after),
  }
}

const orNull = (text: string): string | null => {
  const trimmed = text.trim().replace(/,$/, '')
  return trimmed === '' ? null : trimmed
}

/** The cell `건물내역` by its lines [documents 4.6]. */
export const readBuildingDetail = (printed: readonly string[]): BuildingDetail => {
  const lines = floorLines(printed)
  const from = firstFloor(lines)
  const head = readHead(lines.slice(0, from))
  const areas = [...head.areas, ...readFloors(lines.slice(from))]
  const further = lines.findIndex((line, at) => at >= from && isFurther(labelsOf(line)[0]))
  const own = readFloors(lines.slice(from, further === -1 ? lines.length : further))
  return { ...head, floors: head.floors ?? highestFloor([...head.areas, ...own]), areas }
}

/** An open ground floor, which may have no area. */
const OPEN_FLOOR = /[필피]로티/

/** Labels of floors whose area was not read: `2층 위와 같음`, and floors between 1 and the height that have no line. */
export const floorsWithoutArea = (printed: readonly string[]): readonly string[] => {
  const lines = floorLines(printed)
  const from = firstFloor(lines)
  const floors = printedFloors(lines.slice(from))
  const isEmpty = ({ text }: PrintedFloor): boolean =>
    areasOf(text).length === 0 && !OPEN_FLOOR.test(text)
  const hasFloors = (at: number): boolean =>
    isFurther(floors[at]?.labels[0]) && floors[at + 1]?.labels[0] !== undefined
  const empty = floors
    .filter((floor, at) => isEmpty(floor) && !hasFloors(at))
    .flatMap((floor) => floor.labels)
  // the number of floors, such as `지하 2층`, may be on a line of its own
  const read = new Set(floors.filter((floor) => !isEmpty(floor)).flatMap((floor) => floor.labels))
  const labels = floors.flatMap((floor) => floor.labels)
  const { floors: height } = readHead(lines.slice(0, from))
  const numbers = Array.from(
    { length: Math.min(height ?? 0, MOST_FLOORS) },
    (_, at) => `${at + 1}층`,
  )
  const missing = labels.includes('1층') ? numbers.filter((label) => !labels.includes(label)) : []
  return [...empty.filter((label) => !read.has(label)), ...missing]
}

/** Square metres of the floors that count, without the noise of binary fractions. */
export const totalFloorArea = (areas: readonly FloorArea[]): number | null => {
  if (areas.length === 0) return null
  const total = areas.reduce((sum, floor) => (floor.is_excluded ? sum : sum + floor.area), 0)
  return Math.round(total * 1e4) / 1e4
}

/** Returns every area in the text, in square metres. */
export const allAreas = (text: string): readonly number[] =>
  [...text.matchAll(/(?<![\d,])([\d,]+(?:\.\d+)?)\s*㎡/g)].map((found) => toNumber(found[1] ?? ''))
