/** Corrects lines that every certificate contains letter for letter, because tables are found by them. */
import { squeeze } from '../fields/normal-text.ts'
import type { TextPiece } from '../page-content.ts'
import { gridPoint } from '../tables/columns.ts'
import { TABLE_HEADS } from '../tables/table-kind.ts'
import { distanceWithin } from './similar.ts'

export type ScanLine = Readonly<{ baseline: number; pieces: readonly TextPiece[] }>

/** The text to find, and the text that replaces it. */
const HEADINGS: readonly (readonly [sign: string, text: string])[] = [
  ['주요등기사항요약', '주요 등기사항 요약 (참고용)'],
  ['소유지분을제외한소유권에관한사항', '2. 소유지분을 제외한 소유권에 관한 사항 ( 갑구 )'],
  ['소유지분현황', '1. 소유지분현황 ( 갑구 )'],
  ['저당권및전세권등', '3. (근)저당권 및 전세권 등 ( 을구 )'],
  ['전유부분의건물의표시', '( 전유부분의 건물의 표시 )'],
  ['1동의건물의표시', '( 1동의 건물의 표시 )'],
  ['대지권의목적인토지의표시', '( 대지권의 목적인 토지의 표시 )'],
  ['대지권의표시', '( 대지권의 표시 )'],
  ['토지의표시)', '( 토지의 표시 )'],
  ['건물의표시)', '( 건물의 표시 )'],
  ['소유권이외의권리에관한사항', '( 소유권 이외의 권리에 관한 사항 )'],
  ['소유권에관한사항', '( 소유권에 관한 사항 )'],
  ['이하여백', '-- 이 하 여 백 --'],
]
/** Words that entries also contain, in a smaller size. */
const LARGE_HEADINGS: typeof HEADINGS = [
  ['공동담보목록', '【 공 동 담 보 목 록 】'],
  ['공동전세목록', '【 공 동 전 세 목 록 】'],
  ['매매목록', '【 매 매 목 록 】'],
  ['명의인', '【 명 의 인 】'],
]
const KINDS: typeof HEADINGS = [
  ['집합건물', '- 집합건물 -'],
  ['건물', '- 건물 -'],
  ['토지', '- 토지 -'],
]
const LARGE = 12
/** Other printers set the headings of lists smaller, in brackets like all headings. */
const IN_BRACKETS = /^[【[({]+(?:매매목록|공동담보목록|공동전세목록|명의인)[】\])}]+$/
const DIFFERENT = 0.25
const HEADING_LEFT = 150
/** Maximum number of characters around the words: brackets and the letters of the section. */
const AROUND = 12
const LAST_UNIT = 108

const wholeOf = (line: ScanLine): string => squeeze(line.pieces.map(({ text }) => text).join(''))

/** Returns the heading of a table, or null for any other line. */
export const correctHeading = (line: ScanLine): TextPiece | null => {
  const text = wholeOf(line)
  const isLarge = line.pieces.some(({ size }) => size > LARGE) || IN_BRACKETS.test(text)
  const kind = isLarge ? KINDS.find(([sign]) => text.replace(/[^가-힣]/g, '') === sign) : undefined
  const known = isLarge ? [...HEADINGS, ...LARGE_HEADINGS] : HEADINGS
  let best = kind === undefined ? null : { away: 0, text: kind[1] }
  for (const [sign, printed] of known) {
    if (text.length > sign.length + AROUND) continue
    const away = distanceWithin(sign, text) / sign.length
    if (away <= DIFFERENT && (best === null || away < best.away)) best = { away, text: printed }
  }
  const [first] = line.pieces
  if (best === null || first === undefined) return null
  return {
    text: best.text,
    left: Math.max(first.left, HEADING_LEFT),
    right: line.pieces.at(-1)?.right ?? first.right,
    baseline: line.baseline,
    size: 11,
  }
}

type Span = Readonly<{ left: number; right: number }>

type HeadLine = Readonly<{
  columns: readonly Readonly<{ names: readonly string[]; unit: number }>[]
}>

/** The tables of the summary, which are not tables of the register. */
const SUMMARY_HEADS: readonly HeadLine[] = [
  {
    columns: [
      { names: ['등기명의인'], unit: 0 },
      { names: ['(주민)등록번호'], unit: 17 },
      { names: ['최종지분'], unit: 33 },
      { names: ['주소'], unit: 46 },
      { names: ['순위번호'], unit: 99 },
    ],
  },
  {
    columns: [
      { names: ['순위번호'], unit: 0 },
      { names: ['등기목적'], unit: 10 },
      { names: ['접수정보'], unit: 32 },
      { names: ['주요등기사항'], unit: 47 },
      { names: ['대상소유자'], unit: 96 },
    ],
  },
]

const spansOf = ({ columns }: HeadLine): readonly Span[] =>
  columns.map(({ unit }, index) => ({
    left: gridPoint(unit),
    right: gridPoint(columns[index + 1]?.unit ?? LAST_UNIT),
  }))

const middleOf = ({ left, right }: Span): number => (left + right) / 2

/** Puts each head at the position of its letters. A head that was not read goes to the middle of its column. */
const placeHeads = (line: ScanLine, head: HeadLine): readonly TextPiece[] => {
  const spans = spansOf(head)
  return head.columns.map(({ names }, index) => {
    const span = spans[index] ?? { left: 0, right: 0 }
    const own = line.pieces.filter((piece) => {
      const middle = middleOf(piece)
      return middle >= span.left && middle < span.right
    })
    const text = names[0] ?? ''
    const middle =
      own.length === 0
        ? middleOf(span)
        : (Math.min(...own.map(({ left }) => left)) + Math.max(...own.map(({ right }) => right))) /
          2
    const half = text.length * 5
    return { text, left: middle - half, right: middle + half, baseline: line.baseline, size: 10 }
  })
}

const HEADS: readonly HeadLine[] = [...Object.values(TABLE_HEADS), ...SUMMARY_HEADS]

/** Returns the column heads of a line, or null for any other line. */
export const correctColumnHeads = (line: ScanLine): readonly TextPiece[] | null => {
  const text = wholeOf(line)
  let best: Readonly<{ away: number; head: HeadLine }> | null = null
  for (const head of HEADS) {
    for (const second of head.columns[2]?.names ?? ['']) {
      const names = head.columns.map((column, index) => (index === 2 ? second : column.names[0]))
      const whole = squeeze(names.join(''))
      if (Math.abs(whole.length - text.length) > whole.length * DIFFERENT) continue
      const away = distanceWithin(whole, text) / whole.length
      if (away <= DIFFERENT && (best === null || away < best.away)) best = { away, head }
    }
  }
  return best === null ? null : placeHeads(line, best.head)
}
