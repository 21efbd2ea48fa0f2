import { expect, test } from 'vitest'
import { createUnsentAnswers } from './unsent-answers.ts'

const KIB = 1_024

const open = (maxBytes: number) => {
  const answers = createUnsentAnswers(maxBytes)
  const cut: string[] = []
  const add = (ws: string, name: string, bytes: number) =>
    answers.add(ws, { bytes, cut: () => void cut.push(name) })
  return { add, cut }
}

test('the workspace with the most unsent bytes loses its oldest answers', () => {
  const { add, cut } = open(100 * KIB)
  add('other', 'o1', 30 * KIB)
  for (const name of ['a1', 'a2', 'a3', 'a4']) add('flood', name, 20 * KIB)
  expect(cut).toEqual(['a1'])
  add('flood', 'a5', 20 * KIB)
  expect(cut).toEqual(['a1', 'a2'])
})

test('answers that were sent make room, each once, and small ones do not count', () => {
  const { add, cut } = open(100 * KIB)
  const sent = add('one', 'a', 90 * KIB)
  for (let at = 0; at < 100; at += 1) add('one', 'small', 10 * KIB)
  sent()
  sent()
  add('one', 'b', 60 * KIB)
  expect(cut).toEqual([])
  add('one', 'c', 60 * KIB)
  expect(cut).toEqual(['b'])
})

test('an answer larger than all the room is cut, and then there is room again', () => {
  const { add, cut } = open(100 * KIB)
  add('one', 'huge', 200 * KIB)
  add('one', 'next', 90 * KIB)
  expect(cut).toEqual(['huge'])
})
