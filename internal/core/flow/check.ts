/**
 * Checks at deploy what a flow refers to [flows 1.3]: actions and flows exist, fields fit the step's kind, subflows are
 * not circular, and no subflow waits for people. References to results and conditions are no faults: a typo there
 * fails the run [flows 1.4], and warnings.ts warns of it.
 */
import { limit } from '../limit.ts'
import { type Fault, type FaultPath, findDoubles, keysOf, type Row } from '../manifest/fault.ts'
import type { FlowDefinition } from './definition.ts'
import { type CheckedApp, checkAction } from './kinds/step-kind.ts'
import { asksPeople, type FlowStep, flowsOf, kindOf, listKinds } from './kinds.ts'

/** Levels of subflows [flows 12.1]. */
const MAX_SUBFLOW_DEPTH = limit('flow.subflow_depth', 5, 'levels', 'Subflows within subflows.')

/** Every key of the manifest, including those of rows with faults of their own. */
export type KnownKeys = Pick<CheckedApp, 'actions' | 'flows'>

/** @param flows those of the manifest with a valid shape, each with its place in the list */
export const findFlowFaults = (
  flows: readonly Row<FlowDefinition>[],
  keys: KnownKeys,
): readonly Fault[] => {
  const byKey = new Map(flows.map(({ value }) => [value.key, value]))
  const context: Context = {
    ...keys,
    asksPeople: (flow) => byKey.get(flow)?.steps.some(asksPeople) ?? false,
    depths: nestingDepths(byKey),
  }
  return flows.flatMap(({ index, value }) => checkFlow(value, ['flows', index], context))
}

type Context = CheckedApp & Readonly<{ depths: ReadonlyMap<string, number> }>

const checkFlow = (flow: FlowDefinition, path: FaultPath, context: Context): readonly Fault[] => [
  ...findDoubles(keysOf(flow.steps), [...path, 'steps']),
  ...flow.steps.flatMap((step, index) => checkStep(step, [...path, 'steps', index], context)),
  ...checkModuleKey(flow, path),
  ...checkAction(flow.failureModule?.action, [...path, 'failureModule', 'action'], context),
  ...checkNesting(flow, path, context),
]

/** The failure module is a step of the run and a node of the graph, which are known by their keys. */
const checkModuleKey = ({ steps, failureModule }: FlowDefinition, path: FaultPath) =>
  steps.some(({ key }) => key === failureModule?.key)
    ? [
        {
          path: [...path, 'failureModule', 'key'],
          message: `the key "${failureModule?.key}" is that of a step: choose another`,
        },
      ]
    : []

type Check = (step: FlowStep, app: CheckedApp) => readonly Fault[]

const FIELDS: ReadonlySet<string> = new Set(
  listKinds().flatMap(({ fields }) => Object.keys(fields)),
)

/** Checks by field. Kinds that share a field share its check. A field is also checked where it does not belong to the kind. */
const CHECKS: ReadonlyMap<string, Check> = new Map(
  listKinds().flatMap(({ checks }) => Object.entries<Check>(checks ?? {})),
)

const checkStep = (step: FlowStep, path: FaultPath, app: CheckedApp): readonly Fault[] => {
  const { name, fields, check } = kindOf(step)
  const present = new Set(
    Object.entries(step).flatMap(([field, value]) => (value === undefined ? [] : [field])),
  )
  const missing = Object.entries(fields)
    .filter(([field, schema]) => !present.has(field) && !schema.safeParse(undefined).success)
    .map(([field]) => field)
  const foreign = [...FIELDS].filter((field) => present.has(field) && !(field in fields))
  return [
    ...missing.map((field) => ({ path, message: `a step of kind ${name} needs \`${field}\`` })),
    ...foreign.map((field) => ({
      path: [...path, field],
      message: `a step of kind ${name} takes no \`${field}\``,
    })),
    ...[...[...CHECKS.values()].map((each) => each(step, app)), check?.(step) ?? []]
      .flat()
      .map((fault) => ({ ...fault, path: [...path, ...fault.path] })),
    ...checkAction(step.undo?.action, [...path, 'undo', 'action'], app),
    ...checkCondition(step, 'skipIf', path),
    ...checkCondition(step, 'stopAfterIf', path),
  ]
}

/** Only an arm of a branch may have an empty condition: it is the default arm. */
const checkCondition = (
  step: FlowStep,
  field: 'skipIf' | 'stopAfterIf',
  path: FaultPath,
): readonly Fault[] =>
  step[field]?.trim() === ''
    ? [{ path: [...path, field], message: 'must be a condition: leave it out, or say when' }]
    : []

/** Returns the levels of subflows below each flow; Infinity for one that leads into a circle. */
const nestingDepths = (flows: ReadonlyMap<string, FlowDefinition>): ReadonlyMap<string, number> => {
  const depths = new Map<string, number>()
  const visit = (flow: FlowDefinition): number => {
    const known = depths.get(flow.key)
    if (known !== undefined) return known
    // a visit that comes back here before the depth is known has gone in a circle
    depths.set(flow.key, Number.POSITIVE_INFINITY)
    const below = flow.steps.flatMap(flowsOf).flatMap((key) => {
      const target = flows.get(key)
      return target === undefined ? [] : [visit(target) + 1]
    })
    const depth = Math.max(0, ...below)
    depths.set(flow.key, depth)
    return depth
  }
  for (const flow of flows.values()) visit(flow)
  return depths
}

const checkNesting = (
  flow: FlowDefinition,
  path: FaultPath,
  { depths }: Context,
): readonly Fault[] =>
  (depths.get(flow.key) ?? 0) <= MAX_SUBFLOW_DEPTH
    ? []
    : [
        {
          path,
          message: `the subflows of "${flow.key}" go in a circle, or deeper than ${MAX_SUBFLOW_DEPTH} levels`,
        },
      ]
