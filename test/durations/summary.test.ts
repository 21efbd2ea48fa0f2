import { expect, test } from 'vitest'
import { describeDurations } from './summary.ts'

const files = Array.from({ length: 12 }, (_, at) => ({ path: `${at}.test.ts`, seconds: at / 2 }))

test('the end of a run names the ten slowest files, slowest first, and the time of the whole', () => {
  const { text, isLate } = describeDurations({ files }, { totalS: 425.2, budgetS: 0, recorded: {} })
  expect(text.match(/\d+\.test\.ts/g)).toEqual(
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((at) => `${at}.test.ts`),
  )
  expect(text).toContain('   5.5 s  11.test.ts')
  expect(text).toContain('The suite took 7 min 5 s.')
  expect(isLate).toBe(false)
})

test.each([
  { totalS: 480, budgetS: 480, isLate: false },
  { totalS: 481, budgetS: 480, isLate: true },
  { totalS: 481, budgetS: 0, isLate: false },
])('a suite of $totalS s with a budget of $budgetS s: late is $isLate', (given) => {
  const { text, isLate } = describeDurations({ files }, { ...given, recorded: {} })
  expect(isLate).toBe(given.isLate)
  expect(text.includes('more than its budget of 8 min 0 s')).toBe(given.isLate)
})

test('slow files without a recorded duration are counted, because they are in every run', () => {
  const slow = ['a', 'b', 'c'].map((name) => ({ path: `${name}.test.ts`, seconds: 12 }))
  const run = { totalS: 425.2, budgetS: 0 }
  const { text } = describeDurations(
    { files: slow },
    { ...run, recorded: { 'a.test.ts': 6, 'b.test.ts': 2 } },
  )
  expect(text).toContain('2 slow files do not take turns yet.')
  const recorded = { 'a.test.ts': 6, 'b.test.ts': 6, 'c.test.ts': 6 }
  expect(describeDurations({ files: slow }, { ...run, recorded }).text).not.toContain('take turns')
})
