import { expect, test } from 'vitest'
import { readPlace } from './code-place.ts'

test.each([
  [
    { file: 'a.ts', line: 3 },
    { file: 'a.ts', line: 3 },
  ],
  [{ file: 'a.ts', line: 0 }, { file: 'a.ts' }],
  [{ file: 'a.ts', line: 1.5 }, { file: 'a.ts' }],
  [{ file: '', line: 'x' }, {}],
])('of %j the address keeps %j', (given, kept) => {
  expect(readPlace(given)).toEqual(kept)
})
