import { describe, expect, test } from 'vitest'
import { emitClient, rootPathsOf } from './emit-client.ts'
import { emitType, type Schema, schemaShape } from './emit-type.ts'

const shape = (schema: Schema): string => emitType(schemaShape.parse(schema)).replaceAll('\n', ' ')

describe('a schema as a type', () => {
  test.each<readonly [Schema, string]>([
    [{}, 'unknown'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: ['object', 'array', 'string', 'number', 'boolean', 'null'] }, 'Json'],
    [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    [{ const: 'a' }, '"a"'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, 'readonly (string | null)[]'],
    [{ type: 'string', format: 'binary' }, 'Blob'],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      '{ readonly [key: string]: string }',
    ],
    [{ type: 'object' }, 'Readonly<Record<string, unknown>>'],
    [
      { type: 'object', properties: { a: { type: 'string' }, 'b-c': {} }, required: ['a'] },
      "{ readonly a: string readonly 'b-c'?: unknown }",
    ],
    [
      { allOf: [{ $ref: '#/components/schemas/Job' }, { anyOf: [{ const: 1 }, { const: 2 }] }] },
      "Schemas['Job'] & (1 | 2)",
    ],
    [{ oneOf: [{ type: 'string' }, { type: 'string' }] }, 'string'],
  ])('%j is %s', (schema, type) => {
    expect(shape(schema)).toBe(type)
  })

  test('a keyword that the emitter does not know is refused, not left out', () => {
    expect(() => schemaShape.parse({ type: 'array', prefixItems: [] })).toThrow('prefixItems')
    expect(() => emitType({ type: 'tuple' })).toThrow('tuple')
  })

  test('a comment cannot end early', () => {
    const properties = { a: { type: 'string', description: 'x */ y' } }
    expect(shape({ type: 'object', properties })).toContain('/** x *\\/ y */')
  })
})

const operation = { summary: 'Does it', description: 'For all.', responses: { 204: {} } }
const emit = (paths: unknown): string => emitClient({ paths, components: { schemas: {} } })

describe('a route as an operation', () => {
  test('of a workspace is named by the rest of its path, without the workspace', () => {
    const parameters = ['ws', 'id'].map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }))
    const made = emit({ '/api/w/{ws}/jobs/{id}': { delete: { ...operation, parameters } } })
    expect(made).toContain("'/jobs/{id}': {")
    expect(made).toContain('/** Does it. For all. */')
    expect(made).not.toContain('ws:')
    expect(made).toContain('answer: undefined')
  })

  test('needs no argument when nothing is required', () => {
    const parameters = [{ name: 'limit', in: 'query', schema: { type: 'integer' } }]
    const made = emit({ '/api/x': { get: { ...operation, parameters } } })
    expect(made).toContain('args: [options?: {')
    expect(made).toContain('limit?: number | undefined')
  })

  test('that only returns a page is left out; one outside of /api is a root path', () => {
    const responses = { 200: { content: { 'text/html': {} } } }
    const paths = { '/page': { get: { ...operation, responses } }, '/up': { get: operation } }
    expect(emit(paths)).not.toContain("'/page'")
    expect(rootPathsOf({ paths, components: { schemas: {} } })).toEqual(['/up'])
  })
})
