/** The graph of a flow: nodes and arrows, with the status of each step if there is a run. */
import type { FlowDefinition } from './definition.ts'
import { type FlowStep, kindOf, type StepKindName } from './kinds.ts'
import type { StepStatus } from './run.ts'

export type GraphNode = Readonly<{
  id: string
  kind: StepKindName | 'start' | 'end' | 'arm' | 'undo' | 'failure_module'
  label: string
  /** The action or flow that the node runs. */
  target: string | null
  /** Absent without a run. */
  status?: StepStatus
}>

export type GraphEdge = Readonly<{
  from: string
  to: string
  label: string | null
  /** Taken only when a step fails. */
  isFailure: boolean
}>

export type FlowGraph = Readonly<{ nodes: readonly GraphNode[]; edges: readonly GraphEdge[] }>

const START = 'start'
const END = 'end'
const stepId = (key: string): string => `step:${key}`

const edge = (from: string, to: string, label: string | null = null): GraphEdge => ({
  from,
  to,
  label,
  isFailure: false,
})

const armsOf = (step: FlowStep) => {
  const { key, branches = [] } = step
  const otherwise = kindOf(step).arms?.otherwise ?? null
  return branches.map((arm) => {
    const hasCondition = arm.condition !== undefined && arm.condition.trim() !== ''
    return {
      node: {
        id: `arm:${key}:${arm.key}`,
        kind: 'arm',
        label: arm.key,
        target: arm.action ?? arm.subflow ?? null,
      } as const,
      label: hasCondition ? (arm.condition ?? null) : otherwise,
    }
  })
}

/** Arms are separate nodes, so a branch has no target. */
const targetOf = (step: FlowStep): string | null => {
  const { arms, targets } = kindOf(step)
  return arms === undefined ? (targets(step)[0]?.key ?? null) : null
}

/** Statuses by key of the step. */
export type RunStatuses = Readonly<{
  /** The statuses of steps and of the failure module. */
  steps: ReadonlyMap<string, StepStatus>
  /** The statuses of undo actions that have begun. */
  undo: ReadonlyMap<string, StepStatus>
}>

/** Returns the nodes of undo actions. */
const undosOf = (
  { steps }: FlowDefinition,
  statuses: RunStatuses | undefined,
): readonly GraphNode[] =>
  steps.flatMap(({ key, undo }) =>
    undo === undefined
      ? []
      : [
          {
            id: `undo:${key}`,
            kind: 'undo',
            label: key,
            target: undo.action,
            ...(statuses === undefined ? {} : { status: statuses.undo.get(key) ?? 'pending' }),
          },
        ],
  )

/** @param statuses of a run's steps; absent to show the flow without a run */
export const flowGraph = (definition: FlowDefinition, statuses?: RunStatuses): FlowGraph => {
  const { steps, failureModule } = definition
  const statusOf = (key: string): Pick<GraphNode, 'status'> =>
    statuses === undefined ? {} : { status: statuses.steps.get(key) ?? 'pending' }
  const nodes: GraphNode[] = [{ id: START, kind: 'start', label: 'start', target: null }]
  const edges: GraphEdge[] = []
  let ends: readonly string[] = [START]
  for (const step of steps) {
    const id = stepId(step.key)
    const target = targetOf(step)
    nodes.push({ id, kind: step.kind, label: step.key, target, ...statusOf(step.key) })
    const skips = step.skipIf === undefined ? null : `skip if ${step.skipIf}`
    for (const from of ends) edges.push(edge(from, id, skips))
    const arms = armsOf(step)
    for (const { node, label } of arms) {
      nodes.push(node)
      edges.push(edge(id, node.id, label))
    }
    ends = arms.length === 0 ? [id] : arms.map(({ node }) => node.id)
    if (step.stopAfterIf !== undefined) {
      edges.push(edge(ends[0] ?? id, END, `stop if ${step.stopAfterIf}`))
    }
  }
  nodes.push({ id: END, kind: 'end', label: 'end', target: null })
  for (const from of ends) edges.push(edge(from, END))
  const undos = undosOf(definition, statuses)
  nodes.push(...undos)
  for (const { id, label } of undos) {
    edges.push({ from: stepId(label), to: id, label: 'undo', isFailure: true })
  }
  if (failureModule === undefined) return { nodes, edges }
  const { key, action } = failureModule
  const id = stepId(key)
  nodes.push({ id, kind: 'failure_module', label: key, target: action, ...statusOf(key) })
  const failures = steps.map(({ key: from }) => ({
    from: stepId(from),
    to: id,
    label: null,
    isFailure: true,
  }))
  return { nodes, edges: [...edges, ...failures] }
}
