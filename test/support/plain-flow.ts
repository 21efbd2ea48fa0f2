/** The rules of flows as a plain interpreter, step by step. The tests compare the engine with it. */
import { evaluateCondition } from '#core/flow/condition/evaluate.ts'
import type { FlowDefinition } from '#core/flow/definition.ts'
import type { FlowEvent } from '#core/flow/run.ts'
import { resolveTemplate } from '#core/flow/template.ts'
import type { JobError } from '#core/job/job-error.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { StepEnd, World } from './simulate-flow.ts'

type Step = FlowDefinition['steps'][number]

export type PlainEnd = Readonly<{
  status: string
  result: JsonValue
  /** If children run side by side, any of them may be the first to fail. */
  errors: readonly string[]
  steps: ReadonlyMap<number, StepEnd>
}>

export type PlainWorld = Readonly<{ world: World; answer: (index: number) => FlowEvent }>

type Data = Readonly<{
  input: JsonValue
  results: ReadonlyMap<string, JsonValue>
  previous: JsonValue
  item?: Readonly<{ value: JsonValue; index: number }>
}>

type Done =
  /** `passedOver` means that the next step does not take the value. */
  | Readonly<{ value: JsonValue; passedOver?: boolean }>
  | Readonly<{ skipped: true }>
  /** `early` means that nothing was started. */
  | Readonly<{ errors: readonly string[]; error: JobError; early: boolean }>

const failed = (error: JobError): Done => ({ errors: [error.name], error, early: true })

const runChild = (
  { world, step }: Readonly<{ world: World; step: Step }>,
  target: Readonly<{ kind: 'action' | 'flow'; key: string }>,
  template: JsonValue | undefined,
  data: Data,
): Done => {
  const given = data.item?.value ?? data.previous
  const { value, error } =
    template === undefined ? { value: given, error: null } : resolveTemplate(template, data)
  if (error !== null) return failed(error)
  const isOnce = target.kind === 'flow' || step.kind === 'branchone'
  const tries = isOnce ? 1 : (step.retry?.maxAttempts ?? 1)
  for (let attempt = 1; ; attempt += 1) {
    const outcome = world({ target, input: value }, attempt)
    if (outcome.kind === 'success') return { value: outcome.value }
    const { error: thrown } = outcome
    if (attempt >= tries) return { errors: [thrown.name], error: thrown, early: false }
  }
}

const itemOf = (end: Done): JsonValue => {
  if ('errors' in end) return { ok: false, error: { ...end.error } }
  return { ok: true, value: 'value' in end ? end.value : null }
}

const joinAll = (
  { continueOnError = false }: Step,
  ends: readonly Done[],
  join: (values: readonly JsonValue[]) => JsonValue,
): Done => {
  if (continueOnError) return { value: join(ends.map(itemOf)) }
  const early = ends.find((end) => 'errors' in end && end.early)
  if (early !== undefined) return early
  const errors = ends.flatMap((end) => ('errors' in end ? end.errors : []))
  const [first] = ends.flatMap((end) => ('errors' in end ? [end.error] : []))
  if (first !== undefined) return { errors, error: first, early: false }
  return { value: join(ends.map((end) => ('value' in end ? end.value : null))) }
}

const named = (name: string): JobError => ({ name, message: '' })

type Target = Readonly<{ kind: 'action' | 'flow'; key: string }>

const targetOf = ({
  action = '',
  subflow,
}: Readonly<{ action?: string | undefined; subflow?: string | undefined }>): Target =>
  subflow === undefined ? { kind: 'action', key: action } : { kind: 'flow', key: subflow }

const branchOne = (context: Readonly<{ world: World; step: Step }>, data: Data): Done => {
  const arms = context.step.branches ?? []
  const run = (arm: (typeof arms)[number]): Done =>
    runChild(context, targetOf(arm), arm.input, data)
  for (const arm of arms) {
    if (arm.condition === undefined || arm.condition === '') continue
    const { holds, error } = evaluateCondition(arm.condition, data)
    if (error !== null) return failed(error)
    if (holds) return run(arm)
  }
  const otherwise = arms.find(({ condition }) => condition === undefined || condition === '')
  return otherwise === undefined ? { skipped: true } : run(otherwise)
}

const loop = (context: Readonly<{ world: World; step: Step }>, data: Data): Done => {
  const { step } = context
  const items = resolveTemplate(step.items ?? null, data)
  if (items.error !== null) return failed(items.error)
  if (!Array.isArray(items.value)) return failed(named('BadItems'))
  const target = targetOf(step)
  return joinAll(
    step,
    items.value.map((value: JsonValue, index: number) =>
      runChild(context, target, step.input, { ...data, item: { value, index } }),
    ),
    (values) => [...values],
  )
}

