import { expect, test } from 'vitest'
import { firstSteps, type StepFacts } from './first-steps.ts'

const EMPTY: StepFacts = {
  hasApp: false,
  hasJob: false,
  hasSchedule: false,
  hasOthers: false,
  hasSeenLog: false,
  wasShown: false,
}
const FULL = { ...EMPTY, hasApp: true, hasJob: true, hasSchedule: true, hasOthers: true }
const mayAll = (): boolean => true

const left = (facts: StepFacts, may: (scope: string) => boolean = mayAll) =>
  firstSteps(facts, may)
    ?.filter(({ isDone }) => !isDone)
    .map(({ step }) => step) ?? null

test('an empty workspace has all of them left, and each ticks by itself', () => {
  expect(left(EMPTY)).toEqual(['deploy', 'run', 'log', 'schedule', 'invite'])
  expect(left({ ...EMPTY, hasApp: true })).toEqual(['run', 'log', 'schedule', 'invite'])
  expect(left({ ...FULL, hasSchedule: false, hasSeenLog: true })).toEqual(['schedule'])
})

test('a workspace that has everything shows none, but to whom it was shown until the log was opened', () => {
  expect(left(FULL)).toBeNull()
  expect(left({ ...FULL, wasShown: true })).toEqual(['log'])
  expect(left({ ...FULL, wasShown: true, hasSeenLog: true })).toBeNull()
})

test('a person sees the steps that they may take, and a reader none', () => {
  const runs = (scope: string): boolean => ['jobs:run', 'jobs:read'].includes(scope)
  expect(left(EMPTY, runs)).toEqual(['run', 'log'])
  expect(left(EMPTY, (scope) => scope === 'jobs:read')).toBeNull()
})
