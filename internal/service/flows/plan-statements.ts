/** Turns a plan into statements: the rows of its runs, then the planned statements. */
import type { JobError } from '#core/job/job-error.ts'
import { labelsOf } from '#core/job/labels.ts'
import type { Statement } from '#store/database.ts'
import { insertRunLabels } from '#store/flows/run-labels.ts'
import {
  insertFlowRun,
  isUntouched,
  type NewFlowRun,
  type NextFlowRun,
  updateFlowRun,
} from '#store/flows/runs.ts'
import { allOf } from '#store/sql.ts'
import { inheritTrace } from '#store/traces.ts'
import { runPlace } from './cipher.ts'
import { endingJson } from './ending-json.ts'
import { guardOf, type Plan, type PlannedRun } from './planned-run.ts'

/** Returns a plan as one batch. The main run's row is first, because the other statements depend on it. */
export const planStatements = (
  plan: Plan,
  /** A further condition, such as that the child's attempt still has the claim, or that the app is deployed. */
  condition: Statement,
  /** Statements of what caused the plan. The end of a child comes before its siblings are canceled. */
  alongside: (guard: Statement) => readonly Statement[] = () => [],
): readonly Statement[] => {
  const guard = guardOf(plan)
  const runs = [...plan.runs.values()]
  const main = runs.filter(({ id }) => id === plan.mainId)
  const others = runs.filter(({ id }) => id !== plan.mainId)
  const untouched = others.flatMap(({ ws, id, version }) =>
    version === null ? [] : [isUntouched({ ws, id, version })],
  )
  return [
    ...main.map((run) => runRow(plan, run, allOf(condition, ...untouched))),
    ...alongside(guard),
    ...others.map((run) => runRow(plan, run, guard)),
    ...others.flatMap(({ id, version, parent }) =>
      version === null && parent !== null ? [inheritTrace(id, parent.runId, guard)] : [],
    ),
    ...runs.flatMap((run) => labelRows(run, guard)),
    ...plan.statements,
  ]
}

const runRow = (plan: Plan, run: PlannedRun, guard: Statement): Statement => {
  const { cipher, id, state, wait, remindMs } = run
  const sealError = (field: string, error: JobError | null): string | null =>
    error === null ? null : cipher.seal(runPlace(id, field), { ...error })
  const shared = {
    ws: run.ws,
    id,
    status: state.status,
    stepIndex: state.index,
    result: run.sealedResult,
    resultBytes: state.bytes,
    slotBytes: state.step?.bytes ?? 0,
    awaitsRoom: state.awaitsRoom,
    error: sealError('error', state.end?.error ?? null),
    failure:
      state.ending === null ? null : cipher.seal(runPlace(id, 'failure'), endingJson(state.ending)),
    transition: plan.transition,
    wait: wait === 'kept' ? null : wait,
    remindMs: remindMs === 'kept' ? null : remindMs,
  }
  if (run.version !== null) {
    const keeps = { keepsWait: wait === 'kept', keepsReminder: remindMs === 'kept' }
    const next: NextFlowRun = { ...shared, ...keeps, version: run.version }
    return updateFlowRun(next, guard)
  }
  const { concurrency: limit } = run.origin
  const row: NewFlowRun = {
    ...shared,
    app: run.app,
    flow: state.definition.key,
    deploymentId: run.deploymentId,
    triggerKind: run.triggerKind,
    trigger: run.origin.trigger,
    input: cipher.seal(runPlace(id, 'input'), state.input),
    createdBy: run.createdBy,
    permissionedAs: run.permissionedAs,
    chainDepth: run.chainDepth,
    holdsAppsWrite: run.holdsAppsWrite,
    priority: run.priority,
    tag: run.tag,
    parentRunId: run.parent?.runId ?? null,
    parentIndex: run.parent?.index ?? null,
    parentSlot: run.parent?.slot ?? 0,
    depth: run.depth,
    restartedFrom: run.origin.restartedFrom,
    concurrencyKey: limit?.key ?? null,
    concurrencyLimit: limit?.limit ?? null,
    concurrencyState: limit === null ? null : wait === null ? 'waiting' : 'delayed',
  }
  return insertFlowRun(row, guard)
}

/** The labels of a new run [flows 16]. */
const labelRows = ({ version, ws, id, state }: PlannedRun, guard: Statement) => {
  const labels = version === null ? labelsOf(state.definition.labels ?? [], state.input) : []
  return labels.length === 0 ? [] : [insertRunLabels({ ws, id, labels }, guard)]
}
