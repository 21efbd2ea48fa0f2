import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import type { JsonValue } from '../json/value.ts'
import { findSchemaFaults, inputCheck } from './input-schema.ts'

const faultsOf = (schema: JsonValue, input: JsonValue) => inputCheck(schema)?.(input) ?? []
const fits = (schema: JsonValue, input: JsonValue): boolean => faultsOf(schema, input).length === 0

describe('an input schema', () => {
  it('is optional', () => {
    expect(inputCheck(null)).toBeNull()
  })

  it('reports each fault with its path, as a sentence', () => {
    const schema = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        age: { type: 'integer', minimum: 0 },
        tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
        kind: { enum: ['a', 'b'] },
        mail: { format: 'email' },
      },
      additionalProperties: false,
    }
    expect(faultsOf(schema, { name: 'Ada', age: 36, tags: ['x'], mail: 'a@b.example' })).toEqual([])
    expect(
      faultsOf(schema, { age: -1, tags: ['a', 2, 'a'], kind: 'c', mail: 'none', colour: 'red' }),
    ).toEqual([
      { path: 'input', message: 'must have the field "name".' },
      { path: 'age', message: 'must be at least 0.' },
      { path: 'tags', message: 'must not contain duplicate items.' },
      { path: 'tags.1', message: 'must be a string.' },
      { path: 'kind', message: 'must be one of "a", "b".' },
      { path: 'mail', message: 'must be a valid email.' },
      { path: 'colour', message: 'is not a field of this input.' },
    ])
    expect(faultsOf(schema, [])).toEqual([{ path: 'input', message: 'must be an object.' }])
  })

  it('reports the faults of the form that fits best', () => {
    const form = (kind: string, field: string): JsonValue => ({
      properties: { kind: { const: kind }, [field]: { type: 'string' } },
      required: ['kind', field],
    })
    const schema = { oneOf: [form('card', 'number'), form('bank', 'iban')] }
    expect(fits(schema, { kind: 'bank', iban: 'DE1' })).toBe(true)
    expect(faultsOf(schema, { kind: 'bank', iban: 5 })).toEqual([
      { path: 'iban', message: 'must be a string.' },
    ])
    expect(faultsOf({ anyOf: [{ type: 'null' }, { type: 'string' }] }, 1)).toEqual([
      { path: 'input', message: 'must match at least one schema in "anyOf".' },
    ])
  })

  it('finds multiples of whole numbers exactly, and of fractions although they are not exact', () => {
    const odd = 6_000_000_000_000_001
    expect(fits({ multipleOf: 2 }, odd)).toBe(false)
    expect(fits({ multipleOf: 2 }, odd - 1)).toBe(true)
    expect(fits({ multipleOf: 0.1 }, 0.3)).toBe(true)
    expect(fits({ multipleOf: 0.1 }, 0.35)).toBe(false)
  })

  it('reports at most twenty faults', () => {
    const schema = { items: { type: 'string' } }
    expect(
      faultsOf(
        schema,
        Array.from({ length: 100 }, () => 1),
      ),
    ).toHaveLength(20)
  })

  it('reaches own fields only', () => {
    expect(fits({ required: ['constructor'] }, {})).toBe(false)
    expect(fits({ properties: { toString: false } }, {})).toBe(true)
    const hostile = JSON.parse('{"__proto__": {"admin": true}}')
    expect(fits({ additionalProperties: false }, hostile)).toBe(false)
    expect(fits(JSON.parse('{"properties": {"__proto__": {"type": "string"}}}'), hostile)).toBe(
      false,
    )
  })

  it('follows references inside itself, also around a tree', () => {
    const tree = {
      $id: 'https://example.com/tree',
      $ref: '#node',
      $defs: {
        node: {
          $anchor: 'node',
          type: 'object',
          properties: {
            'a/b': { $ref: '#/$defs/a~1b' },
            children: { type: 'array', items: { $ref: 'https://example.com/tree#/$defs/node' } },
          },
        },
        'a/b': { type: 'integer' },
      },
    }
    expect(findSchemaFaults(tree)).toEqual([])
    expect(fits(tree, { children: [{ 'a/b': 1, children: [] }] })).toBe(true)
    expect(faultsOf(tree, { children: [{ children: [{ 'a/b': 'x' }] }] })).toEqual([
      { path: 'children.0.children.0.a/b', message: 'must be a whole number.' },
    ])
  })

  it('knows which items and fields were not evaluated', () => {
    const list = { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false }
    expect(fits(list, [1, 'a', 'b'])).toBe(true)
    expect(fits(list, [1, 'a', 2])).toBe(false)
    const fields = {
      allOf: [{ properties: { a: true } }],
      if: { required: ['b'] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { properties: { b: true } },
      unevaluatedProperties: false,
    }
    expect(fits(fields, { a: 1, b: 2 })).toBe(true)
    expect(fits(fields, { a: 1, c: 2 })).toBe(false)
  })

  it.each<[string, string[], string[]]>([
    ['date', ['2024-02-29'], ['2023-02-29', '2024-13-01', '24-01-01', '2024-1-1']],
    ['time', ['10:00:00Z', '23:59:60.5+09:00'], ['10:00', '24:00:00Z', '10:00:00']],
    [
      'date-time',
      ['2024-01-01T00:00:00Z', '2024-01-01t00:00:00.123-01:30'],
      ['2024-01-01', '2024-01-01T25:00:00Z'],
    ],
    [
      'email',
      ['a.b+c@example.com'],
      ['a@', '@b', 'a b@c', '.a@b.c', 'a@-b.c', `${'a'.repeat(5_000)}@b.c`],
    ],
    ['hostname', ['example.com', 'a'], ['-a', 'a..b', 'a_b', '']],
    ['ipv4', ['127.0.0.1'], ['127.0.0', '256.0.0.1', '01.0.0.1']],
    ['ipv6', ['::1', 'fe80::1', '::ffff:1.2.3.4'], ['1', '::g', '1::2::3']],
    ['uri', ['https://example.com/a?b#c', 'urn:x:y'], ['/a', 'a b', 'https://']],
    ['uuid', ['01890000-0000-7000-8000-000000000000'], ['01890000']],
    ['unknown-format', ['anything'], []],
  ])('asserts the format %s', (format, good, bad) => {
    expect(good.filter((text) => !fits({ format }, text))).toEqual([])
    expect(bad.filter((text) => fits({ format }, text))).toEqual([])
  })

  it.each<[string, JsonValue, string]>([
    ['a type that is none', { type: 'text' }, 'type'],
    ['no types', { type: [] }, 'type'],
    ['a bad bound', { properties: { a: { minimum: '1' } } }, 'properties.a.minimum'],
    ['a negative length', { items: { maxLength: -1 } }, 'items.maxLength'],
    ['multipleOf 0', { multipleOf: 0 }, 'multipleOf'],
    ['required as a boolean', { properties: { a: { required: true } } }, 'properties.a.required'],
    ['a schema that is a text', { properties: { a: 'string' } }, 'properties.a'],
    ['a list of items, as older drafts have it', { items: [{}] }, 'items'],
    ['properties that are a list', { properties: [] }, 'properties'],
    ['no choices', { anyOf: [] }, 'anyOf'],
    ['an older draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, '$schema'],
    ['a pattern that is broken', { pattern: '(' }, 'pattern'],
    ['a pattern that looks ahead', { pattern: '^(?=.*[A-Z])' }, 'pattern'],
    [
      'a pattern that looks back',
      { patternProperties: { '(a)\\1': true } },
      'patternProperties.(a)\\1',
    ],
    ['a pattern that is huge', { pattern: '((a{1,90}){1,90}){1,9}' }, 'pattern'],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, '$ref'],
    ['a reference to another document', { $ref: 'https://example.com/x.json' }, '$ref'],
    [
      'a reference to a value that is not a schema',
      { $ref: '#/required', required: ['a'] },
      '$ref',
    ],
    ['a reference to itself', { $ref: '#' }, '$ref'],
    [
      'references in a circle',
      {
        $ref: '#/$defs/a',
        $defs: { a: { anyOf: [true, { $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } },
      },
      '$defs.b.$ref',
    ],
    [
      'a longer chain of references than a check follows',
      {
        $ref: '#/$defs/n0',
        $defs: Object.fromEntries(
          Array.from({ length: 9_000 }, (_, n) => [
            `n${n}`,
            { $ref: `#/$defs/n${(n + 1) % 8_999}` },
          ]),
        ),
      },
      '$defs.n398.$ref',
    ],
    [
      'more schemas than are looked at',
      {
        prefixItems: Array.from({ length: 10_001 }, (_, n) => (n < 10_000 ? {} : { type: 'none' })),
      },
      '',
    ],
    ['an inner $id', { $defs: { a: { $id: 'x' } } }, '$defs.a.$id'],
    ['a dynamic reference', { $dynamicRef: '#x' }, '$dynamicRef'],
  ])('with %s is refused, named by its path', (_, schema, path) => {
    expect(findSchemaFaults(schema).map((fault) => fault.path.join('.'))).toEqual([path])
  })
})

describe('no schema and no input holds the server up:', () => {
  const TOO_LONG = [
    expect.objectContaining({ path: 'input', message: expect.stringContaining('too long') }),
  ]
  const timed = <T>(act: () => T): T => {
    const startedAt = cpuMs()
    const result = act()
    expect(cpuMs() - startedAt).toBeLessThan(2_000)
    return result
  }

  it('a catastrophic pattern', () => {
    const text = `${'a'.repeat(50_000)}!`
    for (const pattern of ['^(a+)+$', '^(a|aa)+$', '(.*a){20}x', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
      expect(timed(() => fits({ pattern }, text))).toBe(false)
      expect(timed(() => fits({ patternProperties: { [pattern]: false } }, { [text]: 1 }))).toBe(
        true,
      )
    }
  })

  it('references that double with each step', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `n${n}`,
        n === 39 ? true : { allOf: [{ $ref: `#/$defs/n${n + 1}` }, { $ref: `#/$defs/n${n + 1}` }] },
      ]),
    )
    expect(timed(() => faultsOf({ $ref: '#/$defs/n0', $defs }, 1))).toEqual(TOO_LONG)
  })

  it('a schema as deep as a manifest may nest', () => {
    let schema: JsonValue = { type: 'integer' }
    for (let depth = 0; depth < 60; depth += 1) schema = { not: schema }
    expect(timed(() => fits(schema, 1))).toBe(true)
    let deep: JsonValue = true
    for (let depth = 0; depth < 5_000; depth += 1) deep = { items: deep }
    let value: JsonValue = []
    for (let depth = 0; depth < 60; depth += 1) value = [value]
    expect(timed(() => fits(deep, value))).toBe(true)
  })

  it('a long list of unique items, each of a form', () => {
    const input = Array.from({ length: 100_000 }, (_, n) => n)
    const schema = { items: { type: 'integer', minimum: 0 }, uniqueItems: true }
    expect(timed(() => faultsOf(schema, input))).toEqual([])
    const wide = { items: { enum: Array.from({ length: 1_000 }, (_, n) => `choice ${n}`) } }
    const last = input.map(() => 'choice 999')
    expect(timed(() => faultsOf(wide, last))).toEqual(TOO_LONG)
    expect(timed(() => faultsOf(wide, last.slice(0, 25_000)))).toEqual([])
  })

  it('a format against a long text', () => {
    const text = `a@${'a.'.repeat(400_000)}`
    for (const format of ['email', 'hostname', 'uri', 'ipv6', 'date-time', 'uuid']) {
      expect(timed(() => fits({ format }, text))).toBe(false)
    }
  })

  const many = <T>(count: number, make: (n: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, n) => make(n))
  const byName = (count: number, value: JsonValue): JsonValue =>
    Object.fromEntries(many(count, (n) => [`field ${n}`, value]))

  it.each([
    ['properties', { properties: byName(9_000, true) }],
    ['dependentSchemas', { dependentSchemas: byName(9_000, true) }],
    ['dependentRequired', { dependentRequired: byName(6_000, []) }],
    ['patternProperties', { patternProperties: Object.fromEntries(many(999, (n) => [`${n}`, 1])) }],
    ['types', { type: many(15_000, () => 'null') }],
    ['choices', { enum: many(15_000, (n) => n) }],
  ])('many %s against each item of a long list', (_, items) => {
    const input = many(300_000, () => ({}))
    expect(timed(() => faultsOf({ items }, input)).length).toBeLessThanOrEqual(20)
  })

  it('many first items against each list of a long list', () => {
    const input = many(300_000, () => [])
    const items = { prefixItems: many(9_000, () => true) }
    expect(timed(() => faultsOf({ items }, input))).toEqual(TOO_LONG)
  })

  it('many fields that each of many schemas has looked at', () => {
    let schema: JsonValue = { additionalProperties: true }
    for (let depth = 0; depth < 60; depth += 1) schema = { allOf: [schema] }
    const input = byName(80_000, 0)
    expect(timed(() => faultsOf({ ...schema, unevaluatedProperties: false }, input))).toEqual(
      TOO_LONG,
    )
  })

  it('a long list of faults, which is not read to its end', () => {
    const input = many(500_000, () => 0)
    expect(timed(() => faultsOf({ items: false }, input))).toHaveLength(20)
    expect(timed(() => faultsOf({ items: { anyOf: many(50, () => false) } }, input))).toHaveLength(
      20,
    )
  })

  it('a format against each item of a long list', () => {
    const input = many(100_000, () => '2024-02-29T10:00:00Z')
    expect(timed(() => faultsOf({ items: { format: 'date-time' } }, input))).toEqual([])
  })

  it('thousands of large patterns, of which the first that are too large are compiled', () => {
    const properties = Object.fromEntries(
      many(2_000, (n) => [`field ${n}`, { pattern: `(\\pL${n}){900}` }]),
    )
    expect(timed(() => findSchemaFaults({ properties }))).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^is too large: /) }),
    ])
  })
})
