import { expect, test } from 'vitest'
import { createHints } from '#service/hints.ts'
import { subscribeToNews } from './next-hint.ts'

test('the followers of a job look at it one in a turn of the event loop, and workspaces take turns', async () => {
  const hints = createHints()
  const { signal } = new AbortController()
  let turn = 0
  let isOpen = true
  const count = (): void => {
    turn += 1
    if (isOpen) setImmediate(count)
  }
  setImmediate(count)
  const looks: { ws: string; turn: number }[] = []
  const follow = async (ws: string): Promise<void> => {
    const news = subscribeToNews({ hints }, { ws, id: ws, signal }, ['jobChanged', 'jobLogged'])
    await news.next()
    looks.push({ ws, turn })
    news.stop()
  }
  const all = [...Array.from({ length: 200 }, () => follow('busy')), follow('quiet')]
  hints.jobLogged.deliver('busy')
  hints.jobLogged.deliver('quiet')
  await Promise.all(all)
  isOpen = false
  expect(new Set(looks.map((look) => look.turn)).size).toBe(looks.length)
  expect(looks.findIndex(({ ws }) => ws === 'quiet')).toBeLessThan(3)
})
