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
    'app.yaml:6:32 flows[0].steps[0].input: results.two.x has no value here, because that step ends later.',
    'app.yaml:7:32 flows[0].steps[1].input: inputs.x is not a reference. Did you mean input.x?',
    'app.yaml:7:32 flows[0].steps[1].input: results.tow names no step of this flow. Did you mean results.two?',
    'app.yaml:7:32 flows[0].steps[1].input: ${results.one is not a reference.',
    'app.yaml:8:9 flows[0].steps[2]: results.nope.list names no step of this flow. It has one, two, each, last.',
    'app.yaml:9:33 flows[0].steps[3].input: item.x must begin with input, results.',
    'app.yaml:9:72 flows[0].steps[3].undo.input: results.lst names no step of this flow. Did you mean results.last?',
    'app.yaml:10:41 flows[0].failureModule.input: results.missing names no step of this flow. It has one, two, each, last.',
  ])
})

it('warns of results by number, and of fields that errors and indexes do not have', () => {
  const steps = `      - { key: one, action: a, undo: { action: a, input: ["\${results}", "\${error.mesage}", "\${error.name}"] } }
      - { key: each, kind: forloop, action: a, items: [1], input: "\${index.x}" }
`
  const module = `    failureModule: { key: m, action: a, input: { l: "\${results[0].x}", c: "\${error.code}", f: "\${failedStep.key}", ok: ["\${results}", "\${results.one}", "\${error}", "\${failedStep}", "\${input}"] } }\n`
  expect(warningsOf(steps, module)).toEqual([
    'app.yaml:6:51 flows[0].steps[0].undo.input: error.mesage names no field of error. Did you mean "message"?',
    'app.yaml:7:60 flows[0].steps[1].input: index.x names no field of index. It has no fields.',
    'app.yaml:8:41 flows[0].failureModule.input: results[0].x must name one step of this flow: one, each.',
    'app.yaml:8:41 flows[0].failureModule.input: error.code names no field of error. It has name, message.',
    'app.yaml:8:41 flows[0].failureModule.input: failedStep.key names no field of failedStep. It has no fields.',
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

it('warns of what some runs lack', () => {
  const schema = `    inputSchema: { type: object, required: [from], properties: { from: true, car: { type: boolean } } }\n`
  const steps = `      - { key: one, action: a, input: { f: "\${input.from}", x: "\${input.other}" } }
      - { key: car, action: a, skipIf: input.car == false, input: { c: "\${input.car}" } }
      - { key: mail, action: a, input: { whole: "\${results.car}", part: "\${results.car.ref}" } }
      - { key: each, kind: forloop, action: a, items: "\${results.car.list}" }
      - { key: safe, action: a, skipIf: results.car == null || results.car.ref == 1, input: "\${results.car.ref}" }
      - { key: arm, kind: branchone, branches: [{ key: c, condition: results.car == null, action: a, input: "\${results.car.ref}" }] }
`
  const module = `    failureModule: { key: m, action: a, input: { f: "\${input.car}", w: "\${results.car.ref}" } }\n`
  expect(warningsOf(steps, module + schema)).toEqual([
    'app.yaml:7:32 flows[0].steps[1].skipIf: input.car fails each run whose input leaves it out. List "car" in `required` of the inputSchema.',
    'app.yaml:8:33 flows[0].steps[2].input: results.car.ref fails each run that skips step "car". The whole result, results.car, is null there.',
    'app.yaml:9:9 flows[0].steps[3]: results.car.list fails each run that skips step "car". The whole result, results.car, is null there.',
  ])
  expect(warningsOf(steps, module)).toHaveLength(2)
})

it('warns of fields of a form that people may leave empty', () => {
  const steps = `      - { key: ask, kind: approval, approval: { resumeForm: [{ key: note, label: N, type: text }, { key: why, label: W, type: text, required: true }, { key: ok, label: O, type: boolean }] } }
      - { key: one, action: a, input: ["\${results.ask.note}", "\${results.ask.why}", "\${results.ask.ok}", "\${results.ask}"] }
      - { key: two, action: a, skipIf: "results.ask.note == 'x'" }
      - { key: guarded, action: a, skipIf: results.ask.ok || results.ask.note == 'x', input: "\${results.ask.note}" }
      - { key: safe, kind: approval, onReject: continue, approval: { resumeForm: [{ key: note, label: N, type: text }] } }
      - { key: decided, action: a, input: "\${results.safe.values}" }
`
  const left =
    'results.ask.note fails each run in which people leave the field "note" empty. Make it `required`, or pass on the whole result, results.ask.'
  expect(warningsOf(steps)).toEqual([
    `app.yaml:7:32 flows[0].steps[1].input: ${left}`,
    `app.yaml:8:32 flows[0].steps[2].skipIf: ${left}`,
  ])
})

it('warns of comparisons with values that a result never has', () => {
  const steps = `      - { key: ask, kind: approval, timeoutS: 60, onTimeout: continue }
      - { key: form, kind: approval, approval: { resumeForm: [{ key: decision, label: D, type: text }] } }
      - { key: paid, kind: event, name: paid, timeoutS: 60, onTimeout: continue }
      - { key: a, action: a, skipIf: results.ask.decision != 'timeout', stopAfterIf: "'approve' === results.ask.decision" }
      - { key: b, action: a, skipIf: "!(results.paid.received == 'true') || results.ask.decision == null" }
      - { key: c, action: a, skipIf: results.ask.decision == 'timed_out' || results.paid.received == false }
      - { key: d, action: a, skipIf: results.form.decision == 'maybe' && results.ask.by == 'x' && results.paid.data.received == 1 }
      - { key: e, action: a, skipIf: results.ask.decision < 'b' && results.ask.decision == input.wanted }
`
  expect(warningsOf(steps)).toEqual([
    'app.yaml:9:30 flows[0].steps[3].skipIf: results.ask.decision is never "timeout". It is approved, rejected, timed_out.',
    'app.yaml:9:73 flows[0].steps[3].stopAfterIf: results.ask.decision is never "approve". It is approved, rejected, timed_out.',
    'app.yaml:10:30 flows[0].steps[4].skipIf: results.paid.received is never "true". It is true, false.',
    'app.yaml:10:30 flows[0].steps[4].skipIf: results.ask.decision is never null. It is approved, rejected, timed_out.',
  ])
})

it('takes comparisons with fields whose names every object has', () => {
  const steps = `      - { key: one, action: a }
      - { key: two, action: a, skipIf: results.one.toString == 1 || results.one.constructor != null }
`
  expect(warningsOf(steps)).toEqual([])
})

it('warns of wrong conditions', () => {
  expect(
    warningsOf(`      - { key: one, action: a, skipIf: results.one.x == 1, stopAfterIf: results.one.x == 1 }
      - { key: two, action: a, skipIf: "results.one.x ===", stopAfterIf: "\${input.x} > 3" }
      - { key: b, kind: branchone, branches: [{ key: c, condition: result.one, action: a }, { key: d, condition: "", action: a }] }
      - { key: e, action: a, stopAfterIf: result.length == 0 }
`),
  ).toEqual([
    'app.yaml:6:32 flows[0].steps[0].skipIf: results.one.x has no value here, because that step ends later.',
    'app.yaml:7:32 flows[0].steps[1].skipIf: the condition "results.one.x ===" is wrong: it ends where a value is expected.',
    `app.yaml:7:61 flows[0].steps[1].stopAfterIf: the condition "\${input.x} > 3" is wrong: a reference in a condition has no braces: write input.x.`,
    'app.yaml:8:9 flows[0].steps[2]: result.one is not a reference. Did you mean results.one?',
    'app.yaml:9:30 flows[0].steps[3].stopAfterIf: result.length is not a reference. Did you mean results.<step>.length?',
  ])
})

it('warns of arms that no run takes', () => {
  expect(
    warningsOf(`      - key: b
        kind: branchone
        branches:
          - { key: a, action: a }
          - { key: b, condition: "input.x == 1", action: a }
          - { key: c, condition: " input.x == 1 ", action: a }
          - { key: d, condition: "", action: a }
      - { key: c, kind: branchone, branches: [{ key: a, condition: "true", action: a }, { key: b, action: a }] }
      - { key: d, kind: branchone, branches: [{ key: a, action: a }, { key: b, condition: "true", action: a }] }
`),
  ).toEqual([
    'app.yaml:11:13 flows[0].steps[0].branches[2]: the arm "c" is never taken: the arm "b" comes first.',
    'app.yaml:12:13 flows[0].steps[0].branches[3]: the arm "d" is never taken: the arm "a" comes first.',
    'app.yaml:13:89 flows[0].steps[1].branches[1]: the arm "b" is never taken: the arm "a" comes first.',
  ])
})

it('warns of fields that results of approvals, events and branches do not have', () => {
  expect(
    warningsOf(`      - { key: ok, kind: approval, approval: { resumeForm: [{ key: note, label: N, type: text, required: true }] } }
      - { key: all, kind: branchall, branches: [{ key: left, action: a }, { key: right, action: a }] }
      - { key: may, kind: approval, onReject: continue }
      - { key: pay, kind: event, name: pay }
      - { key: bare, kind: approval }
      - { key: good, action: a, input: ["\${results.ok.note}", "\${results.all.left.x}", "\${results.may.by}", "\${results.pay.data.x}", "\${results.all}"] }
      - { key: bad, action: a, skipIf: results.pay.dta == 1, input: ["\${results.ok.not}", "\${results.all.up}", "\${results.bare.x}"] }
`),
  ).toEqual([
    'app.yaml:12:32 flows[0].steps[6].skipIf: results.pay.dta names no field of the result of that step. Did you mean "data"?',
    'app.yaml:12:62 flows[0].steps[6].input: results.ok.not names no field of the result of that step. Did you mean "note"?',
    'app.yaml:12:62 flows[0].steps[6].input: results.all.up names no field of the result of that step. It has left, right.',
    'app.yaml:12:62 flows[0].steps[6].input: results.bare.x names no field of the result of that step. It has no fields.',
  ])
})

it('warns of waits and steps that cannot do what they say', () => {
  expect(
    warningsOf(`      - { key: e, kind: event, name: pay, onTimeout: continue }
      - { key: o, kind: approval, timeoutS: 60, remind: { everyS: 60, action: a } }
      - { key: p, kind: approval, approval: { onTimeout: continue } }
      - { key: q, action: a, stopAfterIf: "true" }
      - { key: r, action: a }
      - { key: s, kind: branchone, retry: { maxAttempts: 2 }, branches: [{ key: a, action: a }] }
      - { key: t, kind: forloop, items: [1], subflow: g, retry: { maxAttempts: 2 } }
      - { key: u, kind: forloop, items: [1], action: a, retry: { maxAttempts: 2 } }
  - { key: g, steps: [{ key: a, action: a }] }
`),
  ).toEqual([
    'app.yaml:6:9 flows[0].steps[0]: `onTimeout` has no effect without `timeoutS`: the step waits without end.',
    'app.yaml:7:9 flows[0].steps[1]: the reminder never comes: `remind.everyS` is not less than `timeoutS`.',
    'app.yaml:8:9 flows[0].steps[2]: `onTimeout` has no effect without `timeoutS`: the step waits without end.',
    'app.yaml:10:9 flows[0].steps[4]: no run comes to this step: step "q" ends each.',
    'app.yaml:11:36 flows[0].steps[5].retry: `retry` has no effect on this step.',
    'app.yaml:12:58 flows[0].steps[6].retry: `retry` has no effect on this step.',
  ])
})

it('warns of texts that were meant as references', () => {
  const steps = `      - { key: csv, action: a, input: { x: input.order, y: "to {{ input.name }} and {{x}}", z: ["{{results.csv.a}}"], f: input.csv, t: input } }
      - { key: two, action: a, input: [results.csv, results.pdf, "$\${input.order}", "\${input.order} input.order"] }
      - { key: each, kind: forloop, action: a, items: [1], input: "{{ item.x }}" }
      - { key: wait, kind: event, name: paid, match: input.id, timeoutS: 5 }
`
  const schema =
    '    inputSchema: { type: object, required: [order], properties: { order: true } }\n'
  expect(warningsOf(steps, schema)).toEqual([
    `app.yaml:6:32 flows[0].steps[0].input: input.order is not a reference. Did you mean \${input.order}?`,
    `app.yaml:6:32 flows[0].steps[0].input: {{ input.name }} is not a reference. Did you mean \${input.name}?`,
    `app.yaml:6:32 flows[0].steps[0].input: {{results.csv.a}} is not a reference. Did you mean \${results.csv.a}?`,
    `app.yaml:7:32 flows[0].steps[1].input: results.csv is not a reference. Did you mean \${results.csv}?`,
    `app.yaml:8:60 flows[0].steps[2].input: {{ item.x }} is not a reference. Did you mean \${item.x}?`,
    `app.yaml:9:9 flows[0].steps[3]: input.id is not a reference. Did you mean \${input.id}?`,
  ])
})
