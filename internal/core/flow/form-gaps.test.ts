import { expect, test } from 'vitest'
import type { FormField } from './approval/form-field.ts'
import { type FlowDefinition, flowSchema } from './definition.ts'
import { findFormGaps } from './form-gaps.ts'

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */

const ACTIONS = new Map([
  ['keep', { inputSchema: { type: 'object', required: ['name', 'agree'] } }],
  ['free', { inputSchema: null }],
])
const field = (key: string, more: Partial<FormField> = {}): FormField => ({
  key,
  label: key,
  type: 'text',
  required: true,
  ...more,
})
const flow = (step: object, more: object = {}): FlowDefinition =>
  flowSchema.parse({ key: 'submit', steps: [{ key: 'first', ...step }], ...more })
const gaps = (definition: FlowDefinition, ...form: readonly FormField[]) =>
  findFormGaps(definition, ACTIONS, form)

test.each([undefined, '${input}', '${ input }'])(
  'a form lacks what the action of the first step with the input %s requires',
  (input) => {
    const definition = flow({ action: 'keep', ...(input === undefined ? {} : { input }) })
    expect(gaps(definition)).toEqual([
      'The action "keep" requires "name", which the form does not ask for: each run fails.',
      'The action "keep" requires "agree", which the form does not ask for: each run fails.',
    ])
    expect(gaps(definition, field('name', { required: false }), field('agree'))).toEqual([
      'The action "keep" requires "name", which people may leave empty: such a run fails.',
    ])
    // a box that is left empty sends false
    const agree = field('agree', { type: 'boolean', required: false })
    expect(gaps(definition, field('name'), agree)).toEqual([])
  },
)

test('the schema of the flow decides before that of an action', () => {
  const inputSchema = { type: 'object', required: ['mail'] }
  expect(gaps(flow({ action: 'keep' }, { inputSchema }))).toEqual([
    'The flow requires "mail", which the form does not ask for: each run fails.',
  ])
  expect(gaps(flow({ action: 'keep' }, { inputSchema: true }))).toEqual([])
})

test('a step with an input of its own, or without a schema, requires nothing of the form', () => {
  expect(gaps(flow({ action: 'keep', input: { name: 'a', agree: true } }))).toEqual([])
  expect(gaps(flow({ action: 'free' }))).toEqual([])
  expect(gaps(flow({ action: 'gone' }))).toEqual([])
  expect(gaps(flow({ kind: 'approval' }))).toEqual([])
})

/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