const approve = (step: Step, event: FlowEvent, data: Data): Done => {
  const { remind, onTimeout, onReject } = step
  if (remind !== undefined && step.input !== undefined) {
    const { error } = resolveTemplate(step.input, data)
    if (error !== null) return failed(error)
  }
  const tells = onTimeout === 'continue' || onReject === 'continue'
  if (event.kind === 'approved') {
    const { values, by } = event
    return { value: tells ? { decision: 'approved', values, by: [...by] } : values }
  }
  if (event.kind === 'rejected') {
    if (onReject !== 'continue') return failed(named('ApprovalRejected'))
    return { value: { decision: 'rejected', values: {}, by: [event.by] } }
  }
  if (onTimeout !== 'continue') return failed(named('ApprovalTimeout'))
  return { value: { decision: 'timed_out', values: {}, by: [] } }
}

const sleep = (step: Step, data: Data): Done => {
  if (step.until === undefined) return { value: null, passedOver: true }
  const { value, error } = resolveTemplate(step.until, data)
  if (error !== null) return failed(error)
  return value === '2096-01-31T09:00:00Z'
    ? { value: null, passedOver: true }
    : failed(named('BadTime'))
}

const receive = (step: Step, event: FlowEvent, data: Data): Done => {
  const { value, error } = resolveTemplate(step.match ?? 'none', data)
  if (error !== null) return failed(error)
  if (value === null || typeof value === 'object') return failed(named('BadMatch'))
  if (event.kind === 'event_received') return { value: { received: true, data: event.data } }
  return step.onTimeout === 'continue'
    ? { value: { received: false } }
    : failed(named('EventTimeout'))
}

const runStep = (step: Step, index: number, data: Data, { world, answer }: PlainWorld): Done => {
  const context = { world, step }
  switch (step.kind) {
    case 'action':
      return runChild(context, { kind: 'action', key: step.action ?? '' }, step.input, data)
    case 'subflow':
      return runChild(context, { kind: 'flow', key: step.subflow ?? '' }, step.input, data)
    case 'approval':
      return approve(step, answer(index), data)
    case 'sleep':
      return sleep(step, data)
    case 'event':
      return receive(step, answer(index), data)
    case 'branchone':
      return branchOne(context, data)
    case 'branchall': {
      const arms = step.branches ?? []
      return joinAll(
        step,
        arms.map((arm) => runChild(context, targetOf(arm), arm.input, data)),
        (values) => Object.fromEntries(arms.map(({ key }, at) => [key, values[at] ?? null])),
      )
    }
    case 'forloop':
    case 'forloop_parallel':
      return loop(context, data)
  }
}

const failureStatus = (step: Step, errors: readonly string[]): string => {
  if (errors.includes('ApprovalRejected')) return 'rejected'
  const name = step.kind === 'approval' ? 'ApprovalTimeout' : 'EventTimeout'
  return errors.includes(name) ? 'timed_out' : 'failure'
}

const shouldSkip = (step: Step, data: Data): Done | null => {
  if (step.skipIf === undefined) return null
  const { holds, error } = evaluateCondition(step.skipIf, data)
  if (error !== null) return failed(error)
  return holds ? { skipped: true } : null
}

export const interpret = (
  definition: FlowDefinition,
  input: JsonValue,
  surroundings: PlainWorld,
): PlainEnd => {
  const results = new Map<string, JsonValue>()
  const steps = new Map<number, StepEnd>()
  let previous = input
  for (const [index, step] of definition.steps.entries()) {
    const data = { input, results, previous }
    const skipped = shouldSkip(step, data)
    const done = skipped ?? runStep(step, index, data, surroundings)
    if ('errors' in done) {
      const isWait = skipped === null && ['approval', 'event'].includes(step.kind)
      const status = isWait ? failureStatus(step, done.errors) : 'failure'
      steps.set(index, { status, result: null })
      return { status: 'failed', result: null, errors: done.errors, steps }
    }
    if ('skipped' in done) {
      results.set(step.key, null)
      steps.set(index, { status: 'skipped', result: null })
      continue
    }
    results.set(step.key, done.value)
    steps.set(index, { status: 'success', result: done.value })
    if (done.passedOver !== true) previous = done.value
    if (step.stopAfterIf === undefined) continue
    const { holds, error } = evaluateCondition(step.stopAfterIf, { input, results })
    if (error !== null) return { status: 'failed', result: null, errors: [error.name], steps }
    if (holds) return { status: 'completed', result: previous, errors: [], steps }
  }
  return { status: 'completed', result: previous, errors: [], steps }
}
