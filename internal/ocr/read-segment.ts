/**
 * Reads one stretch of text. The print has a fixed pitch, so the width gives the number of signs: the result of the engine
 * is compared with it, and the text is read again in another way where they differ.
 */
import { crop, darken, enlarge, narrow } from './crop.ts'
import type { GreyImage, OcrEngine, ReadOptions, ReadText } from './engine.ts'
import { metreByWidth } from './metre-by-width.ts'
import type { Raster } from './raster.ts'
import type { Box } from './segments.ts'
import { findSpecialSigns, isBelieved } from './special-signs.ts'
import { overrule, vote } from './vote.ts'

export type Accuracy = 'standard' | 'high'
export type ReadPage = Readonly<{ raster: Raster; unit: number }>

/** Points of white around a stretch: with less, lone digits are read as letters. */
const MARGIN = 3
const MIDDLE_MARGIN = 2
const HALF_WIDTH = 5
/** A sign does not fill its place: what is missing of it at both ends of a stretch, in half widths. */
const BARE = 0.3
/** Pixels a point: print of 300 DPI is as large as the engine likes it. */
const FINE_UNIT = 3.5
/** Half widths: one sign too many or too few. */
const UNLIKELY = 0.55
const NUMBERS = '0123456789-.,/'
const RANKS = '0123456789-()전'
const RANK_DIGITS = '0123456789-'
/** The number of the property follows its name, alone at its end of the line. */
const UNIQUE_NUMBER = /^고유번호/
const UNIQUE_NUMBER_LEFT = 43
const UNIQUE_DIGITS = 14
const UNIQUE_PARTS = /^(\d{4})(\d{4})/
/** Points on the sheet: the column of entry numbers. */
const NUMBERS_RIGHT = 74

const halvesOf = (text: string): number =>
  [...text].reduce((sum, sign) => sum + (/[\u1100-\uffdc]/.test(sign) ? 2 : 1), 0)

/** By how many half widths a text misses its place; blanks are not counted by the engine as the print has them. */
const missOf = (text: string, box: Box, unit: number): number =>
  Math.abs((box.right - box.left + 1) / unit / HALF_WIDTH + BARE - halvesOf(text.trim()))

const isNumeric = (text: string): boolean => {
  const signs = text.replace(/\s/g, '')
  const digits = signs.replace(/\D/g, '').length
  return digits >= 2 && digits >= signs.length * 0.6 && !/[가-힣]/.test(signs)
}
const isRankLike = (text: string): boolean => /^\(?전?\s*\d{1,3}(-\d{1,3})*\)?$/.test(text.trim())

type Reading = Readonly<{ text: ReadText; miss: number }>

export type SegmentReader = Readonly<{ read: (box: Box) => ReadText }>

/** How a stretch is cut out for one look at it, what is done to its picture, and how the engine takes it. */
type Look = Readonly<{
  margin: number
  mode?: ReadOptions['mode']
  isLarge?: boolean
  redraw?: (image: GreyImage) => GreyImage
}>
const PLAIN: Look = { margin: MARGIN }

/** Each makes different mistakes. Only as many are made as are needed to decide. */
const MORE_LOOKS: readonly Look[] = [
  { margin: MARGIN, redraw: narrow },
  { margin: MARGIN, isLarge: true, redraw: darken },
  { margin: MIDDLE_MARGIN, isLarge: true },
  { margin: MARGIN, mode: 'raw_line' },
]

/** The reading that fits the width better; of equals, the surer one. */
const better = (one: Reading, other: Reading): Reading => {
  if (Math.abs(one.miss - other.miss) > 0.6) return one.miss < other.miss ? one : other
  return one.text.confidence >= other.text.confidence ? one : other
}

