import { describe, expect, it } from 'vitest'
import { afterWorkerLoss, crashLimitOf } from './worker-loss.ts'

const lost = { crashes: 0, crashLimit: 3, isCancelRequested: false }

describe('a job whose worker was lost', () => {
  it('is queued again below its limit, and fails at it', () => {
    const events = [0, 1, 2, 3].map((crashes) => afterWorkerLoss({ ...lost, crashes }))
    expect(events).toEqual(['lose_worker', 'lose_worker', 'give_up', 'give_up'])
  })

  it('ends canceled when its cancel was requested, also at its limit', () => {
    expect(afterWorkerLoss({ ...lost, isCancelRequested: true })).toBe('observe_cancel')
    expect(afterWorkerLoss({ crashes: 9, crashLimit: 1, isCancelRequested: true })).toBe(
      'observe_cancel',
    )
  })

  it('fails at the first loss when its action asks for that', () => {
    expect(crashLimitOf({ onWorkerLost: 'fail' }, 3)).toBe(1)
    expect(crashLimitOf({ onWorkerLost: 'requeue' }, 3)).toBe(3)
  })
})
