import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { JsonValue } from '../../json/value.ts'
import type { FlowData } from '../data.ts'
import { stepsIn } from '../template.ts'
import { evaluateCondition } from './evaluate.ts'
import { parseCondition, referencesOfCondition } from './parse.ts'

const DATA: FlowData = {
  input: { name: 'Ada', age: 36, tags: ['a', 'b'], 'a b': { c: 1 }, length: 9 },
  results: new Map<string, FlowData['input']>([
    ['check', { ok: true, total: 12.5, list: [1, 2, 3], text: 'héllo', none: null }],
    ['1st', { 소유자: '홍길동', n: 1 }],
    ['skipped', null],
    ['plain', 'word'],
  ]),
}
const verdict = (text: string) => evaluateCondition(text, DATA)

test.each([
  ['results.check.ok', true],
  ['!results.check.ok', false],
  ['!!results.check.ok', true],
  ['results.check.total > 12', true],
  ['results.check.total >= 12.5', true],
  ['results.check.total < -1', false],
  ['1e3 === 1000', true],
  ["results.check.text == 'héllo'", true],
  ['results.check.text != "héllo"', false],
  ["'it\\'s' == \"it's\"", true],
  ['results.check.none == null', true],
  ['results.skipped == null', true],
  ['results.1st.소유자 == "홍길동"', true],
  ['results.1st.n==1&&results.1st.n<2', true],
  ['results.plain', true],
  ['results["plain"] == "word"', true],
  ['results.check.list.length == 3', true],
  ['results.check.list[1] == 2', true],
  ['results.plain.length == 4', true],
  ['input.length == 9', true],
  ['input["a b"].c == 1', true],
  ['input.tags.length > 1 && input.tags[0] == "a"', true],
  ['input.age > 40 || input.name == "Ada"', true],
  ['(input.age > 40 || true) && false', false],
  ['input.age > 40 || true && false', false],
  // 1 is not '1'
  ["1 == '1'", false],
  ['0 == false', false],
  ['null == false', false],
  ['"b" > "a"', true],
  ['results.check.list == input.tags', false],
  ['input.tags == input.tags', true],
  // an operand that is not needed is not evaluated
  ['false && results.gone.x', false],
  ['true || results.gone.x', true],
  ['0', false],
  ["''", false],
  ['  true  ', true],
])('%s is %s', (text, holds) => {
  expect(verdict(text)).toEqual({ holds, error: null })
})

test.each([
  ['results.gone', 'does not exist'],
  ['results.check.gone', 'does not exist'],
  ['results.skipped.x', 'does not exist'],
  ['results.check.list[3]', 'does not exist'],
  ['results.check.total.length', 'does not exist'],
  ['input.constructor', 'does not exist'],
  ['input.__proto__', 'does not exist'],
  ['results.__proto__', 'does not exist'],
  ['results.constructor.name', 'does not exist'],
  ['process.env', 'must begin with'],
  ['item.x', 'inside a loop'],
  ["1 < 'a'", 'compares two numbers or two texts'],
  ['true > false', 'compares two numbers or two texts'],
  ['null <= 1', 'compares two numbers or two texts'],
])('%s fails: %s', (text, message) => {
  const { holds, error } = verdict(text)
  expect(holds).toBeNull()
  expect(error?.message).toContain(message)
})

test.each([
  '',
  '   ',
  '==',
  'results.a ==',
  '(true',
  'true)',
  'true false',
  'a = 1',
  'a & b',
  '1 < 2 < 3',
  'f(x)',
  'a.b()',
  'x => x',
  '`a`',
  "'open",
  '1 + 1',
  'a[b]',
  'a..b',
  '01',
  '1.2.3',
  '!',
  'new Date',
  '$' + '{results.a}',
  `${'('.repeat(40)}1${')'.repeat(40)}`,
  '!'.repeat(50),
  `true${' '.repeat(2_100)}`,
])('%j is not a condition', (text) => {
  const { condition, fault } = parseCondition(text)
  expect(condition).toBeNull()
  expect(fault).not.toBe('')
  expect(verdict(text).error?.name).toBe('BadCondition')
})

