import { expect, test } from 'vitest'
import { createGroups } from './groups.ts'

test('the largest group is the one with most members, and its first member is the one that joined first', () => {
  const groups = createGroups<number>()
  expect(groups.largest()).toBeNull()
  groups.join('a', 1)
  groups.join('b', 2)
  groups.join('b', 3)
  expect(groups.largest()).toEqual({ owner: 'b', size: 2, first: 2 })
  expect(groups.sizeOf('a')).toBe(1)
  expect(groups.sizeOf('c')).toBe(0)
})

test('a member that joins another owner leaves the former, and a repeated one goes to the end', () => {
  const groups = createGroups<number>()
  for (const member of [1, 2, 3]) groups.join('a', member)
  groups.join('b', 1)
  expect(groups.ownerOf(1)).toBe('b')
  groups.join('a', 2)
  expect(groups.largest()).toEqual({ owner: 'a', size: 2, first: 3 })
  for (const member of [1, 2, 3, 4]) groups.leave(member)
  expect(groups.largest()).toBeNull()
  expect(groups.ownerOf(2)).toBeUndefined()
})
