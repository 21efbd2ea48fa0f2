import { expect, it } from 'vitest'
import { ROOT } from '../support/repository.ts'
import { QUESTIONS, stepsTo } from './questions.ts'
import { readSources } from './sources.ts'

it('half of the questions of a newcomer are answered by at most three files', () => {
  const sources = readSources(ROOT)
  const steps = QUESTIONS.map((question) => stepsTo(question, sources)).toSorted((a, b) => a - b)
  expect(steps[Math.floor(steps.length / 2)]).toBeLessThanOrEqual(3)
})
