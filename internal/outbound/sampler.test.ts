import { describe, expect, it } from 'vitest'
import { createSampler, type SamplerOptions } from './sampler.ts'

const LOW = '00000000000000000000000000000001'
const HIGH = 'ffffffff000000000000000000000000'
const span = (trace: string, flags = '01'): string => `00-${trace}-b7ad6b7169203331-${flags}`

const decide = (name: SamplerOptions['name'], ratio = 1) => createSampler({ name, ratio })

describe('the sampler', () => {
  it.each([
    ['always_on', true, true, true],
    ['always_off', false, false, false],
    ['parentbased_always_on', true, true, false],
    ['parentbased_always_off', false, true, false],
  ] as const)(
    '%s takes: the first span %s, below a sampled one %s, below another one %s',
    (name, first, below, others) => {
      const sample = decide(name)
      expect(sample(span(LOW), null)).toBe(first)
      expect(sample(span(LOW), span(LOW, '01'))).toBe(below)
      expect(sample(span(LOW), span(LOW, '00'))).toBe(others)
    },
  )

  it('traceidratio goes by the id of the trace, whatever the parent is', () => {
    const sample = decide('traceidratio', 0.5)
    expect(sample(span(LOW), null)).toBe(true)
    expect(sample(span(HIGH), null)).toBe(false)
    expect(sample(span(LOW), span(LOW, '00'))).toBe(true)
    expect(sample(span(HIGH), span(HIGH, '01'))).toBe(false)
  })

  it('parentbased_traceidratio does so for the first span only', () => {
    const sample = decide('parentbased_traceidratio', 0.5)
    expect(sample(span(LOW), null)).toBe(true)
    expect(sample(span(HIGH), null)).toBe(false)
    expect(sample(span(HIGH), span(HIGH, '01'))).toBe(true)
    expect(sample(span(LOW), span(LOW, '00'))).toBe(false)
  })

  it('takes about as many traces as its ratio demands', () => {
    const sample = decide('traceidratio', 0.25)
    const taken = Array.from({ length: 4_000 }, (_, at) => {
      // spread the ids over all 32 bits that the sampler compares with the ratio
      const trace = Math.imul(at + 1, 0x9e3779b1) >>> 0
      return sample(span(trace.toString(16).padStart(32, '0')), null)
    })
    const share = taken.filter(Boolean).length / taken.length
    expect(share).toBeGreaterThan(0.22)
    expect(share).toBeLessThan(0.28)
  })
})
