import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { labelsOf, toLabel } from './labels.ts'

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation
describe('labelsOf', () => {
  it('fills references with texts, numbers and booleans of the input', () => {
    const input = { customer: { id: 42 }, plan: 'pro', isTrial: false }
    const templates = [
      'customer:${input.customer.id}',
      '${input.plan}',
      'trial:${input.isTrial}',
      'import',
    ]
    expect(labelsOf(templates, input)).toEqual(['customer:42', 'pro', 'trial:false', 'import'])
  })

  it('leaves out a label whose reference finds no such value', () => {
    const templates = ['a:${input.a}', 'b:${input.b}', 'c:${input.c}', 'd:${input.d.e}', 'e']
    expect(labelsOf(templates, { a: null, b: [1], c: {} })).toEqual(['e'])
    expect(labelsOf(templates, 'text')).toEqual(['e'])
  })

  it('takes no longer for a text of megabytes', () => {
    const input = { text: '한'.repeat(4_194_304) }
    const before = process.cpuUsage()
    expect(labelsOf(['${input.text}'.repeat(35)], input)).toEqual(['한'.repeat(100)])
    expect(process.cpuUsage(before).user).toBeLessThan(100_000)
  })

  it('leaves out empty labels and repeats none', () => {
    expect(
      labelsOf(['${input.a}', '${input.b}', '${input.c}'], { a: ' ', b: 'x', c: 'x ' }),
    ).toEqual(['x'])
  })
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation

describe('toLabel', () => {
  it('has one line and no space around it', () => {
    expect(toLabel(' a\n\tb\u0000c\u2028d ')).toBe('a b c d')
  })

  it('is cut after 100 characters, and never within one', () => {
    expect(toLabel('😀'.repeat(101))).toBe('😀'.repeat(100))
    expect(toLabel(`${'x'.repeat(99)} y`)).toBe('x'.repeat(99))
    expect(toLabel('a\ud800b')).toBe('a b')
  })

  it('is the label of its own text', () => {
    for (const text of [' a  b ', '한국어 고객:홍길동', '👨‍👩‍👧 family', 'x'.repeat(300)]) {
      expect(toLabel(toLabel(text))).toBe(toLabel(text))
    }
    expect(toLabel('👨‍👩‍👧')).toBe('👨‍👩‍👧')
  })
})
