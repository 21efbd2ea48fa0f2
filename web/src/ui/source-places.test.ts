import { expect, test } from 'vitest'
import { sourcePlaces } from './source-places.ts'

const placesOf = (text: string) => sourcePlaces(text).flatMap(({ place }) => place ?? [])

test('a stack trace names files and lines', () => {
  expect(placesOf('    at main (lib/a-b.ts:3:14)')).toEqual([{ file: 'lib/a-b.ts', line: 3 }])
  expect(placesOf('    at async actions/x.mjs:12:1')).toEqual([{ file: 'actions/x.mjs', line: 12 }])
  expect(placesOf('at 10:32:11 in file.txt:3, v1.2.3')).toEqual([])
})

test('the text stays whole', () => {
  const text = 'at a (x.ts:1:2), b (y.ts:3:4) end'
  expect(
    sourcePlaces(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})
