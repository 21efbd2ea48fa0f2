import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'

export type ReadText = {
  readonly text: string
  readonly left: number
  readonly baseline: number
  readonly right: number
  readonly size: number
}
export type ReadLine = {
  readonly left: number
  readonly right: number
  readonly y: number
  readonly colour: string
}
export type ReadPage = { readonly texts: ReadText[]; readonly lines: ReadLine[] }

type Matrix = readonly [number, number, number, number, number, number]
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]
const times = (outer: Matrix, inner: Matrix): Matrix => [
  outer[0] * inner[0] + outer[2] * inner[1],
  outer[1] * inner[0] + outer[3] * inner[1],
  outer[0] * inner[2] + outer[2] * inner[3],
  outer[1] * inner[2] + outer[3] * inner[3],
  outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
  outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
]
const isMatrix = (values: unknown): values is Matrix => Array.isArray(values) && values.length === 6

/** The box of a path, from the numbers that pdf.js keeps beside it. */
const boxOf = (
  matrix: Matrix,
  box: ArrayLike<number>,
): Omit<ReadLine, 'colour'> & { height: number } => {
  const [left = 0, bottom = 0, right = 0, top = 0] = Array.from(box)
  const x = (value: number): number => matrix[0] * value + matrix[4]
  const y = (value: number): number => matrix[3] * value + matrix[5]
  return { left: x(left), right: x(right), y: (y(bottom) + y(top)) / 2, height: y(top) - y(bottom) }
}

type Operators = { readonly fnArray: readonly number[]; readonly argsArray: readonly unknown[] }
type State = {
  matrix: Matrix
  stroke: string
  fill: string
  readonly saved: Matrix[]
  readonly lines: ReadLine[]
}

/** What each operator does to the state; all others are of no matter here. */
const handlers = (
  codes: Record<string, number>,
): Record<string, (state: State, values: unknown[]) => void> => ({
  save: (state) => state.saved.push(state.matrix),
  restore: (state) => {
    state.matrix = state.saved.pop() ?? IDENTITY
  },
  transform: (state, values) => {
    if (isMatrix(values)) state.matrix = times(state.matrix, values)
  },
  setStrokeRGBColor: (state, [colour]) => {
    state.stroke = String(colour)
  },
  setFillRGBColor: (state, [colour]) => {
    state.fill = String(colour)
  },
  constructPath: (state, [painting, , box]) => {
    if (!(box instanceof Float32Array)) return
    const { left, right, y, height } = boxOf(state.matrix, box)
    if (height >= 1.5 || right - left < 3) return
    const colour = painting === codes.stroke ? state.stroke : state.fill
    state.lines.push({ left, right, y, colour })
  },
})

const readLines = (operators: Operators, codes: Record<string, number>): ReadLine[] => {
  const state: State = { matrix: IDENTITY, stroke: '', fill: '', saved: [], lines: [] }
  const byCode = new Map(
    Object.entries(handlers(codes)).map(([name, handle]) => [codes[name], handle]),
  )
  for (const [index, code] of operators.fnArray.entries()) {
    const values = operators.argsArray[index]
    byCode.get(code)?.(state, Array.isArray(values) ? values : [])
  }
  return state.lines
}

/** What a reader of the file gets: the second opinion on what was drawn. */
export const readBack = async (file: Uint8Array): Promise<ReadPage[]> => {
  const document = await getDocumentProxy(file)
  const { OPS } = await getResolvedPDFJS()
  const pages: ReadPage[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const content = await page.getTextContent()
    const texts = content.items.flatMap((item) => {
      if (!('str' in item) || item.str.trim() === '') return []
      const [scale = 0, , , , left = 0, baseline = 0] = item.transform.map(Number)
      return [{ text: item.str, left, baseline, right: left + item.width, size: Math.abs(scale) }]
    })
    pages.push({ texts, lines: readLines(await page.getOperatorList(), OPS) })
  }
  return pages
}