describe('a comparison of lists, objects and long texts', () => {
  const list = (length: number) => Array.from({ length }, (_, at) => at)
  const object = (length: number) => Object.fromEntries(list(length).map((at) => [`k${at}`, at]))
  const compared = (left: JsonValue, right: JsonValue, text = 'results.a == results.b') =>
    evaluateCondition(text, {
      input: null,
      results: new Map([
        ['a', left],
        ['b', right],
      ]),
    })

  it('looks at 1,000 values', () => {
    for (const make of [list, object]) {
      expect(compared(make(1_000), make(1_000))).toEqual({ holds: true, error: null })
      expect(compared(make(1_001), make(1_001)).error?.message).toMatch(/more than 1000 values/)
      // different sizes say enough
      expect(compared(make(9_000), make(9_001))).toEqual({ holds: false, error: null })
    }
    const rows = list(400).map((at) => ({ at, more: [at] }))
    expect(compared(rows, structuredClone(rows)).error?.name).toBe('BadCondition')
    expect(compared(list(600), list(600), `${'results.a == results.b && '.repeat(2)}true`)).toEqual(
      compared(list(1_001), list(1_001)),
    )
  })

  it('counts 1,024 characters of a text as one value', () => {
    const text = (length: number) => 'x'.repeat(length)
    expect(compared(text(1_000_000), text(1_000_000))).toEqual({ holds: true, error: null })
    for (const operator of ['==', '<=']) {
      const twice = `results.a ${operator} results.b && results.b ${operator} results.a`
      expect(compared(text(1_000_000), text(1_000_000), twice).error?.name).toBe('BadCondition')
    }
  })

  it('means the same as one of their texts', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
        const [left, right]: readonly [JsonValue, JsonValue] = JSON.parse(
          JSON.stringify([one, other]),
        )
        expect(compared(left, structuredClone(left)).holds).toBe(true)
        expect(compared(left, right).holds).toBe(isDeepStrictEqual(left, right))
      }),
    )
  })
})

test('returns the steps that it names', () => {
  const { condition } = parseCondition('results.a.x > 1 && (!results["b c"] || input.results == 2)')
  expect(condition === null ? null : stepsIn(referencesOfCondition(condition))).toEqual([
    'a',
    'b c',
  ])
})

type Shown = Readonly<{ text: string; js: string }>

const literal = fc.oneof(
  fc.integer({ min: -9, max: 9 }).map((n) => ({ text: String(n), js: String(n) })),
  fc.constantFrom('true', 'false', 'null').map((word) => ({ text: word, js: word })),
  fc.constantFrom("'a'", '"b"', "''").map((word) => ({ text: word, js: word })),
)
const { expression } = fc.letrec<{ expression: Shown }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literal,
    fc
      .tuple(tie('expression'), fc.constantFrom('&&', '||', '===', '!=='), tie('expression'))
      .map(([a, operator, b]) => ({
        text: `(${a.text}) ${operator} (${b.text})`,
        js: `(${a.js}) ${operator} (${b.js})`,
      })),
    tie('expression').map(({ text, js }) => ({ text: `!(${text})`, js: `!(${js})` })),
  ),
}))

describe('any text', () => {
  it('means what JavaScript means by it, where both know it', () => {
    fc.assert(
      fc.property(expression, ({ text, js }) => {
        fc.pre(parseCondition(text).condition !== null)
        const expected: unknown = new Function(`return Boolean(${js})`)()
        expect(verdict(text)).toEqual({ holds: expected, error: null })
      }),
      { numRuns: 2_000 },
    )
  })

  it('is answered, never thrown at', () => {
    const noise = fc.string({
      unit: fc.constantFrom(...'results.input[]()!&|=<>"\'\\ 0123abc$_{}-.\n'),
      maxLength: 60,
    })
    fc.assert(
      fc.property(fc.oneof(noise, fc.string()), (text) => {
        const { holds, error } = verdict(text)
        expect((holds === null) !== (error === null)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })
})