/** Creates the reader of one page’s segments. The accuracy decides how often a doubtful segment is read again. */
export const createSegmentReader = (
  engine: OcrEngine,
  page: ReadPage,
  accuracy: Accuracy,
): SegmentReader => {
  const ask = (
    box: Box,
    options: ReadOptions,
    { margin, isLarge, redraw }: Look = PLAIN,
  ): Reading => {
    const part = crop(page.raster, box, Math.round(margin * page.unit))
    const image = isLarge === true && page.unit < FINE_UNIT ? enlarge(part) : part
    const text = engine.read(redraw === undefined ? image : redraw(image), options)
    return { text, miss: missOf(text.text, box, page.unit) }
  }
  const readRank = (box: Box, first: Reading): ReadText => {
    if (isRankLike(first.text.text) && first.miss < UNLIKELY) return first.text
    const tries: readonly ReadOptions[] = [
      { mode: 'line', signs: RANKS },
      { mode: 'line', signs: RANK_DIGITS },
      { mode: 'letter', signs: RANK_DIGITS },
    ]
    for (const options of tries) {
      const other = ask(box, options)
      if (isRankLike(other.text.text) && other.miss < 1) return other.text
    }
    return first.text
  }
  function* askMore(box: Box, signs: string | null): Generator<ReadText> {
    for (const look of MORE_LOOKS) yield ask(box, { mode: look.mode ?? 'line', signs }, look).text
  }
  const confirm = (box: Box, first: ReadText, signs: string | null): ReadText => {
    if (accuracy === 'standard') return first
    const most = missOf(first.text, box, page.unit) + UNLIKELY
    return overrule(first, askMore(box, signs), (text) => missOf(text, box, page.unit) <= most)
  }

  const readNumber = (box: Box, first: Reading): ReadText => {
    const fitting =
      first.miss < UNLIKELY ? first : better(first, ask(box, { mode: 'line', signs: NUMBERS }))
    return confirm(box, fitting.text, NUMBERS)
  }
  /** All depends on it, and it is on a page only once, so it is read in every way. */
  const readUniqueNumber = (box: Box, first: ReadText): ReadText => {
    const left = box.left + Math.round(UNIQUE_NUMBER_LEFT * page.unit)
    if (left >= box.right) return first
    const part = { ...box, left }
    const looks = [ask(part, { mode: 'line', signs: NUMBERS }).text, ...askMore(part, NUMBERS)]
    const digits = looks.map((look) => ({ ...look, text: look.text.replace(/\D/g, '') }))
    const whole = digits.filter(({ text }) => text.length === UNIQUE_DIGITS)
    if (whole.length === 0) return first
    const { text, confidence } = vote(whole)
    return { text: `고유번호 ${text.replace(UNIQUE_PARTS, '$1-$2-')}`, confidence }
  }
  const readSigns = (box: Box): ReadText => {
    const first = ask(box, { mode: 'line', signs: null })
    if (box.right / page.unit <= NUMBERS_RIGHT && !/[가-힣]{2}/.test(first.text.text)) {
      return readRank(box, first)
    }
    if (isNumeric(first.text.text)) return readNumber(box, first)
    if (UNIQUE_NUMBER.test(first.text.text)) return readUniqueNumber(box, first.text)
    return confirm(box, first.text, null)
  }
  const readPart = (box: Box): ReadText => {
    const { text, confidence } = readSigns(box)
    return { text: metreByWidth(text, (other) => missOf(other, box, page.unit)), confidence }
  }
  const read = (box: Box): ReadText => {
    for (const sign of findSpecialSigns(page.raster, box, page.unit)) {
      if (sign.left - box.left < page.unit * 4) continue
      const before = readPart({ ...box, right: sign.left - 1 })
      if (!isBelieved(sign, before.text)) continue
      const rest = { ...box, left: sign.right + 1 }
      const isEnd = rest.right - rest.left < page.unit * 2
      const after = isEnd ? null : read(rest)
      const number = before.text.replace(/([\d.,])\s+(?=[\d.,]+$)/g, '$1')
      return {
        text: `${number}${sign.text}${after?.text ?? ''}`,
        confidence: Math.min(before.confidence, after?.confidence ?? 100),
      }
    }
    return readPart(box)
  }
  return { read }
}
