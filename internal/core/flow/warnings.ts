/**
 * Warns at deploy of references and conditions that fail each run that comes to them. They are no faults [flows 1.4], because a
 * run may never come to them.
 */
import { nearestTo } from '../edit-distance.ts'
import { isJsonObject, type JsonValue } from '../json/value.ts'
import { type Fault, type FaultPath, MAX_FAULTS } from '../manifest/fault.ts'
import { comparedReferences, parseCondition, referencesOfCondition } from './condition/parse.ts'
import type { Reference } from './data.ts'
import type { FlowDefinition } from './definition.ts'
import { type FlowStep, kindOf } from './kinds.ts'
import { explainMeant, meantReference } from './meant-reference.ts'
import { parseTemplate } from './template.ts'

/** What a template or condition may refer to. */
type Scope = Readonly<{
  /** The steps of the flow in their order, and how many of them have ended. */
  steps: readonly string[]
  ended: number
  roots: readonly string[]
  /** The only fields that the results of some steps can have. */
  fields: ReadonlyMap<string, readonly string[]>
  /** The only values that fields of some results can have, by step and field. */
  values: ReadonlyMap<string, FieldValues>
  /** What some runs lack. */
  lacking: Lacking
  /** Fields of the start input that its schema has; null where a text such as `input.x` is always meant as a reference. */
  declared: ReadonlySet<string> | null
}>

/** A map, because a condition may ask for a field that every object inherits, such as `toString`. */
type FieldValues = ReadonlyMap<string, readonly (string | boolean)[]>

type Lacking = Readonly<{
  /** Steps that may be skipped, whose result is then null. */
  skippable: ReadonlySet<string>
  /** Fields that the start input may leave out by its schema. */
  optional: ReadonlySet<string>
  /** Fields that people may leave empty, by step. */
  unfilled: ReadonlyMap<string, readonly string[]>
}>
/** Where a condition decides whether the reference is read. */
const NOTHING: Lacking = { skippable: new Set(), optional: new Set(), unfilled: new Map() }

/** Its sentence is made only for those that are reported, because looking for what was meant takes long. */
type Warning = Readonly<{ path: FaultPath; explain: () => string }>

type Check = (scope: Scope, path: FaultPath) => readonly Warning[]

const ROOTS = ['input', 'results']
/** The only fields that these can have. */
const FIELDS_OF_ROOTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['error', ['name', 'message']],
  ['failedStep', []],
  ['index', []],
])
/** The most steps that a warning lists. */
const MAX_NAMED = 10

export const findFlowWarnings = (flows: readonly FlowDefinition[]): readonly Fault[] =>
  flows
    .flatMap((flow, index) => warningsOf(flow, ['flows', index]))
    .slice(0, MAX_FAULTS)
    .map(({ path, explain }) => ({ path, message: explain() }))

/** Keywords that require no field. With others, such as `allOf`, this rule does not know what is required. */
const PLAIN = new Set([
  '$schema',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
])

const optionalFields = (schema: FlowDefinition['inputSchema']): ReadonlySet<string> => {
  if (typeof schema !== 'object' || !Object.keys(schema).every((each) => PLAIN.has(each))) {
    return NOTHING.optional
  }
  const { properties, required } = schema
  const needed = new Set<unknown>(Array.isArray(required) ? required : [])
  return new Set(Object.keys(properties ?? {}).filter((field) => !needed.has(field)))
}

const declaredFields = (schema: FlowDefinition['inputSchema']): ReadonlySet<string> =>
  new Set(typeof schema === 'object' ? Object.keys(schema.properties ?? {}) : [])

const warningsOf = ({ steps, failureModule, inputSchema }: FlowDefinition, path: FaultPath) => {
  const keys = steps.map(({ key }) => key)
  const fields = new Map(
    steps.flatMap((step) => {
      const own = kindOf(step).resultFields?.(step)
      return own === undefined ? [] : [[step.key, own] as const]
    }),
  )
  const values = new Map(
    steps.map((step) => [
      step.key,
      new Map(Object.entries(kindOf(step).fieldValues?.(step) ?? {})),
    ]),
  )
  // without a result, the input of an undo or of the failure module has null, so only unknown names are worth a warning
  const roots = [...ROOTS, 'error', 'failedStep']
  const declared = declaredFields(inputSchema)
  const known = { steps: keys, fields, values, declared }
  const ending = { ...known, ended: keys.length, roots, lacking: NOTHING }
  const skippable = new Set(steps.flatMap(({ key, skipIf }) => (skipIf === undefined ? [] : [key])))
  const unfilled = new Map(
    steps.map((step) => [step.key, kindOf(step).optionalFields?.(step) ?? []]),
  )
  const lacking = { skippable, optional: optionalFields(inputSchema), unfilled }
  return [
    ...steps.flatMap((step, index) => {
      const at = [...path, 'steps', index]
      return [
        ...stepWarnings(step, { ...ending, ended: index, roots: ROOTS, lacking }, at),
        ...unreachableAfter(steps[index - 1], at),
        ...ignoredRetry(step, at),
        ...checkTemplate(step.undo?.input)(ending, [...at, 'undo', 'input']),
      ]
    }),
    ...checkTemplate(failureModule?.input)(ending, [...path, 'failureModule', 'input']),
  ]
}

