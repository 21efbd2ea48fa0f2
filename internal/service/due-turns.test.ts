/** The order in which due rows of several workspaces get their turns. */
import { expect, test } from 'vitest'
import type { DuePage, DuePlace } from '#store/due-place.ts'
import { createDueTurns } from './due-turns.ts'

const LIMIT = 2

/** Rows `<ws><at>`, those whose id is in `stuck` stay due. */
const openRows = (names: readonly string[], stuck: readonly string[]) => {
  let due = names
  const turns = createDueTurns()
  const placeOf = (name: string): DuePlace => ({
    ws: name.charAt(0),
    at: Number(name.slice(1)),
    id: name,
  })
  const list = async ({ limit, behind }: DuePage) =>
    due
      .map(placeOf)
      .filter(({ ws, at }) => at > (behind.find((place) => place.ws === ws)?.at ?? 0))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, limit)
  const turn = async (): Promise<string> => {
    const taken: string[] = []
    await turns.take(LIMIT, list, async (rows) => {
      taken.push(...rows.map(({ id }) => id))
      due = due.filter((name) => !taken.includes(name) || stuck.includes(name))
      return rows.map(({ id }) => !stuck.includes(id))
    })
    return taken.join(' ')
  }
  return { turn }
}

test('each turn takes rows of every workspace, however many rows another has', async () => {
  const { turn } = openRows(['a1', 'a2', 'a3', 'b4', 'c5', 'd6'], [])
  expect(await turn()).toBe('a1 a2 b4 c5 d6')
  expect(await turn()).toBe('a3')
})

test('rows that stay due delay neither those behind them nor other workspaces', async () => {
  const { turn } = openRows(['a1', 'a2', 'a3', 'a4', 'a5', 'b6'], ['a1', 'a2', 'a3', 'a4'])
  expect(await turn()).toBe('a1 a2 b6')
  expect(await turn()).toBe('a3 a4')
  expect(await turn()).toBe('a5')
})

test('after its last row, a workspace begins again with those that stayed due', async () => {
  const { turn } = openRows(['a1', 'a2', 'a3'], ['a1', 'a2', 'a3'])
  expect(await turn()).toBe('a1 a2')
  expect(await turn()).toBe('a3')
  expect(await turn()).toBe('')
  expect(await turn()).toBe('a1 a2')
})
