/** Plays events on the runs of a plan: passes them to the machine and turns its effects into statements. */
import { start, step } from '#core/flow/machine.ts'
import type { FlowEvent, RunStatus } from '#core/flow/run.ts'
import type { Transition } from '#core/flow/run-state.ts'
import { mayBecome, type RunEvent } from '#core/flow/transitions.ts'
import { takeTurn } from '../portions/take-turn.ts'
import { admit } from './admit-children.ts'
import { toStatements } from './effects-to-statements.ts'
import { changeRun, type Plan, runIn } from './planned-run.ts'
import type { ChildDeps } from './start-child.ts'

/**
 * Advances a run by an event. If its parent run has canceled it, the cancel is played first. Nothing is written.
 * @throws {Error} the state table does not allow the transition
 */
export const playEvent = async (
  deps: ChildDeps,
  plan: Plan,
  id: string,
  event: FlowEvent,
): Promise<void> => {
  const { cancelReason, state: before } = runIn(plan, id)
  if (cancelReason !== null) {
    changeRun(plan, id, { cancelReason: null })
    await playOne(deps, plan, id, { kind: 'canceled', reason: cancelReason })
    const { end, index } = runIn(plan, id).state
    // the event was for the step that the cancel has ended
    if (end !== null || index !== before.index) return
  }
  await playOne(deps, plan, id, event)
}

const playOne = async (
  deps: ChildDeps,
  plan: Plan,
  id: string,
  event: FlowEvent,
): Promise<void> => {
  const before = runIn(plan, id).state
  await play(deps, plan, id, step(before, event))
  checkTransition(before.status, event.kind, runIn(plan, id).state.status)
}

/** Starts a run that the plan inserts, up to its first steps. */
export const playStart = async (deps: ChildDeps, plan: Plan, id: string): Promise<void> => {
  await play(deps, plan, id, start(runIn(plan, id).state))
  checkTransition('none', 'start', runIn(plan, id).state.status)
}

const checkTransition = (from: RunStatus | 'none', event: RunEvent, to: RunStatus): void => {
  if (mayBecome(from, event, to)) return
  throw new Error(`A flow run with the status ${from} may not become ${to} by ${event}.`)
}

const play = async (
  deps: ChildDeps,
  plan: Plan,
  id: string,
  { run: state, effects }: Transition,
): Promise<void> => {
  changeRun(plan, id, { state })
  for (const effect of effects) {
    plan.statements.push(...(await toStatements(deps, plan, id, effect)))
  }
  if (state.opening !== null) {
    await takeTurn()
    await play(deps, plan, id, step(state, { kind: 'continued' }))
    return
  }
  if (state.admission === null) return
  const admitted = await admit(deps, plan, runIn(plan, id))
  await play(deps, plan, id, step(state, admitted))
}
