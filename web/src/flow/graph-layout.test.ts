import { describe, expect, test } from 'vitest'
import { readDefinition } from './definition.ts'
import { type GraphLayout, type GraphNode, isWithin, layoutFlow } from './graph-layout.ts'

const layoutOf = (steps: readonly object[], failureModule?: object): GraphLayout =>
  layoutFlow(readDefinition(JSON.parse(JSON.stringify({ steps, failureModule }))))

const nodeOf = ({ nodes }: GraphLayout, id: string): GraphNode => {
  const found = nodes.find((node) => node.id === id)
  if (found === undefined) throw new Error(`There is no ${id}.`)
  return found
}
const arrows = ({ edges }: GraphLayout): readonly string[] =>
  edges.map(({ from, to }) => `${from} > ${to}`)
const middle = ({ x, width }: GraphNode): number => x + width / 2

const isApart = (one: GraphNode, other: GraphNode): boolean =>
  one.x + one.width <= other.x ||
  other.x + other.width <= one.x ||
  one.y + one.height <= other.y ||
  other.y + other.height <= one.y

const EVERY_KIND = [
  { key: 'one', action: 'a' },
  { key: 'ask', kind: 'approval' },
  {
    key: 'pick',
    kind: 'branchone',
    branches: [
      { key: 'big', condition: 'results.one > 3', action: 'b' },
      { key: 'rest', action: 'c' },
    ],
  },
  {
    key: 'both',
    kind: 'branchall',
    branches: ['x', 'y', 'z'].map((key) => ({ key, action: key })),
  },
  { key: 'each', kind: 'forloop', items: [1], action: 'd' },
  { key: 'many', kind: 'forloop_parallel', items: [1], action: 'e' },
  { key: 'inner', kind: 'subflow', subflow: 'other' },
]

describe('the picture of a flow', () => {
  test('goes from start to end, one step below the other, in the middle', () => {
    const layout = layoutOf([
      { key: 'one', action: 'a' },
      { key: 'two', kind: 'approval' },
    ])
    expect(arrows(layout)).toEqual(['start > step:one', 'step:one > step:two', 'step:two > end'])
    const column = ['start', 'step:one', 'step:two', 'end'].map((id) => nodeOf(layout, id))
    expect(new Set(column.map(middle)).size).toBe(1)
    const tops = column.map(({ y }) => y)
    expect(tops).toEqual(tops.toSorted((a, b) => a - b))
  })

  test('has each kind of step, and nothing covers anything', () => {
    const layout = layoutOf(EVERY_KIND, { key: 'tell', action: 'mail' })
    expect(layout.nodes.map(({ kind }) => kind)).toEqual([
      'start',
      'action',
      'approval',
      'branchone',
      'arm',
      'arm',
      'branchall',
      'arm',
      'arm',
      'arm',
      'forloop',
      'forloop_parallel',
      'subflow',
      'end',
      'failure_module',
    ])
    for (const [at, one] of layout.nodes.entries()) {
      expect(layout.nodes.slice(at + 1).filter((other) => !isApart(one, other))).toEqual([])
      expect(one.x).toBeGreaterThanOrEqual(0)
      expect(one.x + one.width).toBeLessThanOrEqual(layout.width)
      expect(one.y + one.height).toBeLessThanOrEqual(layout.height)
    }
  })

  test('parts at a branch and comes together at the next step, also where that is a branch', () => {
    const layout = layoutOf(EVERY_KIND.slice(2, 4))
    expect(arrows(layout)).toEqual([
      'start > step:pick',
      'step:pick > arm:pick:big',
      'step:pick > arm:pick:rest',
      'arm:pick:big > step:both',
      'arm:pick:rest > step:both',
      'step:both > arm:both:x',
      'step:both > arm:both:y',
      'step:both > arm:both:z',
      'arm:both:x > end',
      'arm:both:y > end',
      'arm:both:z > end',
    ])
    expect(nodeOf(layout, 'arm:pick:big')).toMatchObject({
      step: 'pick',
      target: 'b',
      condition: 'results.one > 3',
    })
    expect(nodeOf(layout, 'arm:pick:rest').condition).toBeNull()
  })

  test('shows the failure module apart: no arrow leads there', () => {
    const layout = layoutOf([{ key: 'one', action: 'a' }], { key: 'tell', action: 'mail' })
    expect(nodeOf(layout, 'step:tell').y).toBeGreaterThan(nodeOf(layout, 'end').y)
    expect(arrows(layout).filter((arrow) => arrow.includes('tell'))).toEqual([])
  })

  test('is the same for the same flow', () => {
    expect(layoutOf(EVERY_KIND)).toEqual(layoutOf(EVERY_KIND))
  })
})

test('a box is within its frame if no side is beyond it', () => {
  const frame = { left: 0, top: 0, right: 100, bottom: 100 }
  expect(isWithin(frame, frame)).toBe(true)
  expect(isWithin({ ...frame, bottom: 101 }, frame)).toBe(false)
  expect(isWithin({ ...frame, left: -1 }, frame)).toBe(false)
})
