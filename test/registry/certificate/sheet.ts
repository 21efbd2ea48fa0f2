import {
  CENTRE_SHIFT,
  type DrawnLine,
  type DrawnPage,
  type DrawnText,
  type DrawnVertical,
  gridX,
  INSET,
  LEFT,
  RULE_RIGHT,
  SIZE,
} from './grid.ts'
import type { Random } from './random.ts'
import type { PlacedLine } from './rows.ts'
import type { Style } from './style.ts'
import { halfWidths } from './text.ts'
import type { Column } from './title-row.ts'
import type { Word } from './wrap.ts'

/** A page in the making. Vertical distances shrink with the pitch. */
export type Sheet = {
  readonly number: number
  readonly pitch: number
  /** From a rule to the first baseline below it; with the way from the last baseline to the next rule it makes two pitches. */
  readonly toBaseline: number
  readonly texts: DrawnText[]
  readonly lines: DrawnLine[]
  readonly verticals: DrawnVertical[]
  readonly style: Style
  readonly random: Random
}

export const createSheet = (
  number: number,
  isEdge: boolean,
  style: Style,
  random: Random,
): Sheet => {
  // the first and the last page are set closer, as measured
  const pitch = style.pitch * (isEdge ? 0.95 : 1)
  const toBaseline = pitch * (isEdge ? 1.3725 : 1.323)
  return { number, pitch, toBaseline, texts: [], lines: [], verticals: [], style, random }
}
export const finishSheet = ({ number, texts, lines, verticals }: Sheet): DrawnPage => ({
  number,
  texts,
  lines,
  verticals,
})

export const widthAt = (text: string, size: number): number => (halfWidths(text) * size) / 2

export const drawText = (
  sheet: Sheet,
  text: string,
  left: number,
  baseline: number,
  size: number,
  bounds?: { readonly left: number; readonly right: number },
): void => {
  const off = (sheet.random.next() - 0.5) * sheet.style.jitter
  const right = left + widthAt(text, size)
  const at = baseline + off
  sheet.texts.push({
    text,
    left,
    right,
    baseline: at,
    size,
    ...(bounds === undefined ? {} : { bounds }),
  })
}

/** What is two blanks or more apart is two pieces of text, as a reader of the file gets them. */
export const drawSpaced = (
  sheet: Sheet,
  text: string,
  left: number,
  baseline: number,
  size: number,
): void => {
  for (const match of text.matchAll(/[^ ]+( [^ ]+)*/g)) {
    drawText(sheet, match[0], left + widthAt(text.slice(0, match.index), size), baseline, size)
  }
}
export const drawCentred = (
  sheet: Sheet,
  text: string,
  span: readonly [number, number],
  baseline: number,
  size = SIZE,
): void => {
  const left = (span[0] + span[1]) / 2 + CENTRE_SHIFT - widthAt(text, size) / 2
  drawSpaced(sheet, text, left, baseline, size)
}

export const drawRule = (sheet: Sheet, y: number, from = LEFT, to = RULE_RIGHT): void => {
  sheet.lines.push({ kind: 'rule', left: from, right: to, y })
  if (sheet.style.doublesRules && sheet.random.chance(0.15)) {
    sheet.lines.push({ kind: 'rule', left: from, right: to, y })
  }
}
/** The end of one part of a table is the beginning of the next, and both draw their rule. */
export const drawDoubleRule = (sheet: Sheet, y: number): void => {
  drawRule(sheet, y)
  drawRule(sheet, y)
}

/** Words one blank apart are one piece, unless they belong to runs of their own. */
const piecesOf = (words: readonly Word[]): Word[] => {
  const pieces: Word[] = []
  for (const word of words) {
    const last = pieces.at(-1)
    const isNext =
      last !== undefined && last.run === word.run && word.at === last.at + halfWidths(last.text) + 1
    if (isNext) pieces.splice(-1, 1, { ...last, text: `${last.text} ${word.text}` })
    else pieces.push(word)
  }
  return pieces
}

const STRIKE_HEIGHT = 3.09
const half = SIZE / 2

/** A line of a cell, and one stroke for each of its struck runs. */
export const drawLine = (
  sheet: Sheet,
  column: Column,
  { words, isCentred }: PlacedLine,
  baseline: number,
  rightInset = INSET,
): void => {
  const last = words.at(-1)
  if (last === undefined) return
  const width = (last.at + halfWidths(last.text)) * half
  const bounds = { left: gridX(column.from), right: gridX(column.to) }
  const start = isCentred
    ? (bounds.left + bounds.right) / 2 + CENTRE_SHIFT - width / 2
    : bounds.left + INSET
  const inner = isCentred ? bounds : { left: start, right: bounds.right - rightInset }
  for (const piece of piecesOf(words)) {
    drawText(sheet, piece.text, start + piece.at * half, baseline, SIZE, inner)
  }
  for (const run of new Set(words.filter((word) => word.struck).map((word) => word.run))) {
    const struck = words.filter((word) => word.run === run)
    const first = struck[0]
    const end = struck.at(-1)
    if (first === undefined || end === undefined) continue
    sheet.lines.push({
      kind: 'strike',
      left: start + first.at * half,
      right: start + (end.at + halfWidths(end.text)) * half,
      y: baseline + STRIKE_HEIGHT,
    })
  }
}
