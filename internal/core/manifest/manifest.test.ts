import { describe, expect, it } from 'vitest'
import type { ErrorDetail } from '../error.ts'
import { parseManifest } from './manifest.ts'

const faultsOf = (text: string, file = 'app.yaml'): readonly ErrorDetail[] => {
  const parsed = parseManifest(text, file)
  return parsed.ok ? [] : parsed.faults
}
const shown = (text: string, file?: string): readonly string[] =>
  faultsOf(text, file).map(({ path, message }) => `${path}: ${message}`)

const FULL = `
key: invoices            # a comment
name: Invoices
actions:
  - key: parse
    entrypoint: ./actions/parse.ts
    timeoutS: 60
    tag: gpu
    inputSchema: { type: object }
    retry: { maxAttempts: 3, delayMs: 1000, backoffFactor: 2 }
    concurrency: { limit: 5, key: "\${input.customer}" }
    isolation: fresh
    onWorkerLost: fail
    memoryMb: 256
    network: ["api.example.com", "*.example.org"]
    minLevel: os
flows: []
`

describe('a manifest', () => {
  it('gives every field of an action', () => {
    expect(parseManifest(FULL, 'app.yaml')).toEqual({
      ok: true,
      manifest: {
        key: 'invoices',
        name: 'Invoices',
        flows: [],
        webhooks: [],
        schedules: [],
        events: [],
        actions: [
          {
            key: 'parse',
            entrypoint: 'actions/parse.ts',
            timeoutS: 60,
            tag: 'gpu',
            inputSchema: { type: 'object' },
            retry: { maxAttempts: 3, delayMs: 1000, backoffFactor: 2 },
            // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
            concurrency: { limit: 5, key: '${input.customer}' },
            rate: null,
            debounce: null,
            fairKey: null,
            isolation: 'fresh',
            onWorkerLost: 'fail',
            memoryMb: 256,
            network: ['api.example.com', '*.example.org'],
            minLevel: 'os',
          },
        ],
      },
    })
  })

  it('fills in what is left out', () => {
    expect(parseManifest('key: a\nactions:\n  - { key: b, entrypoint: b.ts }', 'app.yaml')).toEqual(
      {
        ok: true,
        manifest: {
          key: 'a',
          name: 'a',
          flows: [],
          webhooks: [],
          schedules: [],
          events: [],
          actions: [
            {
              key: 'b',
              entrypoint: 'b.ts',
              timeoutS: 300,
              tag: null,
              inputSchema: null,
              retry: null,
              concurrency: null,
              rate: null,
              debounce: null,
              fairKey: null,
              isolation: 'shared',
              onWorkerLost: 'requeue',
              memoryMb: null,
              network: null,
              minLevel: null,
            },
          ],
        },
      },
    )
  })

  it.each([
    ['with CRLF', FULL.replaceAll('\n', '\r\n')],
    [
      'as YAML with anchors',
      'key: a\nactions:\n  - &one { key: b, entrypoint: b.ts }\n  - { key: c, entrypoint: b.ts, retry: &r { maxAttempts: 2 } }\n  - { key: d, entrypoint: b.ts, retry: *r }\n',
    ],
    ['with a plain tag', 'key: !!str 123\n'],
    ['with a document mark', '---\nkey: a\n...\n'],
  ])('may be written %s', (_, text) => {
    expect(faultsOf(text)).toEqual([])
  })

  it('may be JSON, with tabs too', () => {
    expect(faultsOf('{\n\t"key": "a",\n\t"actions": []\n}\n', 'app.json')).toEqual([])
    expect(shown('{\n\t"key": "a",\n}\n', 'app.json')).toEqual([
      expect.stringMatching(/^app\.json:3:1: Expected/),
    ])
    expect(shown('key: a', 'app.json')).toHaveLength(1)
    expect(shown('{"key": "a", "key": "b"}', 'app.json')).toEqual([
      'app.json:1:14: The key "key" occurs twice.',
    ])
    expect(shown('{"key": "A"}', 'app.json')).toEqual([
      'app.json:1:2 key: must have 1 to 63 characters a-z, 0-9 or -, and begin with a letter or digit.',
    ])
  })

  it('reports all faults at once, each with its line and column', () => {
    const text = `key: Invoices
colour: red
actions:
  - key: one
    entrypoint: ../one.ts
    timeoutS: 0
    timeout: 5
  - key: one
    entrypoint: two.py
    retry: { maxAttempts: 2.5, backoff: 2 }
  - not an action
  - entrypoint: four.ts
    inputSchema:
      properties:
        age: { minimum: "0" }
flows:
  - key: flow
    steps:
      - { key: a, action: missing }
      - { key: a, action: one }
`
    expect(shown(text)).toEqual([
      'app.yaml:1:1 key: must have 1 to 63 characters a-z, 0-9 or -, and begin with a letter or digit.',
      'app.yaml:2:1 colour: colour is not a field of a manifest. Remove it, or correct its spelling.',
      'app.yaml:5:5 actions[0].entrypoint: must be the path of a .ts or .js file inside the app.',
      'app.yaml:6:5 actions[0].timeoutS: must be at least 1.',
      'app.yaml:7:5 actions[0].timeout: timeout is not a field of a manifest. Did you mean timeoutS?',
      'app.yaml:8:5 actions[1].key: the key "one" occurs twice.',
      'app.yaml:9:5 actions[1].entrypoint: must be the path of a .ts or .js file inside the app.',
      'app.yaml:10:14 actions[1].retry.maxAttempts: must be a whole number from 1 to 100.',
      'app.yaml:10:32 actions[1].retry.backoff: backoff is not a field of a manifest. Did you mean backoffFactor?',
      'app.yaml:11:5 actions[2]: must be a mapping, such as { key: greet, entrypoint: actions/greet.ts }.',
      'app.yaml:12:5 actions[3].key: is missing; it must be a string.',
      'app.yaml:15:16 actions[3].inputSchema.properties.age.minimum: must be a number.',
      'app.yaml:19:19 flows[0].steps[0].action: there is no action "missing" in this app.',
      'app.yaml:20:11 flows[0].steps[1].key: the key "a" occurs twice.',
    ])
  })

  it.each([
    ['action: []', 2, 'action is not a field of a manifest. Did you mean actions?'],
    ['Actions: []', 2, 'Actions is not a field of a manifest. Did you mean actions?'],
    [
      'actions:\n  - { key: a, entrypoint: a.ts, concurency: 3 }',
      3,
      'concurency is not a field of a manifest. Did you mean concurrency?',
    ],
    [
      'actions:\n  - { key: a, entrypoint: a.ts, retry: { maxAttempts: 2, attempts: 3 } }',
      3,
      'attempts is not a field of a manifest. Did you mean maxAttempts?',
    ],
    [
      'actions:\n- key: a\n  entrypoint: a.ts\ntimeoutS: 3',
      5,
      'timeoutS is not a field here, but of actions[]. Check the indentation.',
    ],
    [
      'actions:\n  - { key: a, entrypoint: a.ts, maxAttempts: 3 }',
      3,
      'maxAttempts is not a field here, but of actions[].retry. Check the indentation.',
    ],
    [
      'actions:\n  - key: a\n    entrypoint: a.ts\n    schedules: []',
      5,
      'schedules is not a field here, but of the manifest itself. Check the indentation.',
    ],
    [
      'description: My app',
      2,
      'description is not a field of a manifest. Remove it, or correct its spelling.',
    ],
    [
      'actions:\n  - { key: a, entrypoint: a.ts, name: A }',
      3,
      'name is not a field of a manifest. Remove it, or correct its spelling.',
    ],
    [
      'actions:\n  - { key: a, entrypoint: a.ts, ttl: 3 }',
      3,
      'ttl is not a field of a manifest. Did you mean startTimeoutS?',
    ],
    [
      'actions:\n  - { key: a, entrypoint: a.ts, retries: 3 }',
      3,
      'retries is not a field of a manifest. Did you mean retry?',
    ],
    [
      'actions: [{ key: a, entrypoint: a.ts }]\nflows:\n  - { key: f, onFailure: a, steps: [{ key: a, action: a }] }',
      4,
      'onFailure is not a field of a manifest. Did you mean failureModule?',
    ],
    [
      'actions:\n  - { key: a, entrypoint: a.ts, onFailure: a }',
      3,
      'onFailure is not a field of a manifest. Remove it, or correct its spelling.',
    ],
    [
      'actions: [{ key: a, entrypoint: a.ts }]\nflows:\n  - { key: f, steps: [{ key: a, action: a, if: "true" }] }',
      4,
      'if is not a field of a manifest. Did you mean skipIf?',
    ],
    [
      'flows:\n  - key: f\n    steps: [{ key: a, kind: sleep, for: 5, forS: 5 }]',
      4,
      'for is not a field of a manifest. Did you mean forS?',
    ],
  ])('%j has a field that it does not know', (rest, line, fault) => {
    const [first = ''] = shown(`key: a\n${rest}`)
    expect(first).toContain(`app.yaml:${line}:`)
    expect(first).toContain(fault)
  })

  it.each([
    ['', 'app.yaml:1:1: must be a mapping with at least `key`.'],
    ['just a text', 'app.yaml:1:1: must be a mapping with at least `key`.'],
    ['- a\n- b', 'app.yaml:1:1: must be a mapping with at least `key`.'],
    ['42', 'app.yaml:1:1: must be a mapping with at least `key`.'],
    ['name: A', 'app.yaml:1:1 key: is missing; it must be a string.'],
    ['key: 123', 'app.yaml:1:1 key: must be a string.'],
    [
      'key: a\nactions: { b: 1 }',
      'app.yaml:2:1 actions: must be a list, with the name of each item as its key: - key: name.',
    ],
    ['key: a\nname: ""', 'app.yaml:2:1 name: must not be empty.'],
    ['key: a\nkey: b', 'app.yaml:2:1: The key "key" occurs twice.'],
    ['key: [a', 'app.yaml:1:8: A "]" is missing before this.'],
    ['key: a\n\tname: b', 'app.yaml:2:1: Tabs cannot indent a line. Use spaces.'],
    ['key: a\n---\nkey: b', 'app.yaml:2:1: The file holds several documents (---); keep one.'],
    ['%YAML 1.1\n---\nkey: no', 'app.yaml:1:1: Leave out %YAML: manifests are YAML 1.2.'],
    [
      'key: !!binary aGVsbG8=',
      'app.yaml:1:15: The tag tag:yaml.org,2002:binary has no meaning in a manifest. Remove it, or put a text that begins with ! in quotes.',
    ],
    [
      'key: !!js/function "x"',
      'app.yaml:1:20: The tag tag:yaml.org,2002:js/function has no meaning in a manifest. Remove it, or put a text that begins with ! in quotes.',
    ],
    [
      'key: a\n? [x, y]\n: 1',
      'app.yaml:2:3: A key must be a plain text. Put a text that begins with { or [ in quotes.',
    ],
    [
      'key: a\nactions: .nan',
      'app.yaml:2:10: This value cannot be kept as JSON. Write it as a string in quotes.',
    ],
  ])('%j is refused where it is wrong', (text, fault) => {
    expect(shown(text)).toEqual([fault])
  })

  it.each([
    ['concurrency: 5', 'must be a mapping, such as { limit: 5 }.'],
    ['retry: 3', 'must be a mapping, such as { maxAttempts: 3 }.'],
    ['retry: { maxAttempts: 2, delayMs: 5s }', 'must be a number of milliseconds: 5000, not "5s".'],
    ['timeoutS: 1h30m', 'must be a number of seconds: 5400, not "1h30m".'],
    ['timeoutS: 1.5s', 'must be a whole number from 1 to 86400.'],
    ['rate: 10/m', 'must be a mapping, such as { limit: 10, perS: 60 }.'],
    ['network: api.example.com', 'must be a list, such as [api.example.com].'],
    ['labels: customer', `must be a list, such as ["customer:\${input.customer}"].`],
    ['secrets: [A]', 'Values come from variables of the workspace: svc variables set <NAME>,'],
    [
      'schedule: "0 9 * * *"',
      'What starts it is in schedules, webhooks or events of the manifest.',
    ],
  ])('an action with %s is refused with what to write', (field, message) => {
    const [fault, ...others] = shown(
      `key: a\nactions:\n  - key: b\n    entrypoint: b.ts\n    ${field}`,
    )
    expect([fault, others]).toEqual([expect.stringContaining(message), []])
  })

  it.each([
    ['timeoutS', '1', '86400', '0', '86401', '1.5', '"60"'],
    ['memoryMb', '64', '1048576', '63', '1048577', 'yes'],
    [
      'retry',
      '{ maxAttempts: 1 }',
      '{ maxAttempts: 100, delayMs: 0, backoffFactor: 10 }',
      '{}',
      '{ maxAttempts: 101 }',
      '{ maxAttempts: 2, delayMs: -1 }',
      '{ maxAttempts: 2, backoffFactor: 0.5 }',
      '3',
    ],
    [
      'concurrency',
      '{ limit: 1 }',
      `{ limit: 10000, key: "x\${input.a[0]}" }`,
      '{ limit: 0 }',
      '{ limit: 1, key: "" }',
      `{ limit: 1, key: "\${results.a}" }`,
      `{ limit: 1, key: "\${input.}" }`,
    ],
    ['tag', 'a', 'gpu-2.x', '""', '"a b"', `${'x'.repeat(65)}`],
    ['isolation', 'fresh', 'fresh', 'shared', 'true'],
    ['onWorkerLost', 'fail', 'requeue', 'retry'],
    [
      'network',
      '[]',
      '["a.example:8443"]',
      '"a.example"',
      '["https://a.example"]',
      '["a b"]',
      '["0.0.0.0:7821"]',
      '["x.localhost:5432"]',
      '["a.example:0"]',
      '[1]',
    ],
    ['inputSchema', 'true', '{}', '"object"', '[]', '{ type: thing }', '{ pattern: "(" }'],
    ['entrypoint', 'a.mjs', 'deep/er/a.tsx', '/a.ts', 'a/../../b.ts', 'a.py', '""', '"a\\\\b.ts"'],
  ])('holds %s to its limits', (field, least, most, ...bad) => {
    const manifest = (value: string): string => {
      const entrypoint = field === 'entrypoint' ? '' : '    entrypoint: a.ts\n'
      return `key: a\nactions:\n  - key: b\n${entrypoint}    ${field}: ${value}\n`
    }
    for (const value of [least, most]) expect([value, shown(manifest(value))]).toEqual([value, []])
    for (const value of bad) {
      const paths = faultsOf(manifest(value)).map(({ path }) => path)
      expect([value, paths.length > 0]).toEqual([value, true])
      for (const path of paths) expect(path).toContain(`actions[0].${field}`)
    }
  })

  it('reports the place of a fault behind an alias', () => {
    expect(
      shown(
        'key: a\nactions:\n  - { key: b, entrypoint: b.ts, retry: &r { maxAttempts: 0 } }\n  - { key: c, entrypoint: b.ts, retry: *r }\n',
      ),
    ).toEqual([
      'app.yaml:3:45 actions[0].retry.maxAttempts: must be at least 1.',
      'app.yaml:3:45 actions[1].retry.maxAttempts: must be at least 1.',
    ])
  })
})

