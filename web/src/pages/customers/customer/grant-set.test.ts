import { expect, test } from 'vitest'
import {
  editsBetween,
  fromText,
  goneOf,
  grantName,
  toGrants,
  toText,
  withEdits,
  withNames,
} from './grant-set.ts'

test('equal grants are equal drafts, in whatever order they were ticked', () => {
  const one = withNames(withNames([], ['a/x'], true), ['b/y', 'a/x'], true)
  const other = withNames(['b/y'], ['a/x'], true)
  expect(toText(one)).toBe(toText(other))
  expect(fromText(toText(one))).toEqual(['a/x', 'b/y'])
})

test('a draft becomes what the API takes', () => {
  const grants = toGrants(['a/x'])
  expect(grants).toEqual([{ app: 'a', action: 'x' }])
  expect(grants.map(grantName)).toEqual(['a/x'])
})

test('a draft that is not one is empty', () => {
  expect(fromText('{"a":1}')).toEqual([])
  expect(fromText('[1, "a/x"]')).toEqual(['a/x'])
})

test('what an app has no more is found among its grants alone', () => {
  expect(goneOf('a', ['a/x', 'a/old', 'ab/old'], ['a/x'])).toEqual(['a/old'])
})

test('edits keep what others grant and withdraw meanwhile', () => {
  const edits = editsBetween(['a/x', 'a/y'], ['a/y', 'a/z'])
  expect(edits).toEqual(['+a/z', '-a/x'])
  expect(withEdits(['a/x', 'a/y'], edits)).toEqual(['a/y', 'a/z'])
  // another person withdraws y, and grants z and w
  expect(withEdits(['a/x', 'a/z', 'a/w'], edits)).toEqual(['a/z', 'a/w'])
  expect(editsBetween(['a/x'], ['a/x'])).toEqual([])
})
