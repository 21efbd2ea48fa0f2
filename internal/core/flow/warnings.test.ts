import { expect, it } from 'vitest'
import { parseManifest } from '../manifest/manifest.ts'

const warningsOf = (steps: string, rest = ''): readonly string[] => {
  const text = `key: app
actions: [{ key: a, entrypoint: a.ts }]
flows:
  - key: f
    steps:
${steps}${rest}`
  const read = parseManifest(text, 'app.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  return (read.warnings ?? []).map(({ path, message }) => `${path}: ${message}`)
}

it('warns of references that fail each run', () => {
  const steps = `      - { key: one, action: a, input: { x: "\${results.two.x}", list: ["\${input.x}"] } }
      - { key: two, action: a, input: { x: "\${results.one.x} \${inputs.x}", y: "\${results.tow}", z: "\${results.one" } }
      - { key: each, kind: forloop, action: a, items: "\${results.nope.list}", input: { i: "\${item.x}", n: "\${index}" } }
      - { key: last, action: a, input: "\${item.x}", undo: { action: a, input: { e: "\${error.name}", s: "\${results.lst}" } } }
`
  const module = `    failureModule: { key: m, action: a, input: { f: "\${failedStep}", w: "\${results.missing}" } }\n`
  expect(warningsOf(steps, module)).toEqual([
    'app.yaml:6:32 flows[0].steps[0].input: results.two.x has no value here, because that step runs later.',
    'app.yaml:7:32 flows[0].steps[1].input: inputs.x is not a reference. Did you mean input.x?',
    'app.yaml:7:32 flows[0].steps[1].input: results.tow names no step of this flow. Did you mean results.two?',
    'app.yaml:7:32 flows[0].steps[1].input: ${results.one is not a reference.',
    'app.yaml:8:9 flows[0].steps[2]: results.nope.list names no step of this flow. It has one, two, each, last.',
    'app.yaml:9:33 flows[0].steps[3].input: item.x must begin with input, results.',
    'app.yaml:9:72 flows[0].steps[3].undo.input: results.lst names no step of this flow. Did you mean results.last?',
    'app.yaml:10:41 flows[0].failureModule.input: results.missing names no step of this flow. It has one, two, each, last.',
  ])
})

it('names the step that was meant, also if the wrong name is a part of "results"', () => {
  expect(
    warningsOf(`      - { key: result1, action: a }
      - { key: b, action: a, input: "\${results.result.x}" }
`),
  ).toEqual([
    'app.yaml:7:30 flows[0].steps[1].input: results.result.x names no step of this flow. Did you mean results.result1.x?',
  ])
})

it('warns of wrong conditions', () => {
  expect(
    warningsOf(`      - { key: one, action: a, skipIf: results.one.x == 1, stopAfterIf: results.one.x == 1 }
      - { key: two, action: a, skipIf: "results.one.x ===" }
      - { key: b, kind: branchone, branches: [{ key: c, condition: result.one, action: a }, { key: d, condition: "", action: a }] }
`),
  ).toEqual([
    'app.yaml:6:32 flows[0].steps[0].skipIf: results.one.x has no value here, because that step runs later.',
    'app.yaml:7:32 flows[0].steps[1].skipIf: the condition "results.one.x ===" is wrong: it ends where a value is expected.',
    'app.yaml:8:9 flows[0].steps[2]: result.one is not a reference. Did you mean results.one?',
  ])
})
