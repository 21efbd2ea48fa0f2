import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { LONGEST_HELD_DELAY_MS } from './limits.ts'
import {
  afterThrow,
  meetStep,
  mustSuspend,
  type RecordedStep,
  STEP_KINDS,
  STEP_STATUSES,
} from './step.ts'

const BAD = { name: 'Bad', message: 'no' }
const recorded = (changes: Partial<RecordedStep> = {}): RecordedStep => ({
  name: 'a',
  kind: 'step',
  position: 1,
  status: 'success',
  tries: 1,
  isCaught: false,
  dueInMs: null,
  value: 7,
  error: null,
  ...changes,
})

describe('a call that meets', () => {
  it.each([
    ['nothing, as a step', null, 'step', { kind: 'run', tries: 1 }],
    ['nothing, as a sleep', null, 'sleep', { kind: 'begin' }],
    ['a success', recorded(), 'step', { kind: 'return', value: 7 }],
    ['another kind', recorded(), 'sleep', { kind: 'mismatch', recorded: 'step' }],
    [
      'a failure that was caught',
      recorded({ status: 'failure', isCaught: true, error: BAD }),
      'step',
      { kind: 'throw', error: BAD },
    ],
    [
      'a failure that ended its attempt',
      recorded({ status: 'failure', error: BAD }),
      'step',
      { kind: 'run', tries: 1 },
    ],
    [
      'a call whose start was refused',
      recorded({ kind: 'job', status: 'failure', error: BAD }),
      'job',
      { kind: 'begin' },
    ],
    [
      'a function whose worker was lost',
      recorded({ status: 'running', tries: 2 }),
      'step',
      { kind: 'run', tries: 3 },
    ],
    [
      'the delay of a retry',
      recorded({ status: 'running', dueInMs: 10 }),
      'step',
      { kind: 'wait', dueInMs: 10 },
    ],
    [
      'the end of that delay',
      recorded({ status: 'running', dueInMs: 0, tries: 2 }),
      'step',
      { kind: 'run', tries: 3 },
    ],
    [
      'a sleep that is not over',
      recorded({ kind: 'sleep', status: 'running', dueInMs: 1 }),
      'sleep',
      { kind: 'wait', dueInMs: 1 },
    ],
    [
      'a sleep that is over',
      recorded({ kind: 'sleep', status: 'running', dueInMs: 0 }),
      'sleep',
      { kind: 'return', value: null },
    ],
    [
      'a wait whose time is over',
      recorded({ kind: 'event', status: 'running', dueInMs: -1 }),
      'event',
      { kind: 'return', value: null },
    ],
    [
      'a called job, however long it takes',
      recorded({ kind: 'job', status: 'running', dueInMs: -1 }),
      'job',
      { kind: 'wait', dueInMs: -1 },
    ],
  ] as const)('%s', (_what, step, kind, meeting) => {
    expect(meetStep(step, kind)).toEqual(meeting)
  })

  const anyStep = fc.record({
    name: fc.string(),
    kind: fc.constantFrom(...STEP_KINDS),
    position: fc.nat(),
    status: fc.constantFrom(...STEP_STATUSES),
    tries: fc.nat(),
    isCaught: fc.boolean(),
    dueInMs: fc.option(fc.integer()),
    value: fc.anything(),
    error: fc.constantFrom(null, BAD),
  })

  test('a success never runs again, and only steps run functions', () => {
    fc.assert(
      fc.property(anyStep, fc.constantFrom(...STEP_KINDS), (step, kind) => {
        const meeting = meetStep(step, kind)
        expect(meeting.kind === 'mismatch').toBe(step.kind !== kind)
        if (step.kind !== kind) return
        if (step.status === 'success')
          expect(meeting).toEqual({ kind: 'return', value: step.value })
        if (meeting.kind === 'run') expect(kind).toBe('step')
        if (meeting.kind === 'begin') expect(step.status).toBe('failure')
        if (meeting.kind === 'wait') expect(step.status).toBe('running')
        if (meeting.kind === 'throw') expect(step.isCaught).toBe(true)
      }),
    )
  })
})

describe('after a function threw', () => {
  const policy = { maxAttempts: 3, delayMs: 1_000, backoffFactor: 10 }
  const failed = (failures: number) => ({ failures, error: BAD, random: 0.5 })

  it('without retry, the step fails', () => {
    expect(afterThrow(null, failed(1))).toEqual({ kind: 'fail' })
  })

  it('with retry, a short delay is held, a longer one recorded, the last try fails', () => {
    expect([1, 2, 3].map((failures) => afterThrow(policy, failed(failures)))).toEqual([
      { kind: 'hold', delayMs: 1_000 },
      { kind: 'delay', delayMs: 10_000 },
      { kind: 'fail' },
    ])
    const edge = { ...policy, delayMs: LONGEST_HELD_DELAY_MS }
    expect(afterThrow(edge, failed(1)).kind).toBe('hold')
  })
})

test('an attempt is suspended exactly when it waits and nothing of it can go on', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (waiting, active) => {
      expect(mustSuspend({ waiting, active })).toBe(waiting > 0 && active === 0)
    }),
  )
  expect(mustSuspend({ waiting: 0, active: 0 })).toBe(false)
})
