/**
 * Makes a transition of a run: reads the run, plays the events on it, and writes all consequences as one batch. The loser of a
 * race reads again. A write whose answer was lost is recognized by its transition.
 */
import { type FlowEvent, isRunOver } from '#core/flow/run.ts'
import { asTextOrNull } from '#store/column.ts'
import type { Statement, StatementResult } from '#store/database.ts'
import { isTransition } from '#store/flows/runs.ts'
import { holds } from '#store/row.ts'
import { allOf } from '#store/sql.ts'
import type { Deps } from '../deps.ts'
import { ANY_TAG } from '../hints.ts'
import { claimedAlong } from '../queue/enqueue.ts'
import { runHandlerJobs } from '../queue/handle-failures.ts'
import { recordRun } from '../record-spans.ts'
import { type FlowDeps, loadRun } from './load-run.ts'
import { planStatements } from './plan-statements.ts'
import {
  guardOf,
  isWanted,
  openPlan,
  type Pending,
  type Plan,
  type PlannedRun,
  runIn,
} from './planned-run.ts'
import { isPlanningFault, planningFailed } from './planning-fault.ts'
import { playEvent, playStart } from './play.ts'
import type { Advanced, AdvanceRequest, Transition } from './transition.ts'

/** How often a transition is tried. If that is not enough, something is wrong. */
export const MAX_TRIES = 100

/** Advances a run, together with the other events of the run that arrive in this process meanwhile. */
export const advanceRun = (deps: FlowDeps, request: AdvanceRequest): Promise<Advanced> =>
  deps.flows.queue.add(request, (requests) => advanceTogether(deps, requests))

/** Handles events of one run. If an event moves the run on, the events behind it wait for the next round. */
const advanceTogether = async (
  deps: FlowDeps,
  requests: readonly AdvanceRequest[],
): Promise<readonly Advanced[]> => {
  const answers = new Map<AdvanceRequest, Advanced>()
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const left = requests.filter((request) => !answers.has(request))
    const [first] = left
    if (first === undefined) return requests.map((request) => answers.get(request) ?? 'untrue')
    const { run, meant, taken } = await tryOnce(deps, left)
    for (const request of left) if (!meant.includes(request)) answers.set(request, 'over')
    if (run === null || meant.length === 0) continue
    for (const request of taken) answers.set(request, 'advanced')
    if (taken.length > 0) {
      attempt = -1
      continue
    }
    for (const request of await untrueOf(deps, meant)) answers.set(request, 'untrue')
    await pauseAfter(attempt)
  }
  throw tooManyTries(requests[0]?.id ?? '')
}

type Tried = Readonly<{
  run: PlannedRun | null
  /** Requests for the step that the run is at. */
  meant: readonly AdvanceRequest[]
  taken: readonly AdvanceRequest[]
}>

const tryOnce = async (deps: FlowDeps, left: readonly AdvanceRequest[]): Promise<Tried> => {
  try {
    return await tryFrom(deps, left, findKnown(deps, left) ?? (await loadFor(deps, left)))
  } catch (thrown) {
    const [only, ...others] = left
    // several go again one by one (run-queue.ts), so that only the faulty request fails
    if (only === undefined || others.length > 0 || !isPlanningFault(thrown)) throw thrown
    const { ws, id } = only
    const failing = { ...only, event: planningFailed(thrown) }
    const tried = await tryFrom(deps, [failing], await loadRun(deps, { ws, id, bare: true }))
    return {
      run: tried.run,
      meant: tried.meant.map(() => only),
      taken: tried.taken.map(() => only),
    }
  }
}

const tryFrom = async (
  deps: FlowDeps,
  left: readonly AdvanceRequest[],
  run: PlannedRun | null,
): Promise<Tried> => {
  const meant = left.filter(({ index }) => run?.state.index === index)
  if (run === null || meant.length === 0) return { run, meant, taken: [] }
  return { run, meant, taken: await tryTogether(deps, run, oneOfEachSlot(meant)) }
}

/**
 * Returns the first request for each child. Two ends of one child, such as two cancels, are both true until one of them is
 * written, so the second one waits until then.
 */
const oneOfEachSlot = (requests: readonly AdvanceRequest[]): readonly AdvanceRequest[] =>
  requests.filter(
    ({ child }, at) =>
      child === undefined || requests.findIndex((each) => each.child?.slot === child.slot) === at,
  )

const childrenOf = (requests: readonly AdvanceRequest[]) =>
  requests.flatMap(({ child }) => child ?? [])

/** Returns the run as this process last wrote it, if the caller needs no more than that. */
const findKnown = (
  { flows: { knownRuns } }: FlowDeps,
  requests: readonly AdvanceRequest[],
): PlannedRun | null => {
  const [first] = requests
  const known = first === undefined ? null : knownRuns.find(first.ws, first.id)
  if (known === null || requests.some(({ index }) => index !== known.state.index)) return null
  const inputs = new Map(childrenOf(requests).map(({ slot, input }) => [slot, input]))
  return { ...known, stored: { ...known.stored, inputs } }
}

const loadFor = async (
  deps: FlowDeps,
  requests: readonly AdvanceRequest[],
): Promise<PlannedRun | null> => {
  const [first] = requests
  if (first === undefined) return null
  return loadRun(deps, { ws: first.ws, id: first.id, children: childrenOf(requests) })
}

const untrueOf = async (
  deps: FlowDeps,
  requests: readonly AdvanceRequest[],
): Promise<readonly AdvanceRequest[]> => {
  const untrue: AdvanceRequest[] = []
  for (const request of requests) {
    if (!(await holds(deps.db, request.condition))) untrue.push(request)
  }
  return untrue
}

