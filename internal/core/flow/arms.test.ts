import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../json/value.ts'
import { armStates } from './arms.ts'
import type { BranchState } from './kinds/step-kind.ts'
import type { FlowStep } from './kinds.ts'

const ONE: FlowStep = {
  key: 'one',
  kind: 'branchone',
  branches: [
    { key: 'big', condition: 'results.first.n > 10', action: 'a' },
    { key: 'small', action: 'a' },
  ],
}
const ALL: FlowStep = {
  key: 'all',
  kind: 'branchall',
  branches: [
    { key: 'left', action: 'a' },
    { key: 'right', action: 'b' },
  ],
}

const at = (more: Partial<BranchState>, first: JsonValue = { n: 1 }): BranchState => ({
  status: 'success',
  jobs: new Map(),
  result: null,
  data: { input: null, results: new Map([['first', first]]) },
  ...more,
})
const seen = (step: FlowStep, state: BranchState): readonly string[] =>
  (armStates(step, state) ?? []).map(({ key, status }) => `${key} ${status}`)

describe('arms', () => {
  it('are of branches alone', () => {
    expect(armStates({ key: 'x', kind: 'action', action: 'a' }, at({}))).toBeNull()
  })

  it('of which one is taken have the status of the step, the others were passed over', () => {
    expect(seen(ONE, at({}, { n: 11 }))).toEqual(['big success', 'small skipped'])
    expect(seen(ONE, at({ status: 'running' }))).toEqual(['big skipped', 'small running'])
    expect(seen(ONE, at({ status: 'failure' }))).toEqual(['big skipped', 'small failure'])
  })

  it('say nothing before the run came there, and that it went past a skipped step', () => {
    expect(seen(ONE, at({ status: 'pending' }))).toEqual(['big pending', 'small pending'])
    expect(seen(ALL, at({ status: 'skipped' }))).toEqual(['left skipped', 'right skipped'])
  })

  it('were none taken when a condition could not be evaluated', () => {
    expect(seen(ONE, at({ status: 'failure' }, 'text'))).toEqual(['big skipped', 'small skipped'])
  })

  it('that run together have each the status of their job', () => {
    const jobs = new Map([
      [0, 'success'],
      [1, 'queued'],
    ] as const)
    expect(seen(ALL, at({ status: 'running', jobs }))).toEqual(['left success', 'right pending'])
    const ended = new Map([
      [0, 'failure'],
      [1, 'canceled'],
    ] as const)
    expect(seen(ALL, at({ status: 'failure', jobs: ended }))).toEqual([
      'left failure',
      'right canceled',
    ])
  })

  it('without a job are pending while their step runs', () => {
    const jobs = new Map([[0, 'success']] as const)
    expect(seen(ALL, at({ status: 'running', jobs }))).toEqual(['left success', 'right pending'])
  })

  it('whose jobs were deleted have the status that the result of their step has', () => {
    const result = { left: { ok: true, value: 1 }, right: { ok: false, error: {} } }
    expect(seen({ ...ALL, continueOnError: true }, at({ result }))).toEqual([
      'left success',
      'right failure',
    ])
    // without continueOnError, the fields of the result are those of the action
    expect(seen(ALL, at({ result }))).toEqual(['left success', 'right success'])
  })

  it.each(['failure', 'canceled'] as const)(
    'without a job are left out when their step ended in %s',
    (status) => {
      expect(seen(ALL, at({ status }))).toEqual([])
      expect(seen(ALL, at({ status, jobs: new Map([[1, 'failure']]) }))).toEqual(['right failure'])
    },
  )

  it('that an earlier run has done count as done', () => {
    expect(seen(ALL, at({}))).toEqual(['left success', 'right success'])
  })
})