const unreachableAfter = (before: FlowStep | undefined, path: FaultPath): readonly Warning[] =>
  before?.skipIf === undefined && before?.stopAfterIf?.trim() === 'true'
    ? [{ path, explain: () => `no run comes to this step: step "${before.key}" ends each` }]
    : []

/** Arms of a branchone, subflows and waits are not tried again by the step. */
const ignoredRetry = (step: FlowStep, path: FaultPath): readonly Warning[] => {
  const { retries, targets } = kindOf(step)
  const applies = retries && targets(step).some(({ kind }) => kind === 'action')
  return step.retry === undefined || applies
    ? []
    : [{ path: [...path, 'retry'], explain: () => '`retry` has no effect on this step' }]
}

const stepWarnings = (step: FlowStep, scope: Scope, path: FaultPath): readonly Warning[] => {
  const { references, doubts, inputRoots = [] } = kindOf(step)
  const { conditions = [], templates = [] } = references?.(step) ?? {}
  const isConditional = [step.skipIf, ...conditions].some((condition) => condition !== undefined)
  const guarded = isConditional ? { ...scope, lacking: NOTHING } : scope
  const ofInput = { ...guarded, roots: [...scope.roots, ...inputRoots] }
  return [
    ...checkCondition(step.skipIf)(scope, [...path, 'skipIf']),
    ...checkTemplate(step.input)(ofInput, [...path, 'input']),
    ...conditions.flatMap((condition) => checkCondition(condition)(guarded, path)),
    ...templates.flatMap((template) =>
      checkTemplate(template)({ ...guarded, declared: null }, path),
    ),
    ...(doubts?.(step) ?? []).map((doubt) => ({
      path: [...path, ...doubt.path],
      explain: () => doubt.message,
    })),
    ...checkCondition(step.stopAfterIf)({ ...guarded, ended: scope.ended + 1 }, [
      ...path,
      'stopAfterIf',
    ]),
  ]
}

const checkTemplate =
  (template: JsonValue | undefined): Check =>
  (scope, path) => {
    if (typeof template === 'string') {
      const { pieces, fault } = parseTemplate(template)
      if (pieces === null) return [{ path, explain: () => fault.replace(/\.$/, '') }]
      return pieces.flatMap((piece) =>
        typeof piece === 'string'
          ? checkText({ text: piece, isWhole: pieces.length === 1 }, scope, path)
          : checkOne(piece, scope, path),
      )
    }
    if (Array.isArray(template)) return template.flatMap((each) => checkTemplate(each)(scope, path))
    if (!isJsonObject(template ?? null)) return []
    return Object.values(template ?? {}).flatMap((each) => checkTemplate(each)(scope, path))
  }

/** The name of a file may look like a reference, so that `input.csv` is one only if the schema has that field. */
const checkText = (
  { text, isWhole }: Readonly<{ text: string; isWhole: boolean }>,
  { roots, steps, declared }: Scope,
  path: FaultPath,
): readonly Warning[] => {
  const meant = meantReference(text, roots)
  if (meant === null) return []
  const field = String(meant.path[0])
  const known = meant.root === 'results' ? steps.includes(field) : declared?.has(field) !== false
  return meant.isBraced || (isWhole && known) ? [{ path, explain: () => explainMeant(meant) }] : []
}

const checkCondition =
  (text: string | undefined): Check =>
  (scope, path) => {
    // an empty condition is that of a default arm
    if (text === undefined || text.trim() === '') return []
    const { condition, fault } = parseCondition(text)
    if (condition === null) {
      return [{ path, explain: () => `the condition "${text.slice(0, 60)}" is wrong: ${fault}` }]
    }
    // one side may decide whether the other is read
    const whole = /&&|\|\|/.test(text) ? { ...scope, lacking: NOTHING } : scope
    return [
      ...referencesOfCondition(condition).flatMap((each) => checkOne(each, whole, path)),
      ...comparedReferences(condition).flatMap((each) => checkCompared(each, scope, path)),
    ]
  }

