import { afterEach, expect, it, vi } from 'vitest'
import { createTurns } from '#pdf/turns.ts'
import { SCAN } from './pdf-reader.ts'

afterEach(() => void vi.useRealTimers())

it('reads a scan of another workspace after the longest scan of one that always has more', async () => {
  vi.useFakeTimers()
  const turns = createTurns({ ...SCAN, atOnce: 1 })
  await Promise.all([turns.take('greedy'), turns.take('slow')])
  const others = [turns.take('greedy'), turns.take('greedy')]
  const modest = turns.take('modest').then(
    () => 'read',
    () => 'refused',
  )
  await vi.advanceTimersByTimeAsync(SCAN.timeoutMs)
  turns.giveBack('greedy')
  expect(await modest).toBe('read')
  turns.giveBack('slow')
  turns.giveBack('modest')
  await others[0]
  turns.giveBack('greedy')
  await others[1]
})
