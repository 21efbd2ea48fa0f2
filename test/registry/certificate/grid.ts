/** Measured geometry of a page, in points, origin at the bottom left. */
export const PAGE_WIDTH = 595.276
export const PAGE_HEIGHT = 841.89
export const LEFT = 24.296
/** Rules end a little before the logical right edge of the grid. */
export const RULE_RIGHT = 573.684
export const UNIT = 5.09855
/** Text stands this far inside its column. */
export const INSET = 5.149
export const SIZE = 10
/** What is centred in a column stands this much right of its middle. */
export const CENTRE_SHIFT = 0.05

export const gridX = (unit: number): number => LEFT + UNIT * unit

/** How many half widths of text a column takes. */
export const columnCapacity = (from: number, to: number): number =>
  Math.floor(((to - from) * UNIT - 2 * INSET + 1e-6) / (SIZE / 2))

/** What the layout draws. Everything that the parser or a PDF needs is derived from it. */
export type DrawnText = {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly size: number
  /** The column that the text must not leave; absent for furniture and heads that cross columns. */
  readonly bounds?: { readonly left: number; readonly right: number }
}
export type DrawnLine = {
  readonly kind: 'rule' | 'strike'
  readonly left: number
  readonly right: number
  readonly y: number
}
export type DrawnVertical = { readonly x: number; readonly bottom: number; readonly top: number }
export type DrawnPage = {
  readonly number: number
  readonly texts: readonly DrawnText[]
  readonly lines: readonly DrawnLine[]
  readonly verticals: readonly DrawnVertical[]
}
