/** Soft masks of PDF: drawings whose brightness or opacity is the opacity of what is drawn under them. */
import { type Colour, luminanceOf } from './colour.ts'
import { isInPart, type Part, type Spend } from './outline.ts'
import { toColour } from './page-drawing.ts'
import type { Point } from './page-geometry.ts'

/** Paint of a mask. `opacity` is null if it is not known. */
type MaskPaint = Part & Readonly<{ opacity: number | null }>

export type SoftMask = {
  /** Whether the brightness of its paint counts, not its opacity. */
  readonly isBright: boolean
  /** The opacity where the mask paints nothing. */
  readonly ground: number
  /** In the order of painting. */
  readonly paints: MaskPaint[]
  /** Whether its opacities are not known, because it has images, text or gradients, or changes them by a function. */
  isUnknown: boolean
}

/** Paints that are kept of a mask. */
const MOST_PAINTS = 1_000
/** The opacity from which nothing shines through. */
export const SOLID = 0.95
/** The opacity below which nothing is seen. */
const FAINTEST = 0.05

export const unknownMask = (): SoftMask => ({
  isBright: true,
  ground: 0,
  paints: [],
  isUnknown: true,
})

/** A mask without paint. @param given the mask as pdf.js describes it */
export const newMask = (given: object): SoftMask => {
  const isBright = 'subtype' in given && given.subtype === 'Luminosity'
  const backdrop = 'backdrop' in given ? toColour(given.backdrop) : null
  const isChanged = 'transferMap' in given && Boolean(given.transferMap)
  const ground = isBright && backdrop !== null ? luminanceOf(backdrop) : 0
  return { isBright, ground, paints: [], isUnknown: isChanged }
}

export type Paint = Part & Readonly<{ colour: Colour; isSolid: boolean }>

export const addToMask = (mask: SoftMask, { colour, isSolid, ...part }: Paint): void => {
  const full = mask.isBright ? luminanceOf(colour) : 1
  if (mask.paints.length >= MOST_PAINTS) mask.isUnknown = true
  else mask.paints.push({ ...part, opacity: isSolid && colour !== null ? full : null })
}

/** The opacity that a mask gives to a point, or null if it is not known. */
const opacityAt = (mask: SoftMask, point: Point, spend: Spend): number | null => {
  if (mask.isUnknown) return null
  spend(mask.paints.length)
  const last = mask.paints.findLast((paint) => isInPart(paint, point, spend))
  return last === undefined ? mask.ground : last.opacity
}

/** Whether a mask leaves nothing of what is drawn at a point. */
export const isNothingAt = (mask: SoftMask, point: Point, spend: Spend): boolean =>
  (opacityAt(mask, point, spend) ?? 1) < FAINTEST

/** Whether nothing shines through what is drawn under a mask at a point. */
export const isSolidAt = (mask: SoftMask, point: Point, spend: Spend): boolean =>
  (opacityAt(mask, point, spend) ?? 0) >= SOLID
