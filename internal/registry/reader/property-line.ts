/** Finds the second line of the property's address, where the address is longer than the page is wide. */
import { squeeze } from '../fields/normal-text.ts'
import { type BodyPage, isFurniture } from './body-page.ts'
import { type TextLine, textOf } from './text-line.ts'

const PROPERTY = /^\[(토지|건물|집합건물)\]/
/** Points. The line begins at the left edge of the tables, closely below the first. */
const LEFT = 40
const PITCH = 16

const continues = (line: TextLine | undefined, above: TextLine): line is TextLine =>
  line !== undefined &&
  !isFurniture(line) &&
  !/^[【[(]/.test(squeeze(textOf(line.pieces))) &&
  (line.pieces[0]?.left ?? LEFT) < LEFT &&
  above.baseline - line.baseline < PITCH

/** The lines above the tables that continue the property line, at most one on each page. */
export const continuedPropertyLines = (pages: readonly BodyPage[]): readonly TextLine[] =>
  pages.flatMap(({ above }) => {
    const at = above.findIndex((line) => PROPERTY.test(squeeze(textOf(line.pieces))))
    const [first, second] = at === -1 ? [] : above.slice(at, at + 2)
    return first !== undefined && continues(second, first) ? [second] : []
  })
