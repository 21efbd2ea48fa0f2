import { expect, test } from 'vitest'
import { stack } from './bar-chart.tsx'

const SERIES = [
  { name: 'Succeeded', tone: 'good' },
  { name: 'Failed', tone: 'bad' },
] as const

test('bars are stacked, the first at the bottom', () => {
  expect(stack([50, 25], SERIES, 100)).toEqual([
    { tone: 'good', y: 50, height: 50 },
    { tone: 'bad', y: 25, height: 25 },
  ])
})

test('what is nothing is not drawn, and one among thousands is seen', () => {
  expect(stack([0, 0], SERIES, 1)).toEqual([])
  expect(stack([9_999, 1], SERIES, 10_000)[1]).toMatchObject({ tone: 'bad', height: 2 })
})