it('warns of shared limits with other numbers', () => {
  const text = `key: app
actions:
  - { key: a, entrypoint: a.ts, rate: { limit: 5, perS: 1, scope: app, name: api } }
  - { key: b, entrypoint: a.ts, rate: { limit: 5, perS: 2, scope: app, name: api } }
  - { key: c, entrypoint: a.ts, rate: { limit: 9, perS: 9, scope: workspace, name: api } }
  - { key: d, entrypoint: a.ts, concurrency: { limit: 5, scope: app, name: api } }
  - { key: e, entrypoint: a.ts, concurrency: { limit: 6, scope: app, name: api } }
  - { key: f, entrypoint: a.ts, concurrency: { limit: 5, key: x, scope: app, name: api } }
`
  const read = parseManifest(text, 'app.yaml')
  expect(read.ok && read.warnings?.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'app.yaml:7:33 actions[4].concurrency: has other numbers than that of action "d", which shares it.',
    'app.yaml:4:33 actions[1].rate: has other numbers than that of action "a", which shares it.',
  ])
})

it('warns of keys and labels that were meant as references', () => {
  const text = `key: app
actions:
  - key: a
    entrypoint: a.ts
    concurrency: { limit: 1, key: input.customer }
    rate: { limit: 1, perS: 1, key: "{{ input.customer }}" }
    debounce: { key: "\${input.doc}", quietS: 1, maxS: 1 }
    fairKey: ' input["a b"]'
  - { key: b, entrypoint: b.ts, concurrency: { limit: 1, key: input }, fairKey: other.text }
flows:
  - { key: f, labels: [input.order], steps: [{ key: a, action: a }] }
`
  const read = parseManifest(text, 'app.yaml')
  expect(read.ok && read.warnings?.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    `app.yaml:5:30 actions[0].concurrency.key: input.customer is not a reference. Did you mean \${input.customer}?`,
    `app.yaml:6:32 actions[0].rate.key: {{ input.customer }} is not a reference. Did you mean \${input.customer}?`,
    `app.yaml:8:5 actions[0].fairKey: input["a b"] is not a reference. Did you mean \${input["a b"]}?`,
    `app.yaml:11:24 flows[0].labels[0]: input.order is not a reference. Did you mean \${input.order}?`,
  ])
})
