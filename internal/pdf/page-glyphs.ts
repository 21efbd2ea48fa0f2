/**
 * Finds the glyphs of a page one by one, with the codes that its fonts give them. The texts of pdf.js
 * contain only letters, but the codes are needed if a font's Unicode map is damaged or missing.
 */
import { OPS } from 'unpdf/pdfjs'
import type { TextPiece } from '#registry/page-content.ts'
import { toArray, toNumber } from './operands.ts'
import type { OperatorList } from './page-drawing.ts'
import { type Matrix, multiply } from './page-geometry.ts'
import { toTextPiece } from './page-texts.ts'
import { createTextState, type TextState } from './text-state.ts'

/**
 * `font` is the name that pdf.js gives the font, the same on all pages; `shape` is the name
 * of the glyph's outline. Positions are in font sizes from the start of the run.
 */
export type Glyph = Readonly<{
  font: string
  code: number
  letter: string
  shape: string
  from: number
  to: number
}>

/** Glyphs that one operator shows, up to a gap. `matrix` maps units of the font size to the page. */
export type GlyphRun = Readonly<{ glyphs: readonly Glyph[]; matrix: Matrix }>

/** The gap between two glyphs, in font sizes, from which they count as separate pieces of text. */
const GAP = 0.3
const PER_EM = 1_000

type Shown = Readonly<{
  code: number
  letter: string
  sign: string
  width: number
  isSpace: boolean
}>

const toShown = (value: unknown): Shown | null => {
  if (typeof value !== 'object' || value === null) return null
  if (!('originalCharCode' in value && 'unicode' in value && 'width' in value)) return null
  const { originalCharCode, unicode, width } = value
  if (typeof originalCharCode !== 'number' || typeof unicode !== 'string') return null
  const isSpace = 'isSpace' in value && value.isSpace === true
  // pdf.js rewrites fonts without their empty glyphs
  const isDrawn = 'isInFont' in value && value.isInFont === true
  const sign = isDrawn && 'fontChar' in value ? String(value.fontChar) : ''
  const ems = toNumber(width) / PER_EM
  return { code: originalCharCode, letter: unicode, sign, width: ems, isSpace }
}

type Placed = Readonly<{ glyphs: readonly Glyph[]; end: number }>

/** Positions each glyph. Numbers among the glyphs move those that follow. */
export const placeGlyphs = (shown: readonly unknown[], text: TextState): Placed => {
  const { font, size, signSpace, blankSpace } = text
  const glyphs: Glyph[] = []
  let end = 0
  for (const one of shown) {
    const glyph = toShown(one)
    if (glyph === null) {
      end -= toNumber(one) / PER_EM
      continue
    }
    const { code, letter, sign, width, isSpace } = glyph
    // the name that pdf.js gives the outline
    const shape = sign === '' ? '' : `${font}_path_${sign}`
    glyphs.push({ font, code, letter, shape, from: end, to: end + width })
    end += width + (signSpace + (isSpace ? blankSpace : 0)) / size
  }
  return { glyphs, end }
}

export type IsBlank = (glyph: Glyph) => boolean

/** Splits glyphs at gaps and at multiple blanks. A single blank stays inside its run. */
const splitRuns = (glyphs: readonly Glyph[], isBlank: IsBlank): readonly (readonly Glyph[])[] => {
  const runs: Glyph[][] = []
  let blanks: Glyph[] = []
  for (const glyph of glyphs) {
    if (isBlank(glyph)) {
      blanks.push(glyph)
      continue
    }
    const run = runs.at(-1)
    const gap = glyph.from - ((blanks.at(-1) ?? run?.at(-1))?.to ?? 0)
    const isNear = Math.abs(gap) <= GAP && blanks.length < 2
    if (run !== undefined && isNear) run.push(...blanks, glyph)
    else runs.push([glyph])
    blanks = []
  }
  return runs
}

const hasNoLetter: IsBlank = ({ letter }) => letter.trim() === ''

/** Returns the runs of glyphs in the order in which they are drawn. */
export const readRuns = (
  { fnArray, argsArray }: OperatorList,
  page: Matrix,
  isBlank: IsBlank = hasNoLetter,
): readonly GlyphRun[] => {
  const runs: GlyphRun[] = []
  const { acts, current, advance } = createTextState(page)
  const show = (shown: readonly unknown[]): void => {
    const { text, matrix, at } = current()
    if (text.size === 0) return
    const { glyphs, end } = placeGlyphs(shown, text)
    const unit: Matrix = [text.size * text.stretch, 0, 0, text.size, 0, text.rise]
    const whole = multiply(matrix, multiply(at, unit))
    for (const run of splitRuns(glyphs, isBlank)) runs.push({ glyphs: run, matrix: whole })
    advance(end * text.size * text.stretch)
  }
  for (const [index, word] of fnArray.entries()) {
    const given = argsArray[index]
    const args = given instanceof Float32Array ? [...given] : toArray(given)
    if (word === OPS.showText) show(toArray(args[0]))
    else acts.get(word)?.(args)
  }
  return runs
}

/** Converts a run to a piece of text, with letters from `letterOf`. Null if the run does not go to the right. */
export const toPiece = (
  { glyphs, matrix }: GlyphRun,
  letterOf: (glyph: Glyph) => string,
): TextPiece | null => {
  const from = glyphs[0]?.from ?? 0
  const width = (glyphs.at(-1)?.to ?? 0) - from
  const transform: Matrix = [1, 0, 0, 1, from, 0]
  return toTextPiece({ str: glyphs.map(letterOf).join(''), width, transform }, matrix)
}
