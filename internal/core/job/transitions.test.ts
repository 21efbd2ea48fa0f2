import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cancelAnswer } from './cancel-answer.ts'
import {
  END_EVENTS,
  INITIAL_STATUS,
  isTerminal,
  JOB_STATUSES,
  JOB_TRANSITIONS,
  TERMINAL_STATUSES,
  toOf,
} from './transitions.ts'

const transitions = Object.entries(JOB_TRANSITIONS)

describe('the state table of a job', () => {
  it('has no event for a terminal job', () => {
    expect(transitions.filter(([, { from }]) => isTerminal(from))).toEqual([])
  })

  it('reaches every status from the first one', () => {
    const reached = new Set<string>([INITIAL_STATUS])
    for (const _ of JOB_STATUSES) {
      for (const [, { from, to }] of transitions) if (reached.has(from)) reached.add(to)
    }
    expect([...reached].toSorted()).toEqual([...JOB_STATUSES].toSorted())
  })

  it('ends an attempt with the requested status', () => {
    expect(TERMINAL_STATUSES.map((status) => toOf(END_EVENTS[status]))).toEqual(TERMINAL_STATUSES)
  })

  it('is the one that docs/state-machines.md draws', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../docs/state-machines.md'), 'utf8')
    const [, drawing = ''] = /\n## Job\n([\s\S]*?)\n## /.exec(text) ?? []
    const drawn = [...drawing.matchAll(/^ {2}(\w+) --> (\w+): (\w+)$/gm)].map(
      ([, from, to, event]) => [from, event, to].join(' '),
    )
    const allowed = transitions.map(([event, { from, to }]) => [from, event, to].join(' '))
    expect(drawn.toSorted()).toEqual(allowed.toSorted())
  })
})

it('states in the answer to a cancel what the cancel did', () => {
  expect(cancelAnswer('queued')).toEqual({
    found: true,
    completedNow: true,
    softCanceled: false,
    alreadyCompleted: false,
  })
  expect(cancelAnswer('running')).toMatchObject({ softCanceled: true, completedNow: false })
  expect(cancelAnswer('failure')).toMatchObject({ alreadyCompleted: true })
})
