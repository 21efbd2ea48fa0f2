/**
 * Takes a run from one transition to the next: reads it, asks the engine, writes everything that follows as one batch.
 * Whoever comes second in a race reads again; a write whose answer was lost is recognized by its transition.
 */
import type { FlowEvent } from '#core/flow/run.ts'
import { asTextOrNull } from '#store/column.ts'
import { type Statement, type StatementResult, sql } from '#store/database.ts'
import { isTransition } from '#store/flow-runs.ts'
import type { Deps } from '../deps.ts'
import { runHandlerJobs } from '../handle-failures.ts'
import { type FlowDeps, type LoadRequest, loadRun } from './load-run.ts'
import { planEvent, planStart } from './plan-decisions.ts'
import { planStatements } from './plan-statements.ts'
import { guardOf, openPlan, type Plan, type PlannedRun } from './planned-run.ts'

export type Transition = Readonly<{
  /** Null: the run stays where it is; only what stands alongside is written. */
  event: FlowEvent | null
  /** What must hold in the database for the event to be true. */
  condition: Statement
  /** What goes with the transition, and only with it. */
  alongside?: (guard: Statement) => readonly Statement[]
}>

export type AdvanceRequest = LoadRequest &
  Transition &
  Readonly<{
    /** Of the step that the event is for; a run that has gone on does not take it. */
    index: number
  }>

/**
 * `over`: there is no such run, it has ended, or has gone on to another step; `untrue`: the condition does not hold.
 * Then nothing was written.
 */
export type Advanced = 'advanced' | 'over' | 'untrue'

/** Transitions of one run in a row; beyond it something is wrong. */
export const MAX_TRIES = 100

export const advanceRun = async (deps: FlowDeps, request: AdvanceRequest): Promise<Advanced> => {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const run = await loadRun(deps, request)
    if (run === null || run.index !== request.index) return 'over'
    if (await tryTransition(deps, run, request)) return 'advanced'
    if (!(await holds(deps, request.condition))) return 'untrue'
    await pauseAfter(attempt)
  }
  throw tooManyTries(request.id)
}

export const tooManyTries = (id: string): Error =>
  new Error(`The flow run ${id} is being changed all the time.`)

/** @returns false: somebody was first, or the condition does not hold; nothing was written */
export const tryTransition = async (
  deps: FlowDeps,
  run: PlannedRun,
  { event, condition, alongside }: Transition,
): Promise<boolean> => {
  const plan = openPlan(deps, run)
  if (event !== null) planEvent(deps, plan, run, event)
  await finishPlan(deps, plan)
  return writePlan(deps, plan, planStatements(plan, condition, alongside))
}

/** What follows from what was planned, until nothing does. */
export const finishPlan = async (deps: FlowDeps, plan: Plan): Promise<void> => {
  for (let todo = plan.todo.shift(); todo !== undefined; todo = plan.todo.shift()) {
    if (todo.kind === 'start') {
      planStart(deps, plan, todo.run)
      continue
    }
    const run = plan.runs.get(todo.runId) ?? (await loadParent(deps, plan, todo))
    if (run !== null) planEvent(deps, plan, run, todo.event)
  }
  await handleFailures(deps, plan)
}

/** The workspace's error handler hears of a run that fails, not of the runs below it. */
const handleFailures = async (deps: FlowDeps, plan: Plan): Promise<void> => {
  for (const { id, ws, app, definition, parent, status, error } of plan.runs.values()) {
    if (status !== 'failed' || parent !== null || error === null) continue
    const run = { id, ws, app, flow: definition.key }
    plan.statements.push(...(await runHandlerJobs(deps, { run, error }, guardOf(plan))))
  }
}

const loadParent = async (
  deps: FlowDeps,
  plan: Plan,
  { ws, runId }: Readonly<{ ws: string; runId: string }>,
): Promise<PlannedRun | null> => {
  const run = await loadRun(deps, { ws, id: runId })
  if (run !== null) plan.runs.set(run.id, run)
  return run
}

/**
 * @param mainAt where the main run's row stands among the statements
 * @returns whether it was written, by this try or by one whose answer was lost
 */
export const writePlan = async (
  deps: FlowDeps,
  plan: Plan,
  statements: readonly Statement[],
  mainAt = 0,
): Promise<boolean> => {
  deps.passFault('flow_before_commit')
  const results = await deps.db.write(statements, { retry: true })
  deps.passFault('flow_committed')
  const main = plan.runs.get(plan.mainId)
  const isWritten =
    (results[mainAt]?.changes ?? 0) === 1 ||
    (main !== undefined && (await holds(deps, isTransition(main.ws, main.id, plan.transition))))
  if (isWritten) giveHints(deps, plan, results)
  return isWritten
}

const holds = async ({ db }: Pick<Deps, 'db'>, condition: Statement): Promise<boolean> =>
  (await db.one(sql(`SELECT ${condition.sql} AS holds`, ...condition.args)))?.holds === 1

/** Jobs that were inserted tell their tag; those that were canceled, or marked so, their ids. */
const giveHints = (
  { hints }: Pick<Deps, 'hints'>,
  plan: Plan,
  results: readonly StatementResult[],
): void => {
  const rows = results.flatMap((result) => result.rows)
  const texts = (column: string): ReadonlySet<string> =>
    new Set(rows.flatMap((row) => asTextOrNull(row[column] ?? null) ?? []))
  for (const tag of texts('tag')) hints.jobQueued.emit(tag)
  for (const id of texts('marked_id')) hints.cancelRequested.emit(id)
  for (const id of texts('ended_id')) hints.jobChanged.emit(id)
  for (const id of plan.runs.keys()) hints.flowChanged.emit(id)
}

/** Random, so that siblings which end together do not meet again. */
export const pauseAfter = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(attempt * 2, 20)))
