/** The steps that a run has had or may still reach, and what its definition states about each. */
import type { FlowDefinition } from '#core/flow/definition.ts'
import { asksPeople, type FlowStep, flowsOf, kindOf } from '#core/flow/kinds.ts'
import { failureModuleIndex, findStep, kindAt, type PlaceKind } from '#core/flow/position.ts'
import { retryPolicyOf } from '#core/flow/retry-policy.ts'
import type { Database } from '#store/database.ts'
import { type FlowStepRow, listFlowSteps } from '#store/flows/steps.ts'
import { readInPortions } from '../portions/read-portions.ts'
import type { PinnedApp } from './pinned-flows.ts'

export type RunStep = Readonly<{
  index: number
  key: string
  kind: PlaceKind
  maxAttempts: number
  asksPeople: boolean
  startsRuns: boolean
}>

/** Steps of one statement. The result of each may have megabytes. */
const STEPS_AT_ONCE = 4

/** Reads the steps of a run that have begun, in order, with turns for other work. */
export const readFlowSteps = (db: Database, runId: string): Promise<readonly FlowStepRow[]> =>
  readInPortions<FlowStepRow>(db, STEPS_AT_ONCE, (last, limit) =>
    listFlowSteps(db, runId, { after: last?.index ?? -1, limit }),
  )

type Actions = PinnedApp['actions']

/** Returns the attempts that a step may have; for several arms, the most that one of them may have. */
const maxAttemptsOf = (step: FlowStep, actions: Actions): number => {
  const targets = kindOf(step).targets(step)
  const keys = targets.flatMap(({ kind, key }) => (kind === 'action' ? [key] : []))
  // a subflow is not retried
  if (keys.length === 0) return 1
  const policies = [null, ...keys.map((key) => actions.get(key)?.retry ?? null)]
  return Math.max(...policies.map((own) => retryPolicyOf(step, own)?.maxAttempts ?? 1))
}

const toRunStep = (step: FlowStep, index: number, actions: Actions): RunStep => ({
  index,
  key: step.key,
  kind: step.kind,
  maxAttempts: maxAttemptsOf(step, actions),
  asksPeople: asksPeople(step),
  startsRuns: flowsOf(step).length > 0,
})

/** Returns all steps of the definition in order, and those undo actions and the failure module that ran. */
export const runSteps = (
  definition: FlowDefinition,
  actions: Actions,
  rows: readonly Pick<FlowStepRow, 'index'>[],
): readonly RunStep[] => {
  const all = definition.steps.map((step, index) => toRunStep(step, index, actions))
  const last = failureModuleIndex(definition)
  const ran = rows.flatMap(({ index }) => {
    const step = index < last ? null : findStep(definition, index)
    return step === null
      ? []
      : [{ ...toRunStep(step, index, actions), kind: kindAt(definition, index) }]
  })
  const undone = ran.filter(({ kind }) => kind === 'undo')
  return [...all, ...undone, ...ran.filter(({ kind }) => kind !== 'undo')]
}
