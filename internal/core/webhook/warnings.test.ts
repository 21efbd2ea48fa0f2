import { describe, expect, it } from 'vitest'
import { parseManifest } from '../manifest/manifest.ts'

const REMEDY = 'Write `input: json` if the sender sends JSON, or take the text and parse it.'

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
const warningsOf = (
  schema: string,
  target: string,
  { keys = '', flow = '' } = {},
): readonly string[] => {
  const text = `key: shop
actions:
  - { key: a, entrypoint: a.ts${schema}${keys} }
flows:
  - { key: f, steps: [{ key: a, action: a }]${schema} }
${flow}webhooks:
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
        `app.yaml:7:15 webhooks[0].${kind}: it refuses each delivery: the input is the body as text, which the inputSchema of the ${kind} "${key}" does not take. ${REMEDY}`,
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

  it.each([
    ['debounce: { key: "${input.id}", quietS: 1, maxS: 5 }', 'debounce.key'],
    ['concurrency: { limit: 1, key: "${input[\'id\']}" }', 'concurrency.key'],
    ['rate: { limit: 1, perS: 1, key: "a-${input.id}" }', 'rate.key'],
    ['fairKey: "${input.tenant}"', 'fairKey'],
  ])('is warned of if its action has %s', (setting, field) => {
    expect(warningsOf('', 'action: a', { keys: `, ${setting}` })).toEqual([
      `app.yaml:7:15 webhooks[0].action: it refuses each delivery: the input is the body as text, and \`${field}\` of the action "a" needs a field of it. ${REMEDY}`,
    ])
  })

  it('is not warned of if it gets the value of a JSON body', () => {
    const json = 'input: json'
    expect(warningsOf(', inputSchema: { type: object }', `action: a, ${json}`)).toEqual([])
    const flow = '  - { key: g, steps: [{ key: x, action: a, input: "${input.id}" }] }\n'
    expect(warningsOf('', `flow: g, ${json}`, { flow })).toEqual([])
  })

  it.each(['concurrency: { limit: 1, key: "${input}" }', 'concurrency: { limit: 1 }'])(
    'is not warned of if its action has %s',
    (setting) => expect(warningsOf('', 'action: a', { keys: `, ${setting}` })).toEqual([]),
  )

  it.each([
    [
      'steps: [{ key: x, action: a }, { key: y, action: a, input: { id: "${input.id}" } }]',
      'y',
      'input.id',
    ],
    [
      'steps: [{ key: x, action: a, skipIf: input.small, input: "${input.id}" }]',
      'x',
      'input.small',
    ],
    ['steps: [{ key: x, kind: forloop, action: a, items: "${input.list}" }]', 'x', 'input.list'],
  ])('is warned of if its flow has %s', (steps, step, read) => {
    expect(warningsOf('', 'flow: g', { flow: `  - { key: g, ${steps} }\n` })).toEqual([
      `app.yaml:8:15 webhooks[0].flow: its runs fail at step "${step}": the input is the body as text, so ${read} does not exist. ${REMEDY}`,
    ])
  })

  it.each([
    'steps: [{ key: x, action: a, input: { text: "${input}" } }, { key: y, action: a, input: "${results.x.id}" }]',
    'steps: [{ key: x, action: a }, { key: y, action: a, skipIf: results.x == 1, input: "${input.id}" }]',
  ])('is not warned of if its flow has %s', (steps) => {
    expect(warningsOf('', 'flow: g', { flow: `  - { key: g, ${steps} }\n` })).toEqual([])
  })
})
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
