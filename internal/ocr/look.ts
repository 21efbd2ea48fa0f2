/**
 * One look of the engine at a stretch of text, and how well what it read fits the width of the stretch. The signs are as wide
 * as the page's font sets them.
 */
import { crop, darken, enlarge, narrow } from './crop.ts'
import type { GreyImage, OcrEngine, ReadOptions, ReadText } from './engine.ts'
import type { Raster } from './raster.ts'
import type { Box } from './segments.ts'
import { fitSignWidths, inkWidth, type SignWidths } from './sign-widths.ts'
import { findSpecialSigns, type SpecialSign } from './special-signs.ts'

export type ReadPage = Readonly<{ raster: Raster; unit: number }>

/** Points of white around a stretch: with less, lone digits are read as letters. */
const MARGIN = 3
const MIDDLE_MARGIN = 2
/** Pixels a point: print of 300 DPI is as large as the engine likes it. */
const FINE_UNIT = 3.5
/** Digits: one sign too many or too few. */
export const UNLIKELY = 0.55
/** Below this the engine has seen no letters, of a hundred. */
export const LEAST_CONFIDENCE = 8
/** From this the engine is right nearly always, of a hundred. */
export const SURE = 88

/** `miss` is by how many digits the text misses its place. */
export type Reading = Readonly<{ text: ReadText; miss: number }>

/** How a stretch is cut out for one look at it, what is done to its picture, and how the engine takes it. */
export type Look = Readonly<{
  margin: number
  mode?: ReadOptions['mode']
  isLarge?: boolean
  redraw?: (image: GreyImage) => GreyImage
}>
export const PLAIN: Look = { margin: MARGIN }
const ANY_LINE: ReadOptions = { mode: 'line', signs: null }

/** Each makes different mistakes. Only as many are made as are needed to decide. */
export const MORE_LOOKS: readonly Look[] = [
  { margin: MARGIN, redraw: narrow },
  { margin: MARGIN, isLarge: true, redraw: darken },
  { margin: MIDDLE_MARGIN, isLarge: true },
  { margin: MARGIN, mode: 'raw_line' },
]

/** Returns the reading that fits the width better; of equals, the surer one. What the engine saw nothing in fits by accident. */
export const better = (one: Reading, other: Reading): Reading => {
  const isSeen = (reading: Reading): boolean => reading.text.confidence >= LEAST_CONFIDENCE
  if (isSeen(one) !== isSeen(other)) return isSeen(one) ? one : other
  if (Math.abs(one.miss - other.miss) > 0.6) return one.miss < other.miss ? one : other
  return one.text.confidence >= other.text.confidence ? one : other
}

type Stretch = Readonly<{ box: Box; signs: readonly SpecialSign[]; first: ReadText | null }>

/** Cuts a stretch out for the engine as a look has it. */
const cutOut = (page: ReadPage, box: Box, { margin, isLarge, redraw }: Look): GreyImage => {
  const part = crop(page.raster, box, Math.round(margin * page.unit))
  const image = isLarge === true && page.unit < FINE_UNIT ? enlarge(part) : part
  return redraw === undefined ? image : redraw(image)
}

/** Reads what has none of the special signs, to learn the widths of the page's font from it. */
const readFirst = (engine: OcrEngine, page: ReadPage, boxes: readonly Box[]): readonly Stretch[] =>
  boxes.map((box) => {
    const signs = findSpecialSigns(page.raster, box, page.unit)
    const isPlain = signs.length === 0
    const first = isPlain ? engine.read(cutOut(page, box, PLAIN), ANY_LINE) : null
    return { box, signs, first }
  })

const widthsOf = (stretches: readonly Stretch[], unit: number): SignWidths =>
  fitSignWidths(
    stretches.flatMap(({ box, first }) =>
      first === null || first.confidence < SURE
        ? []
        : [{ text: first.text, width: (box.right - box.left + 1) / unit }],
    ),
  )

export type Looks = Readonly<{
  unit: number
  widths: SignWidths
  /** The digits that a text is too wide for its place; below 0 it is too narrow. */
  excessOf: (text: string, box: Box) => number
  /** The same without its direction; blanks are not counted by the engine as the print has them. */
  missOf: (text: string, box: Box) => number
  ask: (box: Box, signs: string | null, look?: Look) => Reading
  /** What a first look saw, of which there is one for each box. */
  askFirst: (box: Box) => Reading
  /** Looks in other ways, one by one. */
  askMore: (box: Box, signs: string | null) => Iterable<Reading>
  signsIn: (box: Box) => readonly SpecialSign[]
}>

/** Takes the first look at each stretch of a page. @param boxes all that will be read */
export const createLooks = (engine: OcrEngine, page: ReadPage, boxes: readonly Box[]): Looks => {
  const stretches = readFirst(engine, page, boxes)
  const known = new Map(stretches.map((stretch) => [stretch.box, stretch]))
  const widths = widthsOf(stretches, page.unit)
  const excessOf: Looks['excessOf'] = (text, box) =>
    (inkWidth(text, widths) - (box.right - box.left + 1) / page.unit) / widths.digit
  const missOf: Looks['missOf'] = (text, box) => Math.abs(excessOf(text, box))
  const ask: Looks['ask'] = (box, signs, look = PLAIN) => {
    const text = engine.read(cutOut(page, box, look), { mode: look.mode ?? 'line', signs })
    return { text, miss: missOf(text.text, box) }
  }
  return {
    unit: page.unit,
    widths,
    excessOf,
    missOf,
    ask,
    askFirst: (box) => {
      const first = known.get(box)?.first ?? null
      return first === null ? ask(box, null) : { text: first, miss: missOf(first.text, box) }
    },
    *askMore(box, signs) {
      for (const look of MORE_LOOKS) yield ask(box, signs, look)
    },
    signsIn: (box) => known.get(box)?.signs ?? findSpecialSigns(page.raster, box, page.unit),
  }
}
