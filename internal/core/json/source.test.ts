import { expect, it } from 'vitest'
import { sourceAt } from './source.ts'

it.each([
  ['a', '{"a":1.50}', '1.50'],
  ['a', ' { "a" : 12345678901234567891 } ', '12345678901234567891'],
  ['a', '{"b":[1,{"a":2}],"a":3e0,"c":{"a":4}}', '3e0'],
  ['a', '{"a":1,"a":2}', '2'],
  ['a', '{"x":"\\",\\"a\\":0","a":7}', '7'],
  ['a', '{"\\u0061":7}', '7'],
  ['a.b.1', '{"a":{"b":[0,1e400,2]}}', '1e400'],
  ['1.a', '[{"a":0},{"a":10.0}]', '10.0'],
  ['0', '[[1,2],3]', '[1,2]'],
  ['a', '{"a":{"b":[1]}}', '{"b":[1]}'],
])('finds %s in %s', (path, text, source) => {
  expect(sourceAt(text, path.split('.'))).toBe(source)
})

it.each([
  ['a', '{}'],
  ['a', '[]'],
  ['a', '{"b":1}'],
  ['2', '[1,2]'],
  ['a.b', '{"a":1}'],
])('finds no %s in %s', (path, text) => {
  expect(sourceAt(text, path.split('.'))).toBeNull()
})
