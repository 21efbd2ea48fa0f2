import { Sql } from '@libsql/hrana-client'
import { expect, it } from 'vitest'
import { createStoredTexts } from './stored-texts.ts'

const textOf = (n: number): string => `SELECT ${'x'.repeat(80)}${n}`

const setUp = () => {
  const closed: number[] = []
  let last = -1
  const owner = {
    storeSql: (): Sql => {
      last += 1
      return new Sql(owner, last)
    },
    _closeSql: (id: number) => void closed.push(id),
  }
  return { closed, count: () => last + 1, texts: createStoredTexts(owner) }
}

it('stores a text once and stands for it from then on', () => {
  const { texts, count } = setUp()
  const [first] = texts.store([textOf(1)])
  const [again] = texts.store([textOf(1)])
  expect(first).toBeInstanceOf(Sql)
  expect(again).toBe(first)
  expect(count()).toBe(1)
})

it('sends short texts, and those beyond what the server takes, as they are', () => {
  const { texts, count } = setUp()
  const long = 'x'.repeat(5_000)
  expect(texts.store(['SELECT 1', long])).toEqual(['SELECT 1', long])
  expect(count()).toBe(0)
})

it('frees the longest unused text for a new one, but none that the same request uses', () => {
  const { texts, closed } = setUp()
  texts.store(Array.from({ length: 100 }, (_, n) => textOf(n)))
  texts.store([textOf(0)])
  texts.store([textOf(100)])
  expect(closed).toEqual([1])
  const many = texts.store(Array.from({ length: 150 }, (_, n) => textOf(1_000 + n)))
  expect(many.filter((text) => text instanceof Sql)).toHaveLength(100)
  expect(many.slice(100)).toEqual(Array.from({ length: 50 }, (_, n) => textOf(1_100 + n)))
})
