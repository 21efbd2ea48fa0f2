import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cancelAnswer } from './cancel-answer.ts'
import { isTerminal, JOB_STATUSES, type JobEvent, nextStatus } from './transitions.ts'

const EVENTS: readonly JobEvent[] = [
  'claim',
  'succeed',
  'fail',
  'retry',
  'cancel',
  'observe_cancel',
  'lose_worker',
  'give_up',
  'hand_back',
]

describe('a job', () => {
  it('never leaves a terminal state, whatever happens', () => {
    fc.assert(
      fc.property(fc.constantFrom(...JOB_STATUSES), fc.constantFrom(...EVENTS), (status, event) => {
        fc.pre(isTerminal(status))
        expect(nextStatus(status, event)).toBeNull()
      }),
    )
  })

  it('reaches its end by claim and success', () => {
    expect(nextStatus('queued', 'claim')).toBe('running')
    expect(nextStatus('running', 'succeed')).toBe('success')
  })

  it('cannot succeed without having been claimed', () => {
    expect(nextStatus('queued', 'succeed')).toBeNull()
  })

  it('is canceled at once while queued and marked while running', () => {
    expect(nextStatus('queued', 'cancel')).toBe('canceled')
    expect(nextStatus('running', 'cancel')).toBe('running')
    expect(nextStatus('running', 'observe_cancel')).toBe('canceled')
  })

  it('says in the cancel answer what the cancel did', () => {
    expect(cancelAnswer('queued')).toEqual({
      found: true,
      completed_now: true,
      soft_canceled: false,
      already_completed: false,
    })
    expect(cancelAnswer('running')).toMatchObject({ soft_canceled: true, completed_now: false })
    expect(cancelAnswer('failure')).toMatchObject({ already_completed: true })
  })
})

describe('docs/state-machines.md', () => {
  it('draws exactly the transitions of the law', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../docs/state-machines.md'), 'utf8')
    const [, drawing = ''] = /\n## Job\n([\s\S]*?)\n## /.exec(text) ?? []
    const drawn = [...drawing.matchAll(/^ {2}(\w+) --> (\w+): (\w+)$/gm)].map(
      ([, from, to, event]) => [from, event, to].join(' '),
    )
    const lawful = JOB_STATUSES.flatMap((from) =>
      EVENTS.flatMap((event) => {
        const to = nextStatus(from, event)
        return to === null ? [] : [[from, event, to].join(' ')]
      }),
    )
    expect(drawn.toSorted()).toEqual(lawful.toSorted())
  })
})
