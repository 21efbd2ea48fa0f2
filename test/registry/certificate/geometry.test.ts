import { expect, test } from 'vitest'
import type { Certificate } from './generate-certificate.ts'
import type { DrawnPage } from './grid.ts'
import { flow } from './paginate.ts'
import { createRandom } from './random.ts'
import { finishSheet } from './sheet.ts'
import { chooseStyle } from './style.ts'
import {
  type Band,
  type Cell,
  indented,
  labelled,
  lines,
  type Paragraph,
  plain,
  run,
  strikeBand,
  strikeCell,
} from './text.ts'
import { columnsFrom, makeTable } from './title-row.ts'

/*
 * Parts of a page that was measured (page 8 of 9, anonymised): built here from the same texts, they must come out at the same places.
 */
const COLUMNS = columnsFrom(
  ['순위번호', '등 기 목 적', '접  수', '등 기 원 인', '권리자 및 기타사항'],
  [0, 10, 30, 46, 62, 108],
)
const plainStyle: Certificate['style'] = {
  ...chooseStyle(1, 'aggregate_building', new Set()).style,
  copy: 'full',
  pitch: 13,
  jitter: 0,
  doublesRules: false,
}

const person = (label: string, name: string, number: string | null, hang: number): Paragraph => ({
  runs: [run(label), run(name), ...(number === null ? [] : [run(number)])],
  indent: 0,
  hang,
})
const entry = (lead: Cell, middle: readonly Cell[], ...blocks: Cell[]): Band => ({
  lead: [...lead],
  parts: [{ isRuled: false, middle, blocks }],
})

const lease = entry(
  lines('1', '(전 7)'),
  [
    lines('합병한 355.58㎡에 대한 이기 전세권설정'),
    lines('2019년11월28일', '제86047호'),
    lines('2019년11월28일', '설정계약'),
  ],
  [
    labelled('전세금', '금10,000,000원'),
    labelled('범  위', '606호 건물 전부'),
    labelled('존속기간', '2019년 11월 28일부터 2034년 11월 27일까지(15년)'),
    person('전세권자', '주식회사나다라마바사', '000000-0000000', 10),
    indented('다라도 마바시 다라로 328, 4층(가나동, 가나다라타워)'),
  ],
)
strikeCell([...(lease.parts[0]?.blocks[0]?.slice(0, 2) ?? [])])

const note = entry(
  lines('1-1', '(전 7-1)'),
  [[], [], []],
  lines('1번 등기는 건물만에 관한 것임', '2019년11월28일  부기'),
  [
    plain(
      '구분으로 인하여 순위 제1번, 제1-1번 등기를 다라도 마바시 가나동 111-222 외 2필지 가나다라타워 제6층 제601호에서 전사',
    ),
    labelled('접수', '2021년8월13일'),
    { ...plain('제78891호'), indent: 6, hang: 6 },
  ],
)
const mortgage = entry(
  lines('2'),
  [lines('근저당권설정'), lines('2022년6월24일', '제45360호'), lines('2022년6월24일', '설정계약')],
  [
    labelled('채권최고액', '금1,800,000,000원'),
    person('채무자', '김가나', null, 8),
    indented('다라도 사아시 커터구 더러로 106, 2417동 902호 (머버동,마바마을)'),
    person('근저당권자', '다라새마을금고', '000000-0000000', 12),
  ],
)
strikeBand(mortgage)
const canceller = entry(lines('3'), [
  lines('2번근저당권설정등기말소'),
  lines('2023년4월7일', '제24119호'),
  lines('2023년4월7일', '해지'),
])

/** Fills the first page, so that what is measured stands on a middle page. */
const filler = makeTable(
  { name: '갑구', subtitle: '' },
  COLUMNS,
  Array.from({ length: 18 }, (_, index) => entry(lines(`${index}`), [[], [], []])),
)
const measured = makeTable(
  { name: '을구', subtitle: '( 소유권 이외의 권리에 관한 사항 )' },
  COLUMNS,
  [lease, note, mortgage, canceller],
)
const layMeasured = (): DrawnPage => {
  const plan = { lastPage: 10_000, keptFree: 0 }
  const { sheets } = flow([filler, measured], plainStyle, createRandom(1), plan)
  const sheet = sheets[1]
  if (sheet === undefined) throw new Error('the filler does not fill the first page')
  return finishSheet(sheet)
}

