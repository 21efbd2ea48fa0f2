import { expect, test } from 'vitest'
import { spanOf, toBars } from './step-bars.ts'

const at = (second: number): string => new Date(second * 1_000).toISOString()
const step = (from: number, to: number | null) => ({
  started_at: at(from),
  completed_at: to === null ? null : at(to),
})

test('bars lie where their steps were, and an open one reaches to now', () => {
  const steps = [step(0, 20), step(20, 20), step(60, null)]
  const span = spanOf(steps, 100_000)
  expect(span).toEqual({ from: 0, to: 100_000 })
  expect(toBars(steps, span).map(({ left, width }) => [left, width])).toEqual([
    [0, 20],
    [20, 0.5],
    [60, 40],
  ])
})

test('one step of no length fills what there is to see', () => {
  const [bar] = toBars([step(5, 5)], spanOf([step(5, 5)], 5_000))
  expect(bar).toMatchObject({ left: 0, width: 0.5 })
})
