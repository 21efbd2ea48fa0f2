/**
 * Reads stretches of text by the engine, and measures how well a text fits the width of
 * its stretch, with the widths of characters in the page's font.
 */
import { crop, darken, enlarge, narrow } from './crop.ts'
import type { GreyImage, OcrEngine, ReadOptions, ReadText } from './engine.ts'
import type { Raster } from './raster.ts'
import type { Box } from './segments.ts'
import { fitSignWidths, inkWidth, type SignWidths } from './sign-widths.ts'
import { findSpecialSigns, type SpecialSign } from './special-signs.ts'

export type ReadPage = Readonly<{ raster: Raster; unit: number }>

/** Points of white around a stretch. With less, the engine reads single digits as letters. */
const MARGIN = 3
const MIDDLE_MARGIN = 2
/** Pixels per point, which equals print at 300 DPI, the size that suits the engine best. */
const FINE_UNIT = 3.5
/** In digits. From this on, the text probably has one character too many or too few. */
export const UNLIKELY = 0.55
/** Percent. Below this the engine has not seen any letters. */
export const LEAST_CONFIDENCE = 8
/** Percent. From this on the engine is nearly always right. */
export const SURE = 88

/** `miss` is the difference between the width of the text and that of its place, in digits. */
export type Reading = Readonly<{ text: ReadText; miss: number }>

/** A way to read a stretch: how it is cut out, how its picture is changed, and in which mode the engine reads it. */
export type Variant = Readonly<{
  margin: number
  mode?: ReadOptions['mode']
  isLarge?: boolean
  redraw?: (image: GreyImage) => GreyImage
}>
export const PLAIN: Variant = { margin: MARGIN }
const ANY_LINE: ReadOptions = { mode: 'line', signs: null }

/** Further variants, each of which makes different mistakes. Only as many are read as a decision needs. */
const MORE_VARIANTS: readonly Variant[] = [
  { margin: MARGIN, redraw: narrow },
  { margin: MARGIN, isLarge: true, redraw: darken },
  { margin: MIDDLE_MARGIN, isLarge: true },
  { margin: MARGIN, mode: 'raw_line' },
]

/**
 * Returns the reading that fits the width better or, if they are equal, the
 * surer one. A reading without letters fits only by accident.
 */
export const better = (one: Reading, other: Reading): Reading => {
  const isSeen = (reading: Reading): boolean => reading.text.confidence >= LEAST_CONFIDENCE
  if (isSeen(one) !== isSeen(other)) return isSeen(one) ? one : other
  if (Math.abs(one.miss - other.miss) > 0.6) return one.miss < other.miss ? one : other
  return one.text.confidence >= other.text.confidence ? one : other
}

type Stretch = Readonly<{ box: Box; signs: readonly SpecialSign[]; first: ReadText | null }>

/** Cuts a stretch out for the engine, as the variant defines. */
const cutOut = (page: ReadPage, box: Box, { margin, isLarge, redraw }: Variant): GreyImage => {
  const part = crop(page.raster, box, Math.round(margin * page.unit))
  const image = isLarge === true && page.unit < FINE_UNIT ? enlarge(part) : part
  return redraw === undefined ? image : redraw(image)
}

/** Reads the stretches without special signs first, to learn the widths of the page's font from them. */
const readStretches = (
  engine: OcrEngine,
  page: ReadPage,
  boxes: readonly Box[],
): readonly Stretch[] =>
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

export type StretchReader = Readonly<{
  unit: number
  widths: SignWidths
  /** How many digits the text is wider than its place; negative if it is narrower. */
  excessOf: (text: string, box: Box) => number
  /** The absolute value of `excessOf`, because the engine does not count blanks as printed. */
  missOf: (text: string, box: Box) => number
  read: (box: Box, signs: string | null, variant?: Variant) => Reading
  /** The first reading, which is made once per box. */
  readFirst: (box: Box) => Reading
  /** Reads the other variants, one by one. */
  readAgain: (box: Box, signs: string | null) => Iterable<Reading>
  signsIn: (box: Box) => readonly SpecialSign[]
}>

/** Reads each stretch of a page for the first time. @param boxes all stretches that will be read */
export const createStretchReader = (
  engine: OcrEngine,
  page: ReadPage,
  boxes: readonly Box[],
): StretchReader => {
  const stretches = readStretches(engine, page, boxes)
  const known = new Map(stretches.map((stretch) => [stretch.box, stretch]))
  const widths = widthsOf(stretches, page.unit)
  const excessOf: StretchReader['excessOf'] = (text, box) =>
    (inkWidth(text, widths) - (box.right - box.left + 1) / page.unit) / widths.digit
  const missOf: StretchReader['missOf'] = (text, box) => Math.abs(excessOf(text, box))
  const read: StretchReader['read'] = (box, signs, variant = PLAIN) => {
    const text = engine.read(cutOut(page, box, variant), { mode: variant.mode ?? 'line', signs })
    return { text, miss: missOf(text.text, box) }
  }
  return {
    unit: page.unit,
    widths,
    excessOf,
    missOf,
    read,
    readFirst: (box) => {
      const first = known.get(box)?.first ?? null
      return first === null ? read(box, null) : { text: first, miss: missOf(first.text, box) }
    },
    *readAgain(box, signs) {
      for (const variant of MORE_VARIANTS) yield read(box, signs, variant)
    },
    signsIn: (box) => known.get(box)?.signs ?? findSpecialSigns(page.raster, box, page.unit),
  }
}
