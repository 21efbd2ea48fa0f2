import { expect, test } from 'vitest'
import { fittingColumns } from './fitting-columns.ts'

const COLUMNS = [
  { name: 'status', width: '6rem' },
  { name: 'trigger', width: '6rem', isWideOnly: true },
  { name: 'action', width: 'minmax(8rem, 2fr)' },
  { name: 'duration', width: '5rem', isWideOnly: true },
]

test.each([
  [28.75, ['status', 'trigger', 'action', 'duration']],
  [28.7, ['status', 'action', 'duration']],
  [20, ['status', 'action']],
  [5, ['status', 'action']],
])('a table of %d rem shows %j', (room, names) => {
  expect(fittingColumns(COLUMNS, room).map(({ name }) => name)).toEqual(names)
})
