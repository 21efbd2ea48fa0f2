/**
 * A flow's definition from the API [flows 1], parsed into the shape that graphs, lists and forms need. The server has
 * validated it. Parts that are not understood are left out. Pure.
 */
import type { Schemas } from '#sdk/client.ts'
import type { Json } from '#sdk/mod.ts'
import { isObject } from '../ui/json-object.ts'
import { type Concurrency, readConcurrency } from './concurrency.ts'
import { DEFAULT_KIND, isStepKind, STEP_KINDS, type StepKind } from './step-kinds.ts'
import { undoKey } from './undo-key.ts'

/** A field of the form of an approval step or a public link. */
export type FormField = Schemas['WaitingApproval']['resume_form'][number]

export const FIELD_TYPES = [
  'text',
  'textarea',
  'number',
  'boolean',
  'email',
  'date',
  'select',
] as const satisfies readonly FormField['type'][]

export type FlowArm = Readonly<{
  key: string
  /** Null for the arm that runs if no other condition holds. */
  condition: string | null
  action: string | null
  input: Json | undefined
}>

export type Approval = Readonly<{
  requiredEvents: number
  timeoutS: number | null
  allowSelfApproval: boolean
  form: readonly FormField[]
}>

export type FlowStep = Readonly<{
  key: string
  kind: StepKind
  /** The key of the action or flow that it runs. */
  target: string | null
  input: Json | undefined
  skipIf: string | null
  stopAfterIf: string | null
  maxAttempts: number
  arms: readonly FlowArm[]
  items: Json | undefined
  /** The settings of an approval step; null for other kinds. */
  approval: Approval | null
  /** How long a sleep waits, in seconds, or until when; null for other kinds. */
  forS: number | null
  until: string | null
  /** The event that the step waits for, and the event key or a reference to it. */
  event: string | null
  match: string | null
}>

export type FlowDefinition = Readonly<{
  /** The undo actions, those of later steps first, and the failure module come last, if there are any. */
  steps: readonly FlowStep[]
  /** How many runs are under way at once; null for any number. */
  concurrency: Concurrency | null
  /** The schema of the start input; null if the manifest has none. */
  inputSchema: Readonly<Record<string, Json>> | null
}>

const textOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null
const numberOf = (value: Json | undefined): number | null =>
  typeof value === 'number' ? value : null
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const readField = (json: Json): readonly FormField[] => {
  if (!isObject(json)) return []
  const key = textOf(json.key)
  const type = FIELD_TYPES.find((known) => known === json.type)
  if (key === null || type === undefined) return []
  const options = listOf(json.options).flatMap((option) => textOf(option) ?? [])
  const label = textOf(json.label) ?? key
  const required = json.required === true
  return [{ key, label, type, required, ...(type === 'select' ? { options } : {}) }]
}

/** The settings may be fields of the step or of `approval`. */
const readApproval = ({ approval, timeoutS }: Readonly<Record<string, Json>>): Approval => {
  const given = isObject(approval) ? approval : {}
  return {
    requiredEvents: numberOf(given.requiredEvents) ?? 1,
    timeoutS: numberOf(given.timeoutS ?? timeoutS),
    allowSelfApproval: given.allowSelfApproval === true,
    form: listOf(given.resumeForm).flatMap(readField),
  }
}

const readArm = (json: Json): readonly FlowArm[] => {
  if (!isObject(json)) return []
  const { key, condition, input } = json
  const target = textOf(json.action) ?? textOf(json.subflow)
  return [{ key: textOf(key) ?? '', condition: textOf(condition), action: target, input }]
}

const readStep = (json: Json): readonly FlowStep[] => {
  if (!isObject(json)) return []
  const key = textOf(json.key)
  const kind = json.kind ?? DEFAULT_KIND
  if (key === null || !isStepKind(kind)) return []
  const retry = isObject(json.retry) ? json.retry : {}
  return [
    {
      key,
      kind,
      target: textOf(json.action) ?? textOf(json.subflow),
      input: json.input,
      skipIf: textOf(json.skipIf),
      stopAfterIf: textOf(json.stopAfterIf),
      maxAttempts: numberOf(retry.maxAttempts) ?? 1,
      arms: listOf(json.branches).flatMap(readArm),
      items: json.items,
      approval: STEP_KINDS[kind].asksPeople === true ? readApproval(json) : null,
      forS: numberOf(json.forS),
      until: textOf(json.until),
      event: textOf(json.name),
      match: textOf(json.match),
    },
  ]
}

const readFailureModule = (json: Json | undefined): readonly FlowStep[] =>
  isObject(json)
    ? readStep({
        key: json.key ?? null,
        action: json.action ?? null,
        ...(json.input === undefined ? {} : { input: json.input }),
      }).map((step) => ({ ...step, kind: 'failure_module' }))
    : []

/** An undo has the key of its step with a prefix. Without an input of its own, it gets the result of its step. */
const readUndo = (json: Json): readonly FlowStep[] => {
  if (!isObject(json) || !isObject(json.undo)) return []
  const { action = null, input, retry = null } = json.undo
  const step = { key: json.key ?? null, action, retry, ...(input === undefined ? {} : { input }) }
  return readStep(step).map((read) => ({ ...read, key: undoKey(read.key), kind: 'undo' }))
}

export const readDefinition = (json: Json): FlowDefinition => {
  const { steps, failureModule, inputSchema, concurrency } = isObject(json) ? json : {}
  return {
    concurrency: readConcurrency(concurrency),
    steps: [
      ...listOf(steps).flatMap(readStep),
      ...listOf(steps).toReversed().flatMap(readUndo),
      ...readFailureModule(failureModule),
    ],
    inputSchema: isObject(inputSchema) ? inputSchema : null,
  }
}
