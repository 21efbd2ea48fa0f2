/** Prepares the image of a page for OCR: even paper, level lines, and no rule or strike that touches a letter. */
import { liftDarkRules } from './dark-rules.ts'
import { skewOf, straighten } from './deskew.ts'
import { level } from './level.ts'
import type { Raster } from './raster.ts'
import { type Line, liftRedStrikes } from './red-strikes.ts'

const A4_WIDTH = 595.276

/** `lines` are the rules and strikes that were lifted; `unit` is the number of pixels per point. */
export type CleanPage = Readonly<{ raster: Raster; lines: readonly Line[]; unit: number }>

/** @param breadth the pixels that are as long as A4 is wide */
export const cleanPage = (image: Raster, breadth: number = image.width): CleanPage => {
  const flat = level(image)
  const straight = straighten(flat, skewOf(flat))
  const unit = breadth / A4_WIDTH
  const red = liftRedStrikes(straight, unit)
  const dark = liftDarkRules(red.raster, unit, { hasColour: red.lines.length > 0 })
  return { raster: dark.raster, lines: [...red.lines, ...dark.lines], unit }
}
