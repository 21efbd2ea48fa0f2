import { beforeAll, describe, expect, it } from 'vitest'
import { CASES } from '../fixtures/certificate/cases.ts'
import { type Measured, measure } from './measure.ts'
import { scores } from './tally.ts'

const DOCUMENTS = 250
const WANTED = 0.99

describe('the parser, over generated certificates', () => {
  let measured: Measured
  beforeAll(() => {
    measured = measure(Array.from({ length: DOCUMENTS }, (_, index) => index + 1))
  }, 60_000)

  it('refuses none', () => {
    expect(measured.refused).toEqual([])
  })

  it('reads every group of fields', () => {
    const poor = [...measured.tally.groups].filter(([, counts]) => scores(counts).f1 < WANTED)
    const examples = measured.tally.misses.filter(({ group }) =>
      poor.some(([name]) => name === group),
    )
    expect(examples.slice(0, 10)).toEqual([])
    expect(poor).toEqual([])
  })

  it('meets every hard case', () => {
    expect(CASES.filter((name) => (measured.cases.get(name) ?? 0) === 0)).toEqual([])
  })
})
