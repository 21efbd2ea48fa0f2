/** The shape of a flow in the manifest [flows 1.2, 12.1]. */
import { z } from 'zod'
import { key, list, mapping, retry, text, wholeNumber } from '../manifest-fields.ts'

export const FLOW_STEP_KINDS = [
  'action',
  'approval',
  'branchone',
  'branchall',
  'forloop',
  'forloop_parallel',
  'subflow',
] as const

export const FORM_FIELD_TYPES = [
  'text',
  'textarea',
  'number',
  'boolean',
  'email',
  'date',
  'select',
] as const

const MAX_STEPS = 100
const MAX_ARMS = 20
const MAX_ITEMS = 1_000
const MAX_APPROVAL_TIMEOUT_S = 31_536_000

/** Empty on an arm: the default arm. Its grammar is looked at when the run gets there [flows 1.4]. */
const condition = z.string('must be a condition').max(2_048, 'must have at most 2048 characters')
const json = z.json()
const yesOrNo = z.boolean('must be true or false')
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

export const formFieldSchema = mapping({
  key,
  label: text(200),
  type: oneOf(FORM_FIELD_TYPES),
  required: yesOrNo.default(false),
  options: list(text(200), 200).optional(),
}).refine(({ type, options }) => (type === 'select') === (options !== undefined), {
  error: 'needs `options` when its type is select, and only then',
  path: ['options'],
})

const approval = mapping({
  requiredEvents: wholeNumber(1, 100).default(1),
  timeoutS: wholeNumber(1, MAX_APPROVAL_TIMEOUT_S).optional(),
  allowSelfApproval: yesOrNo.default(false),
  resumeForm: list(formFieldSchema, 100).default([]),
})

const arm = mapping({
  key,
  condition: condition.optional(),
  action: key,
  input: json.optional(),
})

const step = mapping({
  key,
  kind: oneOf(FLOW_STEP_KINDS).default('action'),
  action: key.optional(),
  input: json.optional(),
  skipIf: condition.optional(),
  stopAfterIf: condition.optional(),
  approval: approval.optional(),
  retry: retry.optional(),
  branches: list(arm, MAX_ARMS).min(1, 'must have at least one arm').optional(),
  items: z
    .union(
      [z.array(json).max(MAX_ITEMS, `must have at most ${MAX_ITEMS} items`), z.string()],
      'must be a list, or one reference to a list',
    )
    .optional(),
  subflow: key.optional(),
})

export const flowSchema = mapping({
  key,
  steps: list(step, MAX_STEPS).min(1, 'must have at least one step'),
  failureModule: mapping({ key, action: key }).optional(),
})

export type FlowDefinition = Readonly<z.infer<typeof flowSchema>>
export type FormField = Readonly<z.infer<typeof formFieldSchema>>
