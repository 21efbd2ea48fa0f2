import { expect, test } from 'vitest'
import { createPlaces } from './places.ts'

const fill = (places: ReturnType<typeof createPlaces>, owner: string): number => {
  for (let count = 0; ; count += 1) if (places.take(owner) === null) return count
}

test('owners who take what they can leave places for others', () => {
  const places = createPlaces(8, 6)
  expect([fill(places, 'a'), fill(places, 'b'), fill(places, 'c')]).toEqual([6, 1, 1])
  expect(places.take('d')).toBeNull()
})

test('a place that two owners have filled alternately is left for a third', () => {
  const places = createPlaces(8, 6)
  const taken = ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'].map((owner) =>
    places.take(owner),
  )
  expect(taken.filter((leave) => leave !== null)).toHaveLength(6)
  expect([places.take('c'), places.take('d')]).not.toContain(null)
})

test('a place is given back once', () => {
  const places = createPlaces(1, 1)
  const leave = places.take('a')
  leave?.()
  leave?.()
  expect(places.take('b')).not.toBeNull()
  expect(places.take('c')).toBeNull()
})
