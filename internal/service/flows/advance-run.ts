/**
 * Advances a run by events: reads the run, plays the events on it, and writes all consequences as one batch. The loser of a
 * race reads again.
 */
import type { Statement } from '#store/database.ts'
import { holds } from '#store/row.ts'
import { allOf } from '#store/sql.ts'
import type { FlowDeps } from './engine.ts'
import { finishPlan } from './finish-plan.ts'
import { loadRun } from './load-run.ts'
import { planStatements } from './plan-statements.ts'
import { openPlan, type PlannedRun, runIn } from './planned-run.ts'
import { isPlanningFault, planningFailed } from './planning-fault.ts'
import { playEvent } from './play.ts'
import type { Advanced, AdvanceRequest } from './run-requests.ts'
import { MAX_TRIES, pauseAfter, tooManyTries } from './until-written.ts'
import { writePlan } from './write-plan.ts'

/** Advances a run, together with the other events of the run that arrive in this process meanwhile. */
export const advanceRun = (deps: FlowDeps, request: AdvanceRequest): Promise<Advanced> =>
  deps.flows.queue.add(request, (requests) => advanceTogether(deps, requests))

/** Handles events of one run. If an event moves the run on, the events behind it wait for the next round. */
const advanceTogether = async (
  deps: FlowDeps,
  requests: readonly AdvanceRequest[],
): Promise<readonly Advanced[]> => {
  const answers = new Map<AdvanceRequest, Advanced>()
  for (let losses = 0; losses < MAX_TRIES; ) {
    const left = requests.filter((request) => !answers.has(request))
    if (left.length === 0) return requests.map((request) => answers.get(request) ?? 'untrue')
    const { meant, taken } = await tryOnce(deps, left)
    for (const request of left) if (!meant.includes(request)) answers.set(request, 'over')
    for (const request of taken) answers.set(request, 'advanced')
    if (taken.length > 0) losses = 0
    else if (meant.length > 0) {
      for (const request of await untrueOf(deps, meant)) answers.set(request, 'untrue')
      await pauseAfter(losses)
      losses += 1
    }
  }
  throw tooManyTries(requests[0]?.id ?? '')
}

type Tried = Readonly<{
  /** Requests for the step that the run is at. */
  meant: readonly AdvanceRequest[]
  taken: readonly AdvanceRequest[]
}>

const tryOnce = async (deps: FlowDeps, left: readonly AdvanceRequest[]): Promise<Tried> => {
  try {
    return await tryFrom(deps, left, findCached(deps, left) ?? (await loadFor(deps, left)))
  } catch (thrown) {
    const [only, ...others] = left
    // several go again one by one (run-queue.ts), so that only the faulty request fails
    if (only === undefined || others.length > 0 || !isPlanningFault(thrown)) throw thrown
    const { ws, id } = only
    const failing = { ...only, event: planningFailed(thrown) }
    const tried = await tryFrom(deps, [failing], await loadRun(deps, { ws, id, bare: true }))
    return { meant: tried.meant.map(() => only), taken: tried.taken.map(() => only) }
  }
}

const tryFrom = async (
  deps: FlowDeps,
  left: readonly AdvanceRequest[],
  run: PlannedRun | null,
): Promise<Tried> => {
  const meant = left.filter(({ index }) => run?.state.index === index)
  if (run === null || meant.length === 0) return { meant: [], taken: [] }
  return { meant, taken: await tryTogether(deps, run, oneOfEachSlot(meant)) }
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
const findCached = (
  { flows: { runCache } }: FlowDeps,
  requests: readonly AdvanceRequest[],
): PlannedRun | null => {
  const [first] = requests
  const cached = first === undefined ? null : runCache.find(first.ws, first.id)
  if (cached === null || requests.some(({ index }) => index !== cached.state.index)) return null
  const inputs = new Map(childrenOf(requests).map(({ slot, input }) => [slot, input]))
  return { ...cached, stored: { ...cached.stored, inputs } }
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
