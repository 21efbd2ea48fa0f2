import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { QUESTIONS, stepsTo } from './questions.ts'
import { readSources } from './sources.ts'

it('half of the questions of a newcomer are answered by at most three files', () => {
  const sources = readSources(resolve(import.meta.dirname, '../..'))
  const steps = QUESTIONS.map((question) => stepsTo(question, sources)).toSorted((a, b) => a - b)
  expect(steps[Math.floor(steps.length / 2)]).toBeLessThanOrEqual(3)
})
