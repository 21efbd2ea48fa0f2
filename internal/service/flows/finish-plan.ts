/** Plays what the events of a plan cause in other runs: starts of subflows, and ends of children for their parents. */
import { runHandlerJobs } from '../queue/handle-failures.ts'
import type { FlowDeps } from './engine.ts'
import { loadRun } from './load-run.ts'
import { guardOf, isWanted, type Pending, type Plan, runIn } from './planned-run.ts'
import { isPlanningFault, planningFailed } from './planning-fault.ts'
import { playEvent, playStart } from './play.ts'

/** Plays the consequences for other runs, until there are none left, except for runs that the plan has canceled meanwhile. */
export const finishPlan = async (deps: FlowDeps, plan: Plan): Promise<void> => {
  await follow(deps, plan)
  await handleFailures(deps, plan)
}

const follow = async (deps: FlowDeps, plan: Plan): Promise<void> => {
  for (let next = plan.pending.shift(); next !== undefined; next = plan.pending.shift()) {
    if (next.kind === 'start') {
      if (isWanted(plan, next.runId)) await playStart(deps, plan, next.runId)
      continue
    }
    await playOnParent(deps, plan, next)
  }
}

type ParentEvent = Extract<Pending, { kind: 'event' }>

/** Plays an event on a parent. If its transition cannot be planned, the parent fails and the end of its child is kept. */
const playOnParent = async (deps: FlowDeps, plan: Plan, next: ParentEvent): Promise<void> => {
  const { ws, runId: id, event } = next
  const planned = plan.statements.length
  const pending = plan.pending.length
  try {
    const isThere = plan.runs.has(id) || (await loadParent(deps, plan, next))
    if (isThere && isWanted(plan, id) && runIn(plan, id).state.index === next.index) {
      await playEvent(deps, plan, id, event)
    }
  } catch (thrown) {
    if (!isPlanningFault(thrown) || id === plan.mainId) throw thrown
    const bare = await loadRun(deps, { ws, id, bare: true })
    if (bare === null) throw thrown
    plan.statements.length = planned
    plan.pending.length = pending
    plan.runs.set(id, bare)
    await playEvent(deps, plan, id, planningFailed(thrown))
  }
}

/** Runs the workspace's error handler for a run that fails, but not for its subflows. */
const handleFailures = async (deps: FlowDeps, plan: Plan): Promise<void> => {
  for (const { id, ws, app, parent, state, chainDepth } of plan.runs.values()) {
    const error = state.end?.error ?? null
    if (state.status !== 'failed' || parent !== null || error === null) continue
    const run = { id, ws, app, flow: state.definition.key, chainDepth }
    plan.statements.push(...(await runHandlerJobs(deps, { run, error }, guardOf(plan))))
  }
}

const loadParent = async (
  deps: FlowDeps,
  plan: Plan,
  { ws, runId }: Readonly<{ ws: string; runId: string }>,
): Promise<boolean> => {
  const run = await loadRun(deps, { ws, id: runId })
  if (run !== null) plan.runs.set(run.id, run)
  return run !== null
}
