/** Starts the children of steps: jobs that are pinned to the run's deployment, and runs of other flows. */
import { childContext } from '#core/flow/child-context.ts'
import type { Slot } from '#core/flow/run.ts'
import { jobTriggerOf } from '#core/job/trigger-kind.ts'
import type { Statement } from '#store/database.ts'
import { bindRunsToRetry } from '#store/flows/cancels.ts'
import type { Deps } from '../deps.ts'
import { enqueueStatements, type JobRequest, type QueuedJob } from '../queue/enqueue.ts'
import { slotPlace } from './cipher.ts'
import {
  beginsAtOnce,
  guardOf,
  notBegun,
  type Plan,
  type PlannedRun,
  underLimit,
} from './planned-run.ts'

export type ChildDeps = Pick<Deps, 'db' | 'newId' | 'limits' | 'gate' | 'manifests'>

export type ChildStart = Readonly<{
  index: number
  slot: number
  attempt: number
  delayMs: number
  what: Slot
  /** Whether the attempt before has failed. @default false */
  isRetry?: boolean
}>

/** Returns the statements of a job. A run of a subflow joins the plan and starts after this transition. */
export const startChild = async (
  deps: ChildDeps,
  plan: Plan,
  run: PlannedRun,
  start: ChildStart,
): Promise<readonly Statement[]> => {
  const { target } = start.what
  if (target.kind === 'action') return startJob(deps, plan, run, start)
  const child = underLimit(subflowOf(deps.newId(), run, start))
  plan.runs.set(child.id, child)
  if (beginsAtOnce(child)) plan.pending.push({ kind: 'start', runId: child.id })
  return []
}

const subflowOf = (id: string, run: PlannedRun, { index, slot, what }: ChildStart): PlannedRun => {
  const definition = run.pinned.flows.get(what.target.key)
  if (definition === undefined) throw new Error(`The app has no flow ${what.target.key}.`)
  return {
    ...run,
    id,
    triggerKind: 'subflow',
    parent: { runId: run.id, index, slot },
    depth: run.depth + 1,
    isBoundToJob: false,
    origin: { trigger: null, restartedFrom: null, concurrency: null },
    ...notBegun(definition, what.input, run.pinned),
  }
}

const startJob = async (
  deps: ChildDeps,
  plan: Plan,
  run: PlannedRun,
  { index, slot, attempt, delayMs, what, isRetry = false }: ChildStart,
): Promise<readonly Statement[]> => {
  const { id: runId, cipher, deploymentId } = run
  const action = what.target.key
  const definition = run.pinned.actions.get(action)
  if (definition === undefined) throw new Error(`The app has no action ${action}.`)
  const place = { runId, index, slot }
  const request: JobRequest = {
    ws: run.ws,
    app: run.app,
    action,
    input: what.input,
    inputJson: cipher.seal(slotPlace(place, 'input'), what.input),
    triggerKind: jobTriggerOf(run.triggerKind),
    createdBy: run.createdBy,
    permissionedAs: run.permissionedAs,
    chainDepth: run.chainDepth,
    holdsAppsWrite: run.holdsAppsWrite,
    priority: run.priority,
    ...(run.tag === null ? {} : { tag: run.tag }),
  }
  const { step, resumeValue, approvalIndex } = childContext(run.state, index)
  const context = cipher.seal(slotPlace(place, 'context'), {
    run_id: runId,
    flow: run.state.definition.key,
    step,
    resume_value: resumeValue,
    approval_index: approvalIndex,
  })
  const job: QueuedJob = {
    jobId: deps.newId(),
    request,
    action: { deploymentId, definition, checkInput: null },
    flow: { runId, step, index, slot, attempt, delayMs, context },
  }
  const guard = guardOf(plan)
  const statements = [
    ...enqueueStatements(deps, job, guard),
    ...(isRetry
      ? [bindRunsToRetry({ ws: run.ws, ...place, attempt, jobId: job.jobId }, guard)]
      : []),
  ]
  if (delayMs === 0) plan.dueJobs.push(job.jobId)
  await plan.pace(request.inputJson.length)
  return statements
}
