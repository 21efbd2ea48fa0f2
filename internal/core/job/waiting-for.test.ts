import { describe, expect, it } from 'vitest'
import { type QueuedFacts, waitingFor } from './waiting-for.ts'

const JOB: QueuedFacts = {
  ws: 'w',
  tag: 'gpu',
  minLevel: 'none',
  isReady: true,
  runAt: 0,
  attempt: 0,
  suspended: null,
  isPaced: false,
  rate: null,
  isDebounced: false,
  concurrency: null,
  workspaceRunning: 3,
  workspaceLimit: 0,
  allowedTags: null,
  isBehindTurns: false,
}
const WORKER = { tags: ['gpu'], level: 'runtime', workspaces: [] } as const

describe('what a queued job waits for', () => {
  it.each<readonly [string, Partial<QueuedFacts>, string]>([
    ['a free slot', {}, 'worker'],
    ['another tag', { tag: 'cpu' }, 'tag'],
    ['a tag that was taken away', { allowedTags: ['cpu'] }, 'tag'],
    ['a higher level', { minLevel: 'vm' }, 'level'],
    ['its time', { isReady: false, runAt: 5 }, 'time'],
    ['further requests', { isReady: false, isDebounced: true }, 'time'],
    ['its rate', { isReady: false, isPaced: true, rate: { limit: 2, windowMs: 500 } }, 'rate'],
    ['its key', { concurrency: { limit: 1, running: 1 } }, 'concurrency'],
    ['its workspace', { workspaceLimit: 3 }, 'quota'],
    ['its turn', { isBehindTurns: true }, 'fairness'],
    ['a sleep', { suspended: { kind: 'sleep', name: 'a' }, isReady: false }, 'time'],
    ['an event', { suspended: { kind: 'event', name: 'a' }, isReady: false }, 'event'],
    ['a free slot after a sleep', { suspended: { kind: 'sleep', name: 'a' } }, 'worker'],
    ['a job', { suspended: { kind: 'job', name: 'a' }, isReady: false }, 'job'],
  ])('may be %s', (_, facts, reason) => {
    const found = waitingFor({ ...JOB, ...facts }, [WORKER])
    expect(found.reason).toBe(reason)
    expect(found.detail).toMatch(/^[A-Z0-9].*\.$/)
  })

  it('is the next attempt after one that has ended', () => {
    const facts = { ...JOB, isReady: false, runAt: 5, attempt: 2 }
    expect(waitingFor(facts, [WORKER])).toEqual({
      reason: 'time',
      detail: 'Attempt 2 has ended. The next one begins at 1970-01-01T00:00:00.005Z.',
    })
  })

  it('is a worker while none runs', () => {
    expect(waitingFor(JOB, []).reason).toBe('worker')
  })
})
