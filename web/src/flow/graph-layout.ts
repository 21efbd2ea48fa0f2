/**
 * The layout of a flow's graph: steps one below the other, arms of a branch side by side between their step and the next
 * one, the failure module separately at the bottom. The same definition always gives the same graph. Pure.
 */
import type { FlowDefinition, FlowStep } from './definition.ts'
import { isOnFailure, type StepKind } from './step-kinds.ts'
import { undoneStep } from './undo-key.ts'

export type NodeKind = StepKind | 'start' | 'end' | 'arm'

export type GraphNode = Readonly<{
  id: string
  kind: NodeKind
  /** The key of the step that it shows or belongs to; null for start and end. */
  step: string | null
  label: string
  /** The action or flow that it runs. */
  target: string | null
  /** The condition of an arm, null for the default arm. */
  condition: string | null
  /** The top left corner. */
  x: number
  y: number
  width: number
  height: number
}>

export type GraphEdge = Readonly<{ id: string; from: string; to: string }>

export type GraphLayout = Readonly<{
  nodes: readonly GraphNode[]
  edges: readonly GraphEdge[]
  width: number
  height: number
}>

type Sides = Readonly<{ left: number; top: number; right: number; bottom: number }>

/** Whether a rectangle lies within another, whose border counts as within. */
export const isWithin = (inner: Sides, outer: Sides): boolean =>
  inner.left >= outer.left &&
  inner.top >= outer.top &&
  inner.right <= outer.right &&
  inner.bottom <= outer.bottom

const STEP = { width: 216, height: 52 }
const ARM = { width: 176, height: 52 }
const MARK = { width: 88, height: 30 }
const ROW_GAP = 34
const COLUMN_GAP = 20

const START_ID = 'start'
const END_ID = 'end'
const stepId = (key: string): string => `step:${key}`

type Box = Omit<GraphNode, 'x' | 'y'>

const mark = (id: typeof START_ID | typeof END_ID): Box => ({
  ...MARK,
  id,
  kind: id,
  step: null,
  label: id,
  target: null,
  condition: null,
})

const stepBox = ({ key, kind, target }: FlowStep): Box => ({
  ...STEP,
  id: stepId(key),
  kind,
  step: key,
  label: undoneStep(key),
  target,
  condition: null,
})

const armBoxes = ({ key: step, arms }: FlowStep): readonly Box[] =>
  arms.map(({ key, action, condition }) => ({
    ...ARM,
    id: `arm:${step}:${key}`,
    kind: 'arm',
    step,
    label: key,
    target: action,
    condition,
  }))

/** Boxes on one line. */
type Row = readonly Box[]

const rowsOf = (steps: readonly FlowStep[]): readonly Row[] => [
  [mark(START_ID)],
  ...steps.flatMap((step): readonly Row[] => {
    const arms = armBoxes(step)
    return arms.length === 0 ? [[stepBox(step)]] : [[stepBox(step)], arms]
  }),
  [mark(END_ID)],
]

const widthOf = (row: Row): number =>
  row.reduce((sum, { width }) => sum + width, 0) + COLUMN_GAP * Math.max(0, row.length - 1)

/** Centres each row. */
const place = (rows: readonly Row[]): Pick<GraphLayout, 'nodes' | 'width' | 'height'> => {
  const width = Math.max(...rows.map(widthOf))
  let y = 0
  const nodes = rows.flatMap((row) => {
    let x = (width - widthOf(row)) / 2
    const placed = row.map((box) => {
      const node = { ...box, x, y }
      x += box.width + COLUMN_GAP
      return node
    })
    y += Math.max(...row.map(({ height }) => height)) + ROW_GAP
    return placed
  })
  return { nodes, width, height: y - ROW_GAP }
}

const edge = (from: string, to: string): GraphEdge => ({ id: `${from} ${to}`, from, to })

/** Edges from every box of a row to every box of the next. One of two adjacent rows always has a single box. */
const edgesOf = (rows: readonly Row[]): readonly GraphEdge[] =>
  rows.flatMap((row, at) =>
    row.flatMap(({ id }) => (rows[at + 1] ?? []).map((next) => edge(id, next.id))),
  )

/** Maximum number of boxes side by side. */
const MOST_BESIDE = 3

const linesOf = (boxes: readonly Box[]): readonly Row[] =>
  boxes.flatMap((_, at) => (at % MOST_BESIDE === 0 ? [boxes.slice(at, at + MOST_BESIDE)] : []))

export const layoutFlow = ({ steps }: FlowDefinition): GraphLayout => {
  const rows = rowsOf(steps.filter(({ kind }) => !isOnFailure(kind)))
  const undos = steps.filter(({ kind }) => kind === 'undo').map(stepBox)
  const failures = steps.filter(({ kind }) => kind === 'failure_module').map(stepBox)
  // no edges lead there, because they would come from every step
  const placed = place([...rows, ...linesOf(undos), ...linesOf(failures)])
  return { ...placed, edges: edgesOf(rows) }
}
