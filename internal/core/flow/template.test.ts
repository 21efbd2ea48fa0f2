import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../json/value.ts'
import type { FlowData } from './data.ts'
import { parseTemplate, referencedSteps, resolveTemplate } from './template.ts'

const DATA: FlowData = {
  input: { name: 'Ada', n: 3, yes: true, none: null, list: [1, [2]], 'a}b': 'brace' },
  results: new Map<string, JsonValue>([
    ['one', { total: 7, rows: [{ id: 'x' }] }],
    ['1st', { 소유자: '홍길동' }],
    ['skipped', null],
  ]),
}
const LOOP: FlowData = { ...DATA, item: { value: { id: 9 }, index: 4 } }

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
test.each<[JsonValue, JsonValue]>([
  ['plain', 'plain'],
  ['', ''],
  ['${results.one}', { total: 7, rows: [{ id: 'x' }] }],
  ['${results.one.total}', 7],
  ['${ results.one.total }', 7],
  ['${results.one.rows[0].id}', 'x'],
  ['${results["one"]["total"]}', 7],
  ['${results.1st.소유자}', '홍길동'],
  ['${results.skipped}', null],
  ['${results}', Object.fromEntries(DATA.results)],
  ['${input}', DATA.input],
  ['${input.yes}', true],
  ['${input["a}b"]}', 'brace'],
  ['${item}', { id: 9 }],
  ['${item.id}', 9],
  ['${index}', 4],
  ['Hello ${input.name}, ${input.n}!', 'Hello Ada, 3!'],
  ['${input.name}${input.n}', 'Ada3'],
  ['${input.yes} ${input.none}', 'true null'],
  ['$${input.name}', '${input.name}'],
  ['a $${b} ${input.n}', 'a ${b} 3'],
  ['$5 and {x}', '$5 and {x}'],
  [
    { a: ['${input.n}', { b: '${results.one.total}' }], '${x}': 1 },
    { a: [3, { b: 7 }], '${x}': 1 },
  ],
  [
    JSON.parse('{"__proto__":{"a":["b",[]],"c":"${index}"},"d":{"e":"${input.n}","f":{}}}'),
    JSON.parse('{"__proto__":{"a":["b",[]],"c":4},"d":{"e":3,"f":{}}}'),
  ],
  [
    [1, true, null, '${index}'],
    [1, true, null, 4],
  ],
])('%j becomes %j', (template, expected) => {
  expect(resolveTemplate(template, LOOP)).toEqual({ value: expected, error: null })
})

test.each([
  ['${results.gone}', 'MissingReference'],
  ['${results.one.gone}', 'MissingReference'],
  ['${results.skipped.x}', 'MissingReference'],
  ['${results} in a text', 'BadReference'],
  ['${input.__proto__}', 'MissingReference'],
  ['${input.constructor}', 'MissingReference'],
  ['${input.list.length}', 'MissingReference'],
  ['${item}', 'MissingReference'],
  ['${env.HOME}', 'MissingReference'],
  ['${input.list} in a text', 'BadReference'],
  ['${', 'BadReference'],
  ['${input.name', 'BadReference'],
  ['${input.name + 1}', 'BadReference'],
  ['${}', 'BadReference'],
  ['${1}', 'BadReference'],
  ['${input[name]}', 'BadReference'],
])('%s fails with %s', (template, name) => {
  expect(resolveTemplate([template], DATA).error?.name).toBe(name)
})

test('a field of the index does not exist', () => {
  expect(resolveTemplate('${index.x}', LOOP).error?.message).toBe(
    '${index.x} does not exist in this run.',
  )
})

test('the error of a field of a skipped step states that its result is null', () => {
  const data = { ...DATA, results: new Map([['boss', null]]) }
  expect(resolveTemplate('${results.boss.decision}', data).error?.message).toBe(
    '${results.boss.decision} does not exist in this run. The result of step "boss" is null, as that of a skipped step.',
  )
})

test('the length of a list is a matter of conditions, and the error states that', () => {
  expect(resolveTemplate('${results.rows.length}', DATA).error?.message).toMatch(
    /^\$\{results\.rows\.length\} does not exist .* Only conditions have the length/,
  )
})
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */

test('returns the steps that it names', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
  const template = { a: '${results.one.x} ${input.b}', b: ['${results["b c"]}', '$${results.no}'] }
  expect(referencedSteps(template, ['one', 'two'])).toEqual(['one', 'b c'])
})

test('`results` alone names all steps', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
  expect(referencedSteps({ all: ['${results}'] }, ['one', 'two'])).toEqual(['one', 'two'])
})

test('any text without a reference stays as it is, and no text is thrown at', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { pieces, fault } = parseTemplate(text)
      expect((pieces === null) !== (fault === null)).toBe(true)
      if (!text.includes('${')) expect(resolveTemplate(text, DATA).value).toBe(text)
    }),
    { numRuns: 3_000 },
  )
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const template: JsonValue = JSON.parse(JSON.stringify(value))
      fc.pre(!JSON.stringify(template).includes('${'))
      expect(resolveTemplate(template, DATA).value).toEqual(template)
    }),
  )
})
