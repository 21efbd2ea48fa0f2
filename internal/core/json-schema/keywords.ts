/** The keywords of JSON Schema 2020-12: which values they take, and which of them contain schemas. */
import { isJsonObject, type JsonValue } from '../json/value.ts'
import type { Schema } from './schema.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']
const isType = (value: JsonValue): boolean => TYPES.some((type) => type === value)
const isText = (value: JsonValue): boolean => typeof value === 'string'
const isNumber = (value: JsonValue): boolean => typeof value === 'number'
const isCount = (value: JsonValue): boolean => Number.isInteger(value) && Number(value) >= 0
const isTexts = (value: JsonValue): boolean => Array.isArray(value) && value.every(isText)

type Rule = Readonly<{ fits: (value: JsonValue) => boolean; must: string }>
const number: Rule = { fits: isNumber, must: 'must be a number' }
const count: Rule = { fits: isCount, must: 'must be a whole number of at least 0' }
const text: Rule = { fits: isText, must: 'must be a string' }

const VALUES: ReadonlyMap<string, Rule> = new Map([
  [
    'type',
    {
      fits: (value) =>
        isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
      must: `must be one of ${TYPES.join(', ')}, or a list of them`,
    },
  ],
  ['enum', { fits: (value) => Array.isArray(value), must: 'must be a list' }],
  [
    'multipleOf',
    { fits: (value) => isNumber(value) && Number(value) > 0, must: 'must be greater than 0' },
  ],
  ...['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'].map((name): [string, Rule] => [
    name,
    number,
  ]),
  ...[
    'maxLength',
    'minLength',
    'maxItems',
    'minItems',
    'maxContains',
    'minContains',
    'maxProperties',
    'minProperties',
  ].map((name): [string, Rule] => [name, count]),
  ['uniqueItems', { fits: (value) => typeof value === 'boolean', must: 'must be true or false' }],
  ['required', { fits: isTexts, must: 'must be a list of names' }],
  [
    'dependentRequired',
    {
      fits: (value) => isJsonObject(value) && Object.values(value).every(isTexts),
      must: 'must be a mapping from names to lists of names',
    },
  ],
  ...['$id', '$schema', '$ref', '$anchor', 'pattern', 'format'].map((name): [string, Rule] => [
    name,
    text,
  ]),
])

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = [
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const SEVERAL = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const NAMED = ['$defs', 'properties', 'patternProperties', 'dependentSchemas']

/** Applied to the same value, so a circle of them would never end. */
export const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']

const UNSUPPORTED = new Map([
  ['$dynamicRef', 'is not supported; use $ref'],
  ['$recursiveRef', 'belongs to an older draft; use $ref'],
  ['dependencies', 'belongs to an older draft; use dependentSchemas or dependentRequired'],
  ['additionalItems', 'belongs to an older draft; use prefixItems and items'],
])

/** Returns the fault of a keyword's value, or null. */
export const keywordFault = (name: string, given: JsonValue): string | null => {
  const refused = UNSUPPORTED.get(name)
  if (refused !== undefined) return refused
  const rule = VALUES.get(name)
  if (rule !== undefined && !rule.fits(given)) return rule.must
  if (SEVERAL.includes(name) && !(Array.isArray(given) && given.length > 0)) {
    return 'must be a list of schemas'
  }
  if (NAMED.includes(name) && !isJsonObject(given)) return 'must be a mapping from names to schemas'
  const isOtherDialect = name === '$schema' && String(given).replace(/#$/, '') !== DIALECT
  return isOtherDialect ? `must be ${DIALECT}, or left out` : null
}

export type Child = Readonly<{ schema: JsonValue; path: readonly PropertyKey[] }>

/** @param only these keywords. @default all */
export const childrenOf = (
  schema: Schema,
  path: readonly PropertyKey[],
  only?: readonly string[],
): readonly Child[] => {
  if (typeof schema === 'boolean') return []
  return Object.entries(schema).flatMap(([name, value]): readonly Child[] => {
    if (only !== undefined && !only.includes(name)) return []
    if (ONE.includes(name)) return [{ schema: value, path: [...path, name] }]
    if (SEVERAL.includes(name) && Array.isArray(value)) {
      return value.map((child: JsonValue, index) => ({
        schema: child,
        path: [...path, name, index],
      }))
    }
    if (NAMED.includes(name) && isJsonObject(value)) {
      return Object.entries(value).map(([key, child]) => ({
        schema: child,
        path: [...path, name, key],
      }))
    }
    return []
  })
}
