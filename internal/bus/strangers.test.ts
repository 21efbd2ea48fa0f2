import { expect, it } from 'vitest'
import { createStrangers } from './strangers.ts'

const open = () => {
  const cut: string[] = []
  return { cut, connection: (name: string) => ({ terminate: () => void cut.push(name) }) }
}

it('cuts the oldest connection of a full network, and the oldest of all when the total is full', () => {
  const strangers = createStrangers({ total: 4, perNetwork: 2 })
  const { cut, connection } = open()
  const first = connection('a1')
  strangers.enter('a', first)
  for (const name of ['a2', 'b1', 'a3']) strangers.enter(name.charAt(0), connection(name))
  expect(cut).toEqual(['a1'])
  // this connection was already removed
  strangers.leave(first)
  for (const name of ['c1', 'd1', 'd2']) strangers.enter(name.charAt(0), connection(name))
  expect(cut).toEqual(['a1', 'a2', 'b1'])
  expect(strangers.count).toBe(4)
})

it('does not count connections that have proved the key', () => {
  const strangers = createStrangers({ total: 4, perNetwork: 1 })
  const { cut, connection } = open()
  const node = connection('node')
  strangers.enter('a', node)
  strangers.leave(node)
  strangers.enter('a', connection('stranger'))
  expect(cut).toEqual([])
})
