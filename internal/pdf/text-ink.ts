/** Where the letters of a page have their ink. */
import { isBlankLetter } from './blank-letter.ts'
import { toArray } from './operands.ts'
import { apply, multiply, type Point } from './page-geometry.ts'
import { placeGlyphs } from './page-glyphs.ts'
import type { createTextState } from './text-state.ts'

/** The points at which a letter has its ink. */
export type Ink = readonly Point[]
/** A letter, and the operator that shows it. */
export type Letter = Readonly<{ at: number; ink: Ink }>

/** Where a letter has ink, in shares of its width, and in font sizes above the baseline. */
const ACROSS = [0.3, 0.5, 0.7] as const
const UP = [0.2, 0.4, 0.6] as const

/** The points at which each shown letter has its ink. */
export const inkOf = (shown: unknown, text: ReturnType<typeof createTextState>): Ink[] => {
  const { text: state, matrix, at } = text.current()
  if (state.size === 0) return []
  const { glyphs, end } = placeGlyphs(toArray(shown), state)
  const whole = multiply(
    matrix,
    multiply(at, [state.size * state.stretch, 0, 0, state.size, 0, state.rise]),
  )
  text.advance(end * state.size * state.stretch)
  return glyphs
    .filter(({ letter }) => !isBlankLetter(letter))
    .map(({ from, to }) =>
      ACROSS.flatMap((x) => UP.map((y) => apply(whole, from + (to - from) * x, y))),
    )
}
