import { expect, test } from 'vitest'
import { type JobRow, rowsBelow } from './rows.ts'

const run = (jobs: number) => ({ kind: 'run', id: 'r', jobs }) as JobRow
const job = (id: string) => ({ id }) as Extract<JobRow, { kind: 'job' }>['job']

test('an open run shows its jobs below it, a closed one and a job show nothing', () => {
  const opened = new Map([['r', [job('b'), job('a')]]])
  expect(rowsBelow(run(2), opened).map(({ id }) => id)).toEqual(['b', 'a'])
  expect(rowsBelow(run(2), new Map())).toEqual([])
  expect(rowsBelow({ kind: 'job', id: 'r', job: job('r'), isBelow: false }, opened)).toEqual([])
})

test('the way to the other jobs follows those that are shown', () => {
  const opened = new Map([['r', [job('b'), job('a')]]])
  expect(rowsBelow(run(3), opened).at(-1)).toEqual({ kind: 'more', id: 'r more', runId: 'r' })
  expect(rowsBelow(run(3), new Map([['r', []]]))).toEqual([])
})