/** @returns the events that were written; none if another process was first or a condition does not hold */
const tryTogether = async (
  deps: FlowDeps,
  run: PlannedRun,
  requests: readonly AdvanceRequest[],
): Promise<readonly AdvanceRequest[]> => {
  const { index } = run.state
  const plan = openPlan(deps.newId(), run)
  const taken: AdvanceRequest[] = []
  for (const request of requests) {
    const { state } = runIn(plan, run.id)
    if (taken.length > 0 && (state.index !== index || state.step === null)) break
    await playEvent(deps, plan, run.id, request.event)
    taken.push(request)
  }
  await finishPlan(deps, plan)
  const condition = allOf(...taken.map((request) => request.condition))
  const alongside = (guard: Statement) =>
    taken.flatMap((request) => request.alongside?.(guard) ?? [])
  const statements = planStatements(plan, condition, alongside)
  const onQueued = (): void => {
    for (const request of taken) request.onQueued?.()
  }
  return (await writePlan(deps, plan, statements, { onQueued })) ? taken : []
}

/** Builds the error of a transition that lost every attempt against another one. */
export const tooManyTries = (id: string): Error =>
  new Error(`The flow run ${id} is being changed all the time.`)

/** @returns false if another process was first or the condition does not hold; nothing is written then */
export const tryTransition = async (
  deps: FlowDeps,
  run: PlannedRun,
  { events, condition, alongside }: Transition,
): Promise<boolean> => {
  const plan = await planOrFail(deps, run, events)
  return writePlan(deps, plan, planStatements(plan, condition, alongside))
}

/** Plans the events. If that fails, plans the failure of the run instead. */
const planOrFail = async (
  deps: FlowDeps,
  run: PlannedRun,
  events: readonly FlowEvent[],
): Promise<Plan> => {
  const planAll = async (from: PlannedRun, all: readonly FlowEvent[]): Promise<Plan> => {
    const plan = openPlan(deps.newId(), from)
    for (const event of all) await playEvent(deps, plan, from.id, event)
    await finishPlan(deps, plan)
    return plan
  }
  try {
    return await planAll(run, events)
  } catch (thrown) {
    if (!isPlanningFault(thrown)) throw thrown
    const { ws, id, version } = run
    const bare = await loadRun(deps, { ws, id, bare: true })
    // a run that does not exist yet is the caller's error; a run that has advanced meanwhile is read again
    if (bare === null || bare.version !== version) throw thrown
    return planAll(bare, [planningFailed(thrown)])
  }
}

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

type PlanWrite = Readonly<{
  /** The index of the main run's row among the statements. @default 0 */
  mainAt?: number
  /** Called each time the write is handed to the database. */
  onQueued?: () => void
}>

/** @returns whether it was written, by this attempt or by one whose answer was lost */
export const writePlan = async (
  deps: FlowDeps,
  plan: Plan,
  statements: readonly Statement[],
  { mainAt = 0, onQueued }: PlanWrite = {},
): Promise<boolean> => {
  deps.passFault('flow_before_commit')
  const along = claimedAlong(deps, plan.dueJobs.length > 0 ? ANY_TAG : null, onQueued)
  const results = await deps.db.write(statements, { retry: true, ...along })
  deps.passFault('flow_committed')
  const main = plan.runs.get(plan.mainId)
  const isWritten =
    (results[mainAt]?.changes ?? 0) === 1 ||
    (main !== undefined && (await holds(deps.db, isTransition(main.ws, main.id, plan.transition))))
  remember(deps, plan, isWritten ? statements : null)
  if (isWritten) giveHints(deps, plan, results)
  return isWritten
}

/** @param statements that were written; null if none were, because the cached run was outdated */
const remember = (
  { flows: { knownRuns } }: FlowDeps,
  plan: Plan,
  statements: readonly Statement[] | null,
): void => {
  const weight = (statements ?? [])
    .flatMap(({ args }) => args)
    .reduce<number>((sum, arg) => sum + (typeof arg === 'string' ? arg.length : 0), 0)
  for (const run of plan.runs.values()) {
    if (statements === null || isRunOver(run.state.status)) knownRuns.forget(run)
    else knownRuns.keep({ ...run, version: (run.version ?? 0) + 1 }, weight)
  }
}

/** Sends hints: the tags of inserted jobs, and the ids of jobs that were canceled or marked to be. */
const giveHints = (
  { hints, db, spans }: Pick<Deps, 'hints' | 'db' | 'spans'>,
  plan: Plan,
  results: readonly StatementResult[],
): void => {
  const rows = results.flatMap((result) => result.rows)
  const texts = (column: string): ReadonlySet<string> =>
    new Set(rows.flatMap((row) => asTextOrNull(row[column] ?? null) ?? []))
  for (const tag of texts('tag')) {
    if (plan.dueJobs.length > 0) hints.jobQueued.forward(tag)
    else hints.jobQueued.emit(tag)
  }
  for (const id of texts('marked_id')) hints.cancelRequested.emit(id)
  for (const id of texts('ended_id')) hints.jobChanged.emit(id)
  for (const id of texts('due_run_id')) hints.waitDue.emit(id)
  for (const id of plan.runs.keys()) hints.flowChanged.emit(id)
  if (!spans.isOn) return
  for (const { ws, id, state } of plan.runs.values()) {
    if (isRunOver(state.status)) void recordRun({ db, spans }, { ws, id })
  }
}

/** Waits for a random time, so that siblings that end together do not collide again. */
export const pauseAfter = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(attempt * 2, 20)))
