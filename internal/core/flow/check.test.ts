import { describe, expect, it } from 'vitest'
import { parseManifest } from '../manifest/manifest.ts'

const withFlows = (flows: unknown): readonly string[] => {
  const actions = ['a', 'b'].map((key) => ({ key, entrypoint: `${key}.ts` }))
  const parsed = parseManifest(JSON.stringify({ key: 'app', actions, flows }), 'app.json')
  return parsed.ok
    ? []
    : parsed.faults.map(({ path, message }) => `${path.split(' ')[1]}: ${message}`)
}
const withSteps = (...steps: unknown[]): readonly string[] => withFlows([{ key: 'flow', steps }])

const APPROVAL = { key: 'ok', kind: 'approval', approval: { requiredEvents: 1 } }
const NOTE = { key: 'note', label: 'Note', type: 'text' }
const RESULTS = '$'.concat('{results.one.items}')

describe('a flow', () => {
  it('may hold every kind of step', () => {
    expect(
      withFlows([
        {
          key: 'all',
          steps: [
            {
              key: 'one',
              action: 'a',
              input: { x: RESULTS },
              skipIf: 'input.x > 1',
              retry: { maxAttempts: 2 },
            },
            {
              key: 'one-of',
              kind: 'branchone',
              branches: [
                { key: 'x', condition: 'true', action: 'a' },
                { key: 'y', action: 'b' },
              ],
            },
            { key: 'all-of', kind: 'branchall', branches: [{ key: 'x', action: 'a' }] },
            { key: 'each', kind: 'forloop', action: 'a', items: RESULTS },
            { key: 'each-p', kind: 'forloop_parallel', action: 'a', items: [1, { b: 2 }] },
            { key: 'below', kind: 'subflow', subflow: 'other' },
            {
              ...APPROVAL,
              approval: {
                timeoutS: 60,
                resumeForm: [{ key: 'note', label: 'Note', type: 'select', options: ['x'] }],
              },
            },
          ],
          failureModule: { key: 'tell', action: 'b' },
        },
        { key: 'other', steps: [{ key: 'one', action: 'b', skipIf: 'results.typo' }] },
      ]),
    ).toEqual([])
  })

  it.each([
    ['skipIf', ''],
    ['skipIf', '  '],
    ['stopAfterIf', ''],
  ])('has no empty %s %j', (field, condition) => {
    expect(withSteps({ key: 's', action: 'a', [field]: condition })).toEqual([
      `flows[0].steps[0].${field}: must be a condition: leave it out, or say when.`,
    ])
  })

  it.each<[string, unknown, string]>([
    [
      'action',
      { key: 's', action: 'none' },
      'flows[0].steps[0].action: there is no action "none" in this app.',
    ],
    [
      'arm',
      { key: 's', kind: 'branchone', branches: [{ key: 'x', action: 'none' }] },
      'flows[0].steps[0].branches[0].action: there is no action "none" in this app.',
    ],
    [
      'subflow',
      { key: 's', kind: 'subflow', subflow: 'none' },
      'flows[0].steps[0].subflow: there is no flow "none" in this app.',
    ],
  ])('may not name an %s that is not there', (_, step, fault) => {
    expect(withSteps(step)).toEqual([fault])
  })

  it('may not name a failure action that is not there', () => {
    expect(
      withFlows([
        { key: 'f', steps: [{ key: 's', action: 'a' }], failureModule: { key: 'x', action: 'no' } },
      ]),
    ).toEqual(['flows[0].failureModule.action: there is no action "no" in this app.'])
  })

  it('may not give the failure module the key of a step', () => {
    expect(
      withFlows([
        { key: 'f', steps: [{ key: 's', action: 'a' }], failureModule: { key: 's', action: 'a' } },
      ]),
    ).toEqual(['flows[0].failureModule.key: the key "s" is that of a step: choose another.'])
  })

  it.each<[unknown, string]>([
    [{ key: 's' }, 'flows[0].steps[0]: a step of kind action needs `action`.'],
    [
      { key: 's', kind: 'forloop', action: 'a' },
      'flows[0].steps[0]: a step of kind forloop needs `items`.',
    ],
    [
      { key: 's', kind: 'branchall' },
      'flows[0].steps[0]: a step of kind branchall needs `branches`.',
    ],
    [
      { key: 's', kind: 'branchall', branches: [{ key: 'x', action: 'a', condition: 'input.x' }] },
      'flows[0].steps[0].branches[0].condition: an arm of a branchall step takes no `condition`: all arms run.',
    ],
    [
      { key: 's', kind: 'branchone', action: 'a', branches: [{ key: 'x', action: 'a' }] },
      'flows[0].steps[0].action: a step of kind branchone takes no `action`.',
    ],
    [
      { key: 's', action: 'a', items: [1] },
      'flows[0].steps[0].items: a step of kind action takes no `items`.',
    ],
    [
      { key: 's', kind: 'nonsense' },
      'flows[0].steps[0].kind: must be one of action, approval, branchone, branchall, forloop, forloop_parallel, subflow, sleep, event.',
    ],
    [
      { key: 's', action: 'a', colour: 1 },
      'flows[0].steps[0].colour: colour is not a field of a manifest. Remove it, or correct its spelling.',
    ],
    [
      { ...APPROVAL, approval: { resumeForm: [{ key: 'x', label: 'X', type: 'select' }] } },
      'flows[0].steps[0].approval.resumeForm[0].options: is missing; it needs `options` when its type is select, and only then.',
    ],
    [
      { key: 's', kind: 'sleep' },
      'flows[0].steps[0]: a step of kind sleep needs either `forS` or `until`.',
    ],
    [
      { key: 's', kind: 'sleep', forS: 1, until: '2026-01-31T09:00:00Z' },
      'flows[0].steps[0]: a step of kind sleep needs either `forS` or `until`.',
    ],
    [
      { key: 's', kind: 'sleep', until: 'tomorrow' },
      'flows[0].steps[0].until: must be a time such as 2026-01-31T09:00:00Z, or a reference to one.',
    ],
    [
      { key: 's', kind: 'sleep', forS: 31_622_401 },
      'flows[0].steps[0].forS: must be at most 31622400.',
    ],
    [{ key: 's', kind: 'event' }, 'flows[0].steps[0]: a step of kind event needs `name`.'],
    [
      { key: 's', kind: 'event', name: 'Paid' },
      'flows[0].steps[0].name: must have 1 to 100 lower-case letters, digits, ., _ or -, and begin with a letter or digit.',
    ],
    [
      { ...APPROVAL, timeoutS: 60, approval: { timeoutS: 60 } },
      'flows[0].steps[0].timeoutS: is under `approval` too: name it in one place.',
    ],
    [
      { ...APPROVAL, approval: { resumeForm: [NOTE, { ...NOTE, label: 'Again' }] } },
      'flows[0].steps[0].approval.resumeForm[1].key: the key "note" occurs twice.',
    ],
    [
      { ...APPROVAL, approval: { resumeForm: [{ ...NOTE, type: 'select', options: [] }] } },
      'flows[0].steps[0].approval.resumeForm[0].options: must have at least one item.',
    ],
    [
      { ...APPROVAL, remind: { everyS: 60, action: 'none' } },
      'flows[0].steps[0].remind.action: there is no action "none" in this app.',
    ],
  ])('step %j has the fields of its kind', (step, fault) => {
    expect(withSteps(step)).toEqual([fault])
  })

  it.each([
    ['text', false],
    [RESULTS, true],
    ['$'.concat('{results.a}').repeat(2), false],
    [`x${RESULTS}`, false],
    ['$'.concat('{input}'), true],
    ['$'.concat('{results}'), false],
    ['$'.concat('{input.list[0]["a b"]}'), true],
    ['$'.concat('{item}'), false],
  ])('may loop over %s: %s', (items, good) => {
    expect(withSteps({ key: 's', kind: 'forloop', action: 'a', items })).toHaveLength(good ? 0 : 1)
  })

  it.each<[string, object, readonly string[]]>([
    ['a subflow in place of an action', { subflow: 'h' }, []],
    ['neither', {}, ['flows[0].steps[0]: needs `action` or `subflow`.']],
    [
      'both',
      { action: 'a', subflow: 'h' },
      ['flows[0].steps[0].subflow: leave it out, or leave out `action`.'],
    ],
    [
      'an unknown subflow',
      { subflow: 'none' },
      ['flows[0].steps[0].subflow: there is no flow "none" in this app.'],
    ],
  ])('of a loop or an arm may have %s', (_, target, faults) => {
    const below = { key: 'h', steps: [{ key: 's', action: 'a' }] }
    const withStep = (step: object) => withFlows([{ key: 'flow', steps: [step] }, below])
    expect(withStep({ key: 's', kind: 'forloop', items: [1], ...target })).toEqual(faults)
    const arm = { key: 'x', ...target }
    expect(withStep({ key: 's', kind: 'branchall', branches: [arm] })).toEqual(
      faults.map((fault) => fault.replace('steps[0]', 'steps[0].branches[0]')),
    )
  })

  it('has atOnce only of a parallel loop, from 1 to 50', () => {
    const loop = { key: 's', action: 'a', items: [1] }
    expect(withSteps({ ...loop, kind: 'forloop_parallel', atOnce: 50 })).toEqual([])
    expect(withSteps({ ...loop, kind: 'forloop_parallel', atOnce: 51 })).toHaveLength(1)
    expect(withSteps({ ...loop, kind: 'forloop', atOnce: 2 })).toEqual([
      'flows[0].steps[0].atOnce: a step of kind forloop takes no `atOnce`.',
    ])
  })

  it('may not hold more than its limits', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ key: `s${n}`, action: 'a' }))
    expect(withSteps(...many(100))).toEqual([])
    expect(withSteps(...many(101))).toEqual(['flows[0].steps: must have at most 100 items.'])
    expect(withSteps()).toEqual(['flows[0].steps: must have at least one step.'])
    expect(withSteps({ key: 's', kind: 'branchall', branches: many(21) })).toHaveLength(1)
    const items = Array.from({ length: 10_001 }, () => 1)
    expect(withSteps({ key: 's', kind: 'forloop', action: 'a', items })).toEqual([
      'flows[0].steps[0].items: must have at most 10000 items.',
    ])
    expect(withSteps({ key: 's', kind: 'forloop', action: 'a', items: items.slice(1) })).toEqual([])
  })

  it('may not be a subflow with an approval in it', () => {
    expect(
      withFlows([
        { key: 'outer', steps: [{ key: 's', kind: 'subflow', subflow: 'inner' }] },
        { key: 'inner', steps: [APPROVAL] },
      ]),
    ).toEqual([
      'flows[0].steps[0].subflow: the flow "inner" has an approval step, so it can be no subflow.',
    ])
  })

  const chain = (length: number, last: unknown) =>
    Array.from({ length }, (_, n) => ({
      key: `f${n}`,
      steps: [n === length - 1 ? last : { key: 's', kind: 'subflow', subflow: `f${n + 1}` }],
    }))

  it('may not go round in a circle, nor deeper than five subflows', () => {
    expect(withFlows(chain(6, { key: 's', action: 'a' }))).toEqual([])
    expect(withFlows(chain(7, { key: 's', action: 'a' }))).toEqual([
      'flows[0]: the subflows of "f0" go in a circle, or deeper than 5 levels.',
    ])
    expect(withFlows(chain(1, { key: 's', kind: 'subflow', subflow: 'f0' }))).toHaveLength(1)
    expect(withFlows(chain(3, { key: 's', kind: 'subflow', subflow: 'f0' }))).toHaveLength(3)
  })

  it('whose subflows multiply is judged in time', () => {
    const flows = Array.from({ length: 6 }, (_, level) => ({
      key: `f${level}`,
      steps: Array.from({ length: 100 }, (_, n) =>
        level === 5
          ? { key: `s${n}`, action: 'a' }
          : { key: `s${n}`, kind: 'subflow', subflow: `f${level + 1}` },
      ),
    }))
    expect(withFlows(flows)).toEqual([])
  })
})
