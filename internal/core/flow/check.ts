/**
 * What a flow refers to, checked at deploy [flows 1.3]: actions and
 * flows that exist, fields that fit the step's kind, no circle of subflows, no approval inside one. References to results
 * and conditions are not looked at: a typo there fails the run [flows 1.4].
 */
import type { FlowDefinition } from './definition.ts'

export type Fault = Readonly<{ path: readonly PropertyKey[]; message: string }>

type Step = FlowDefinition['steps'][number]

/** Levels of subflows [flows 12.1]. */
const MAX_SUBFLOW_DEPTH = 5

type Field = 'action' | 'approval' | 'branches' | 'items' | 'subflow'

/** The fields that make a kind; each belongs to its kinds alone. */
const FIELDS: Readonly<Record<Step['kind'], readonly Field[]>> = {
  action: ['action'],
  approval: ['approval'],
  branchone: ['branches'],
  branchall: ['branches'],
  forloop: ['action', 'items'],
  forloop_parallel: ['action', 'items'],
  subflow: ['subflow'],
}
const ALL_FIELDS: readonly Field[] = ['action', 'approval', 'branches', 'items', 'subflow']
/** An approval step without settings waits for one approval. */
const MAY_LACK: readonly Field[] = ['approval']

// biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const ITEMS_MESSAGE = 'must be a list, or one reference such as ${results.collect.items}'
const ITEMS_REFERENCE = /^\$\{(?:results|input)(?:\.|\[|\})/

type Row<T> = Readonly<{ index: number; value: T }>

/** Every key of the manifest, also of rows that have faults of their own. */
export type KnownKeys = Readonly<{ actions: ReadonlySet<string>; flows: ReadonlySet<string> }>

/** @param flows those of the manifest whose shape is right, each with its place in the list */
export const findFlowFaults = (
  flows: readonly Row<FlowDefinition>[],
  keys: KnownKeys,
): readonly Fault[] => {
  const byKey = new Map(flows.map(({ value }) => [value.key, value]))
  const known: Known = { keys, flows: byKey, depths: nestingDepths(byKey) }
  return flows.flatMap(({ index, value }) => checkFlow(value, ['flows', index], known))
}

type Known = Readonly<{
  keys: KnownKeys
  flows: ReadonlyMap<string, FlowDefinition>
  depths: ReadonlyMap<string, number>
}>
type Path = readonly PropertyKey[]

const checkFlow = (flow: FlowDefinition, path: Path, known: Known): readonly Fault[] => [
  ...findDoubles(keysOf(flow.steps), [...path, 'steps']),
  ...flow.steps.flatMap((step, index) => checkStep(step, [...path, 'steps', index], known)),
  ...checkAction(flow.failureModule?.action, [...path, 'failureModule', 'action'], known),
  ...checkNesting(flow, path, known),
]

export const findDoubles = (keys: readonly Row<string>[], path: Path): readonly Fault[] => {
  const seen = new Set<string>()
  return keys.flatMap(({ index, value }) => {
    if (seen.has(value)) {
      return [{ path: [...path, index, 'key'], message: `the key "${value}" stands twice` }]
    }
    seen.add(value)
    return []
  })
}

const keysOf = (items: readonly Readonly<{ key: string }>[]): readonly Row<string>[] =>
  items.map(({ key }, index) => ({ index, value: key }))

const checkAction = (action: string | undefined, path: Path, { keys }: Known): readonly Fault[] =>
  action === undefined || keys.actions.has(action)
    ? []
    : [{ path, message: `there is no action "${action}" in this app` }]

const checkStep = (step: Step, path: Path, known: Known): readonly Fault[] => {
  const wanted = FIELDS[step.kind]
  const missing = wanted.filter((field) => step[field] === undefined && !MAY_LACK.includes(field))
  const foreign = ALL_FIELDS.filter((field) => step[field] !== undefined && !wanted.includes(field))
  return [
    ...missing.map((field) => ({
      path,
      message: `a step of kind ${step.kind} needs \`${field}\``,
    })),
    ...foreign.map((field) => ({
      path: [...path, field],
      message: `a step of kind ${step.kind} takes no \`${field}\``,
    })),
    ...checkAction(step.action, [...path, 'action'], known),
    ...checkBranches(step, [...path, 'branches'], known),
    ...checkCondition(step, 'skipIf', path),
    ...checkCondition(step, 'stopAfterIf', path),
    ...checkItems(step, [...path, 'items']),
    ...checkSubflow(step, [...path, 'subflow'], known),
  ]
}

const checkBranches = ({ branches = [] }: Step, path: Path, known: Known): readonly Fault[] => [
  ...findDoubles(keysOf(branches), path),
  ...branches.flatMap(({ action }, index) =>
    checkAction(action, [...path, index, 'action'], known),
  ),
]

/** Only an arm of a branch may have an empty condition: it is the default arm. */
const checkCondition = (
  step: Step,
  field: 'skipIf' | 'stopAfterIf',
  path: Path,
): readonly Fault[] =>
  step[field]?.trim() === ''
    ? [{ path: [...path, field], message: 'must be a condition: leave it out, or say when' }]
    : []

/** Exactly one reference: its closing brace is the end, and there is no other. */
const checkItems = ({ items }: Step, path: Path): readonly Fault[] => {
  if (typeof items !== 'string') return []
  const isReference = ITEMS_REFERENCE.test(items) && items.indexOf('}') === items.length - 1
  return isReference ? [] : [{ path, message: ITEMS_MESSAGE }]
}

const checkSubflow = ({ subflow }: Step, path: Path, known: Known): readonly Fault[] => {
  if (subflow === undefined) return []
  const target = known.flows.get(subflow)
  if (!known.keys.flows.has(subflow)) {
    return [{ path, message: `there is no flow "${subflow}" in this app` }]
  }
  return target?.steps.some(({ kind }) => kind === 'approval')
    ? [{ path, message: `the flow "${subflow}" has an approval step, so it can be no subflow` }]
    : []
}

/** Levels of subflows below each flow; Infinity for one that leads into a circle. */
const nestingDepths = (flows: Known['flows']): ReadonlyMap<string, number> => {
  const depths = new Map<string, number>()
  const visit = (flow: FlowDefinition): number => {
    const known = depths.get(flow.key)
    if (known !== undefined) return known
    // whoever comes back here before the answer stands has gone in a circle
    depths.set(flow.key, Number.POSITIVE_INFINITY)
    const below = flow.steps.flatMap(({ subflow }) => {
      const target = subflow === undefined ? undefined : flows.get(subflow)
      return target === undefined ? [] : [visit(target) + 1]
    })
    const depth = Math.max(0, ...below)
    depths.set(flow.key, depth)
    return depth
  }
  for (const flow of flows.values()) visit(flow)
  return depths
}

const checkNesting = (flow: FlowDefinition, path: Path, { depths }: Known): readonly Fault[] =>
  (depths.get(flow.key) ?? 0) <= MAX_SUBFLOW_DEPTH
    ? []
    : [
        {
          path,
          message: `the subflows of "${flow.key}" go in a circle, or deeper than ${MAX_SUBFLOW_DEPTH} levels`,
        },
      ]
