/** Keeps the text state of PDF: font, spacing and the position of the next glyph, as operators change them. */
import { OPS } from 'unpdf/pdfjs'
import { toNumber } from './operands.ts'
import { IDENTITY, type Matrix, multiply, toMatrix } from './page-geometry.ts'

export type TextState = Readonly<{
  font: string
  size: number
  leading: number
  rise: number
  /** Horizontal scaling; 1 is the normal width of the font. */
  stretch: number
  /** Space added after each glyph and after each blank, in units of text space. */
  signSpace: number
  blankSpace: number
}>

type Act = (args: readonly unknown[]) => void

/** Maximum number of saved states, because a file could save without end and fill the memory. */
const MAX_DEPTH = 1_000

const NEW_TEXT: TextState = {
  font: '',
  size: 0,
  leading: 0,
  rise: 0,
  stretch: 1,
  signSpace: 0,
  blankSpace: 0,
}

const createGraphics = (page: Matrix) => {
  type State = Readonly<{ matrix: Matrix; text: TextState }>
  const saved: State[] = []
  let state: State = { matrix: page, text: NEW_TEXT }
  const save = (): void => {
    if (saved.length < MAX_DEPTH) saved.push(state)
  }
  const restore = (): void => {
    state = saved.pop() ?? state
  }
  const transform = (by: unknown): void => {
    state = { ...state, matrix: multiply(state.matrix, toMatrix(by) ?? IDENTITY) }
  }
  const set = (change: Partial<TextState>): void => {
    state = { ...state, text: { ...state.text, ...change } }
  }
  const acts: readonly (readonly [number, Act])[] = [
    ...[OPS.save, OPS.beginGroup, OPS.beginAnnotation].map((word) => [word, save] as const),
    ...[OPS.restore, OPS.endGroup, OPS.endAnnotation].map((word) => [word, restore] as const),
    [OPS.paintFormXObjectEnd, restore],
    [
      OPS.paintFormXObjectBegin,
      ([matrix]) => {
        save()
        transform(matrix)
      },
    ],
    [OPS.transform, transform],
    [OPS.setLeading, ([value]) => set({ leading: toNumber(value) })],
    [OPS.setTextRise, ([value]) => set({ rise: toNumber(value) })],
    [OPS.setCharSpacing, ([value]) => set({ signSpace: toNumber(value) })],
    [OPS.setWordSpacing, ([value]) => set({ blankSpace: toNumber(value) })],
    [OPS.setHScale, ([value]) => set({ stretch: toNumber(value) / 100 })],
    [OPS.setFont, ([font, size]) => set({ font: String(font), size: toNumber(size) })],
  ]
  return { acts, set, current: () => state }
}

/** Creates the effects of operators on the text state. `advance` moves the next glyph to the right. */
export const createTextState = (page: Matrix) => {
  const graphics = createGraphics(page)
  let line: Matrix = IDENTITY
  let at: Matrix = IDENTITY
  const begin = (matrix: Matrix): void => {
    line = matrix
    at = matrix
  }
  const moveBy = (x: number, y: number): void => begin(multiply(line, [1, 0, 0, 1, x, y]))
  const acts = new Map<number, Act>([
    ...graphics.acts,
    [OPS.beginText, () => begin(IDENTITY)],
    [OPS.setTextMatrix, (args) => begin(toMatrix(args) ?? toMatrix(args[0]) ?? IDENTITY)],
    [OPS.moveText, ([x, y]) => moveBy(toNumber(x), toNumber(y))],
    [
      OPS.setLeadingMoveText,
      ([x, y]) => {
        graphics.set({ leading: -toNumber(y) })
        moveBy(toNumber(x), toNumber(y))
      },
    ],
    [OPS.nextLine, () => moveBy(0, -graphics.current().text.leading)],
  ])
  return {
    acts,
    current: () => ({ ...graphics.current(), at }),
    advance: (by: number): void => {
      at = multiply(at, [1, 0, 0, 1, by, 0])
    },
  }
}
