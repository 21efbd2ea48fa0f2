/** The shape of a flow in the manifest (document 1, Flow definition). The engine's own checks come with the engine. */
import { z } from 'zod'

const STEP_KEY = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,62}$/
export const FLOW_STEP_KINDS = [
  'action',
  'approval',
  'branchone',
  'branchall',
  'forloop',
  'forloop_parallel',
  'subflow',
] as const

const key = z.string('must be a text').regex(STEP_KEY, 'must have 1 to 63 letters, digits, - or _')
const condition = z.string('must be a condition').max(2_048)

export const FORM_FIELD_TYPES = [
  'text',
  'textarea',
  'number',
  'boolean',
  'email',
  'date',
  'select',
] as const

const formField = z.strictObject({
  key,
  label: z.string().min(1).max(200),
  type: z.enum(FORM_FIELD_TYPES),
  required: z.boolean().default(false),
  options: z.array(z.string()).max(200).optional(),
})

const retry = z.strictObject({
  maxAttempts: z.int().min(1).max(100),
  delayMs: z.int().min(0).max(86_400_000).default(1_000),
  backoffFactor: z.number().min(1).max(10).default(1),
})

const step = z.strictObject({
  key,
  kind: z.enum(FLOW_STEP_KINDS).default('action'),
  action: key.optional(),
  input: z.json().optional(),
  skipIf: condition.optional(),
  stopAfterIf: condition.optional(),
  approval: z
    .strictObject({
      requiredEvents: z.int().min(1).max(100).default(1),
      timeoutS: z.int().min(1).max(31_536_000).optional(),
      allowSelfApproval: z.boolean().default(false),
      resumeForm: z.array(formField).max(100).default([]),
    })
    .optional(),
  retry: retry.optional(),
  branches: z
    .array(
      z.strictObject({
        key,
        condition: condition.optional(),
        action: key,
        input: z.json().optional(),
      }),
    )
    .max(20)
    .optional(),
  items: z.union([z.array(z.json()).max(1_000), z.string()]).optional(),
  subflow: key.optional(),
})

export const flowsSchema = z
  .array(
    z.strictObject({
      key,
      steps: z.array(step).min(1).max(100),
      failureModule: z.strictObject({ key, action: key }).optional(),
    }),
  )
  .max(100)

export type FlowDefinition = Readonly<z.infer<typeof flowsSchema>[number]>
