import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonValue } from '../json/value.ts'
import { MANIFEST_DESCRIPTIONS } from './descriptions.ts'
import { manifestSchema } from './schema.ts'

/** Paths of all fields of a schema, with those of the items of lists. */
const pathsOf = (schema: JsonValue | undefined, path = ''): readonly string[] => {
  if (!isJsonObject(schema)) return []
  const { properties, items, oneOf } = schema
  const fields = isJsonObject(properties) ? Object.entries(properties) : []
  return [
    ...fields.flatMap(([name, field]) => {
      const at = path === '' ? name : `${path}.${name}`
      return [at, ...pathsOf(field, at)]
    }),
    ...(path === '' ? [] : pathsOf(items, `${path}[]`)),
    ...(Array.isArray(oneOf) ? oneOf.flatMap((each) => pathsOf(each, path)) : []),
  ]
}

describe('the JSON Schema of app.yaml', () => {
  it('describes every field, and none that there is not', () => {
    const paths = new Set(pathsOf(manifestSchema()))
    expect(Object.keys(MANIFEST_DESCRIPTIONS).toSorted()).toEqual([...paths].toSorted())
  })

  it('has defaults and limits of the manifest, and takes no unknown field', () => {
    expect(manifestSchema()).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      required: ['key'],
      additionalProperties: false,
      properties: {
        actions: {
          maxItems: 500,
          description: 'Code that jobs run.',
          items: {
            required: ['key', 'entrypoint'],
            additionalProperties: false,
            properties: { timeoutS: { default: 300, minimum: 1, maximum: 86_400 } },
          },
        },
        schedules: { items: { properties: { timezone: { default: 'UTC' } } } },
      },
    })
  })

  it('refers to nothing outside itself', () => {
    const schema = manifestSchema()
    const known = isJsonObject(schema.$defs) ? Object.keys(schema.$defs) : []
    const named = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref)
    expect(new Set(named)).toEqual(new Set(known.map((name) => `#/$defs/${name}`)))
  })
})
