import { expect, test } from 'vitest'
import { createHints } from '#service/hints.ts'
import { countTurns } from '../../../test/support/count-turns.ts'
import { subscribeToNews } from './next-hint.ts'

test('the followers of a job look at it one in a turn of the event loop, and workspaces take turns', async () => {
  const hints = createHints()
  const { signal } = new AbortController()
  const looks: { ws: string; turn: number }[] = []
  await countTurns(async (turnsSoFar) => {
    const follow = async (ws: string): Promise<void> => {
      const news = subscribeToNews({ hints }, { ws, id: ws, signal }, ['jobChanged', 'jobLogged'])
      await news.next()
      looks.push({ ws, turn: turnsSoFar() })
      news.stop()
    }
    const all = [...Array.from({ length: 200 }, () => follow('busy')), follow('quiet')]
    hints.jobLogged.deliver('busy')
    hints.jobLogged.deliver('quiet')
    await Promise.all(all)
  })
  expect(new Set(looks.map((look) => look.turn)).size).toBe(looks.length)
  expect(looks.findIndex(({ ws }) => ws === 'quiet')).toBeLessThan(3)
})