/** Text, left, right, baseline as measured. */
const TEXTS: readonly (readonly [string, number, number, number])[] = [
  ['【', 49.839, 63.839, 727.274],
  ['을', 77.839, 91.839, 727.274],
  ['구', 133.839, 147.839, 727.274],
  ['】', 161.839, 175.839, 727.274],
  ['( 소유권 이외의 권리에 관한 사항 )', 192.599, 379.599, 727.737],
  ['순위번호', 29.839, 69.839, 702.638],
  ['등 기 목 적', 98.817, 153.817, 702.599],
  ['접', 203.091, 213.091, 702.726],
  ['수', 223.091, 233.091, 702.726],
  ['등 기 원 인', 272.168, 327.168, 702.618],
  ['권리자 및 기타사항', 412.724, 502.724, 702.609],
  ['1', 47.339, 52.339, 676.745],
  ['합병한 355.58㎡에', 80.43, 165.43, 676.599],
  ['2019년11월28일', 182.401, 252.401, 676.657],
  ['전세금', 345.555, 375.555, 676.657],
  ['금10,000,000원', 385.555, 455.555, 676.657],
  ['(전 7)', 34.839, 64.839, 663.677],
  ['대한 이기', 80.43, 125.43, 663.618],
  ['설정계약', 263.978, 303.978, 663.599],
  ['위', 365.555, 375.555, 663.638],
  ['전세권설정', 80.43, 130.43, 650.657],
  ['2019년 11월 28일부터 2034년 11월', 395.555, 555.555, 650.599],
  ['27일까지(15년)', 395.555, 465.555, 637.589],
  ['주식회사나다라마바사', 395.555, 495.555, 624.609],
  ['000000-0000000', 395.555, 465.555, 611.745],
  ['다라도 마바시 다라로 328, 4층(가나동,', 365.555, 550.555, 598.609],
  ['가나다라타워)', 365.555, 430.555, 585.599],
  ['1-1', 42.339, 57.339, 559.745],
  ['(전 7-1)', 29.839, 69.839, 546.677],
  ['부기', 425.555, 445.555, 546.618],
  ['구분으로 인하여 순위 제1번, 제1-1번 등기를', 345.555, 555.555, 520.589],
  ['다라도 마바시 가나동 111-222 외 2필지', 345.555, 530.555, 507.599],
  ['가나다라타워 제6층 제601호에서 전사', 345.555, 520.555, 494.589],
  ['제78891호', 375.555, 420.555, 468.589],
]
/** Left, right, height as measured: rules of the table, a note's partial rule, and strikes. */
const LINES: readonly (readonly [number, number, number])[] = [
  [24.296, 573.684, 745.914],
  [24.296, 573.684, 719.914],
  [24.296, 573.684, 693.914],
  [345.555, 455.555, 679.743],
  [345.555, 460.555, 666.724],
  [24.296, 573.684, 576.914],
  [340.406, 573.684, 537.914],
  [24.296, 573.684, 459.914],
]

test('texts of a measured page come out where they were measured', () => {
  const { texts } = layMeasured()
  for (const [text, left, right, baseline] of TEXTS) {
    const found = texts.find(
      (each) => each.text === text && Math.abs(each.baseline - baseline) < 0.25,
    )
    expect({ text, left: found?.left, right: found?.right }).toEqual({
      text,
      left: expect.closeTo(left, 1),
      right: expect.closeTo(right, 1),
    })
  }
})

test('rules and strikes of a measured page come out where they were measured', () => {
  const drawn = layMeasured().lines
  for (const [left, right, y] of LINES) {
    const isAt = (line: (typeof drawn)[number]): boolean =>
      Math.abs(line.left - left) < 0.06 &&
      Math.abs(line.right - right) < 0.06 &&
      Math.abs(line.y - y) < 0.25
    expect({ left, y, found: drawn.some(isAt) }).toEqual({ left, y, found: true })
  }
})

test('a struck entry gets one stroke for each run of each line, as measured', () => {
  const { lines: drawn, texts } = layMeasured()
  const top = texts.find(({ text }) => text === '근저당권설정')?.baseline ?? 0
  const widths = (line: number): [number, number][] =>
    drawn
      .filter(({ kind, y }) => kind === 'strike' && Math.abs(y - (top + 3.09 - 13 * line)) < 1)
      .map(({ left, right }) => [Math.round(left * 10) / 10, Math.round(right * 10) / 10])
  const first = [
    [47.3, 52.3],
    [80.4, 140.4],
    [182.4, 247.4],
    [264, 329],
    [345.6, 490.6],
  ]
  const second = [
    [182.4, 227.4],
    [264, 304],
    [345.6, 375.6],
    [385.6, 415.6],
  ]
  expect(widths(0)).toEqual(first)
  expect(widths(1)).toEqual(second)
  expect(widths(2)).toEqual([[365.6, 560.6]])
})

test('a long word breaks at the last sign that fits: 등|기말소', () => {
  const { texts } = layMeasured()
  expect(texts.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['2번근저당권설정등', '기말소']),
  )
})
