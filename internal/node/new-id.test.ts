import { validate, version } from 'uuid'
import { expect, test } from 'vitest'
import { createNewId } from './new-id.ts'

test('ids are UUIDv7 of their time, unique and ascending', () => {
  let now = Date.parse('2026-03-01T00:00:00Z')
  const newId = createNewId(() => now)
  const ids = Array.from({ length: 10_000 }, (_, at) => {
    if (at % 1_000 === 0) now += 1
    return newId()
  })
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
  expect(Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16)).toBe(now - 9)
})

test('ids go on ascending when the clock goes back', () => {
  let now = Date.parse('2026-03-01T00:00:00Z')
  const newId = createNewId(() => now)
  const first = newId()
  now -= 60_000
  expect(newId() > first).toBe(true)
})

test('two processes make different ids at one time', () => {
  const [one, other] = [createNewId(() => 1), createNewId(() => 1)]
  expect(one()).not.toBe(other())
})
