/** Compares our evaluator with another one (@cfworker/json-schema) on random schemas and values. */
import { type Schema as OtherSchema, Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import type { JsonObject, JsonValue } from '../json/value.ts'
import { checkSchema } from './check-schema.ts'
import { evaluate } from './evaluate.ts'
import type { Faults } from './run.ts'

const isValid = (schema: JsonValue, value: JsonValue): boolean => {
  const checked = checkSchema(schema)
  if (!checked.ok) throw new Error(`The schema is refused: ${JSON.stringify(checked.faults)}`)
  const faults: Faults = []
  const run = { schema: checked.schema, faults: [], maxFaults: 1, steps: 1_000_000, depth: 0 }
  const seen = evaluate(run, checked.schema.root, { value, path: [], faults })
  expect(seen === null).toBe(faults.length > 0)
  return seen !== null
}

/** Few names and small values, so that values often fit schemas. */
const name = fc.constantFrom('a', 'b', 'ab', 'c')
const scalar = fc.oneof(
  fc.constantFrom(null, true, false, '', 'a', 'ab', 'abc', '2024-02-29', 'a@b.example'),
  fc.integer({ min: -3, max: 6 }),
  fc.constantFrom(0.5, 1.5, 0.3),
)
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

const small = fc.integer({ min: 0, max: 3 })
const type = fc.constantFrom('null', 'boolean', 'object', 'array', 'number', 'string', 'integer')

const { schema } = fc.letrec<{ schema: JsonValue; one: JsonValue; fields: JsonObject }>((tie) => {
  const one = tie('schema')
  const several = fc.array(one, { minLength: 1, maxLength: 3 })
  return {
    one,
    fields: fc.dictionary(name, one, { maxKeys: 3, noNullPrototype: true }),
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.boolean(),
      fc.record(
        {
          type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
          enum: fc.array(value, { minLength: 1, maxLength: 3 }),
          const: value,
          multipleOf: fc.constantFrom(1, 2, 0.5),
          maximum: small,
          minimum: small,
          exclusiveMaximum: small,
          exclusiveMinimum: small,
          maxLength: small,
          minLength: small,
          pattern: fc.constantFrom('^a', 'b$', '^[ab]{1,2}$', '(a|b)+c'),
          maxItems: small,
          minItems: small,
          uniqueItems: fc.boolean(),
          maxProperties: small,
          minProperties: small,
          required: fc.uniqueArray(name, { maxLength: 2 }),
          dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
            maxKeys: 2,
            noNullPrototype: true,
          }),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          properties: tie('fields'),
          patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), one, {
            maxKeys: 2,
            noNullPrototype: true,
          }),
          additionalProperties: one,
          propertyNames: one,
          unevaluatedProperties: one,
          prefixItems: several,
          items: one,
          contains: one,
          minContains: small,
          maxContains: small,
          unevaluatedItems: one,
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          allOf: several,
          anyOf: several,
          oneOf: several,
          not: one,
          if: one,
          // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
          then: one,
          else: one,
          properties: tie('fields'),
          items: one,
          dependentSchemas: tie('fields'),
          unevaluatedProperties: one,
          unevaluatedItems: one,
        },
        { requiredKeys: [] },
      ),
    ),
  }
})

describe('a check of a value', () => {
  it('judges as another evaluator does', () => {
    fc.assert(
      fc.property(schema, value, (made, one) => {
        const other = new Validator(made as OtherSchema | boolean, '2020-12', false)
        expect(isValid(made, one)).toBe(other.validate(one).valid)
      }),
      { numRuns: runs({ short: 800, long: 2_000 }) },
    )
  })
})
