import { describe, expect, it } from 'vitest'
import { parseManifest } from '../manifest/manifest.ts'

const warningsOf = (schema: string, target: string): readonly string[] => {
  const text = `key: shop
actions:
  - { key: a, entrypoint: a.ts${schema} }
flows:
  - { key: f, steps: [{ key: a, action: a }]${schema} }
webhooks:
  - { key: w, ${target}, verify: { scheme: none } }
`
  const result = parseManifest(text, 'app.yaml')
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  return (result.warnings ?? []).map(({ path, message }) => `${path}: ${message}`)
}

describe('a webhook', () => {
  it.each([
    ['action', 'a', '{ type: object, required: [id] }'],
    ['flow', 'f', '{ type: object }'],
    ['action', 'a', '{ type: [object, "null"] }'],
    ['action', 'a', 'false'],
  ])(
    'that starts an %s is warned of if the schema of its target takes no text',
    (kind, key, schema) => {
      expect(warningsOf(`, inputSchema: ${schema}`, `${kind}: ${key}`)).toEqual([
        `app.yaml:7:15 webhooks[0].${kind}: it refuses each delivery: the input is the body as text, which the inputSchema of the ${kind} "${key}" does not take. Use one without inputSchema that parses the text.`,
      ])
    },
  )

  it.each(['', ', inputSchema: { type: string }', ', inputSchema: { type: [object, string] }'])(
    'is not warned of if its target has the schema "%s"',
    (schema) => {
      expect(warningsOf(schema, 'action: a')).toEqual([])
      expect(warningsOf(schema, 'flow: f')).toEqual([])
    },
  )

  it.each([', inputSchema: true', ', inputSchema: { minLength: 1 }'])(
    'is not warned of if the schema "%s" has no type',
    (schema) => expect(warningsOf(schema, 'action: a')).toEqual([]),
  )
})
