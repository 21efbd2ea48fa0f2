/**
 * Reads one stretch of text. The print has a fixed pitch, so its width tells how many signs there must be: what the engine
 * says is held against that, and read once more in another way where it cannot be.
 */
import { crop } from './crop.ts'
import type { OcrEngine, ReadText, ReadWish } from './engine.ts'
import type { Raster } from './raster.ts'
import type { Box } from './segments.ts'
import { findSpecialSigns, isBelieved } from './special-signs.ts'

export type Accuracy = 'standard' | 'high'
export type ReadPage = Readonly<{ raster: Raster; unit: number }>

/** Points of white around a stretch: with less, lone digits are read as letters. */
const MARGIN = 3
const HALF_WIDTH = 5
/** A sign does not fill its place: what is missing of it at both ends of a stretch, in half widths. */
const BARE = 0.3
const SURE = 80
/** Half widths: one sign too many or too few. */
const UNLIKELY = 0.55
const NUMBERS = '0123456789-.,/'
const RANKS = '0123456789-()전'
/** In points of the sheet: where numbers of entries stand. */
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

export const createSegmentReader = (
  engine: OcrEngine,
  page: ReadPage,
  accuracy: Accuracy,
): SegmentReader => {
  const margin = Math.round(MARGIN * page.unit)
  const ask = (box: Box, wish: ReadWish): Reading => {
    const text = engine.read(crop(page.raster, box, margin), wish)
    return { text, miss: missOf(text.text, box, page.unit) }
  }
  const retries = (box: Box, { text, miss }: Reading): readonly ReadWish[] => {
    if (box.right / page.unit <= NUMBERS_RIGHT && !/[가-힣]{2}/.test(text.text)) {
      return isRankLike(text.text) && miss < UNLIKELY ? [] : [{ mode: 'line', signs: RANKS }]
    }
    if (isNumeric(text.text)) return miss < UNLIKELY ? [] : [{ mode: 'line', signs: NUMBERS }]
    const isDoubtful = text.confidence < SURE || miss > 1.5
    return accuracy === 'high' && isDoubtful ? [{ mode: 'raw_line', signs: null }] : []
  }
  /** Whoever fits the width better; of equals, who is surer. */
  const better = (one: Reading, other: Reading): Reading => {
    if (Math.abs(one.miss - other.miss) > 0.6) return one.miss < other.miss ? one : other
    return one.text.confidence >= other.text.confidence ? one : other
  }
  const readPart = (box: Box): ReadText => {
    const first = ask(box, { mode: 'line', signs: null })
    const others = retries(box, first).map((wish) => ask(box, wish))
    const best = others.reduce((known, other) => {
      const isForced = isRankLike(other.text.text) && !isRankLike(known.text.text)
      return isForced ? other : better(known, other)
    }, first)
    return best.text
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