/** A comparison with a value that never comes decides every run in the same way, without a failure. */
const checkCompared = (
  { reference: { root, path: at, text }, value }: ReturnType<typeof comparedReferences>[number],
  { values }: Scope,
  path: FaultPath,
): readonly Warning[] => {
  const [step, field, ...rest] = at
  if (root !== 'results' || rest.length > 0) return []
  const known = values.get(String(step))?.get(String(field))
  return known === undefined || known.some((each) => each === value)
    ? []
    : [
        {
          path,
          explain: () => `${text} is never ${JSON.stringify(value)}. It is ${known.join(', ')}`,
        },
      ]
}

const checkOne = (
  { root, path: [step, field], text }: Reference,
  { steps, ended, roots, fields, lacking }: Scope,
  path: FaultPath,
): readonly Warning[] => {
  if (!roots.includes(root)) {
    const isOfStep = step === undefined || steps.includes(String(step))
    return [{ path, explain: () => wrongRoot(text, root, { roots, isOfStep }) }]
  }
  const own = FIELDS_OF_ROOTS.get(root)
  if (own !== undefined && step !== undefined && !own.includes(String(step))) {
    return [{ path, explain: () => unknownField(text, String(step), { of: root, known: own }) }]
  }
  if (root === 'input' && typeof step === 'string' && lacking.optional.has(step)) {
    return [{ path, explain: () => leftOut(text, step) }]
  }
  if (root !== 'results' || step === undefined) return []
  if (typeof step !== 'string') {
    const message = `${text} must name one step of this flow: ${steps.slice(0, MAX_NAMED).join(', ')}`
    return [{ path, explain: () => message }]
  }
  const index = steps.indexOf(step)
  if (index === -1) return [{ path, explain: () => unknownStep(text, step, steps) }]
  if (index >= ended) {
    return [{ path, explain: () => `${text} has no value here, because that step ends later` }]
  }
  if (field !== undefined && lacking.skippable.has(step)) {
    return [{ path, explain: () => ofSkipped(text, step) }]
  }
  if (typeof field === 'string' && lacking.unfilled.get(step)?.includes(field) === true) {
    return [{ path, explain: () => leftEmpty(text, { step, field }) }]
  }
  const known = fields.get(step)
  if (known === undefined || typeof field !== 'string' || known.includes(field)) return []
  return [
    { path, explain: () => unknownField(text, field, { of: 'the result of that step', known }) },
  ]
}

const leftOut = (text: string, field: string): string =>
  `${text} fails each run whose input leaves it out. List "${field}" in \`required\` of the inputSchema`

const leftEmpty = (text: string, { step, field }: Readonly<{ step: string; field: string }>) =>
  `${text} fails each run in which people leave the field "${field}" empty. Make it \`required\`, or pass on the whole result, results.${step}`

const ofSkipped = (text: string, step: string): string =>
  `${text} fails each run that skips step "${step}". The whole result, results.${step}, is null there`

const unknownField = (
  text: string,
  field: string,
  { of, known }: Readonly<{ of: string; known: readonly string[] }>,
): string => {
  const meant = nearestTo(field, known)
  if (meant !== undefined) return `${text} names no field of ${of}. Did you mean "${meant}"?`
  const fields = known.length === 0 ? 'no fields' : known.slice(0, MAX_NAMED).join(', ')
  return `${text} names no field of ${of}. It has ${fields}`
}

/** @param isOfStep whether it names a step after the root, as a reference to a result must */
const wrongRoot = (
  text: string,
  root: string,
  { roots, isOfStep }: Readonly<{ roots: readonly string[]; isOfStep: boolean }>,
): string => {
  const meant = nearestTo(root, roots)
  if (meant === undefined) return `${text} must begin with ${roots.join(', ')}`
  const start = meant === 'results' && !isOfStep ? 'results.<step>' : meant
  return `${text} is not a reference. Did you mean ${text.replace(root, start)}?`
}

const unknownStep = (text: string, step: string, steps: readonly string[]): string => {
  const meant = nearestTo(step, steps)
  return meant === undefined
    ? `${text} names no step of this flow. It has ${steps.slice(0, MAX_NAMED).join(', ')}`
    : `${text} names no step of this flow. Did you mean ${renameStep(text, step, meant)}?`
}

/** The name of a step may be a part of "results". */
const renameStep = (text: string, step: string, meant: string): string => {
  const { length } = 'results'
  return text.slice(0, length) + text.slice(length).replace(step, meant)
}
