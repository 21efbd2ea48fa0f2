/**
 * Decides which children of a step may begin: those whose inputs fit, as far as the workspace's queue
 * has room [flows 3.7, 12.3].
 */
import type { ActionDefinition } from '#core/action/definition.ts'
import { type QuickCheck, quickCheck } from '#core/action/input-schema.ts'
import { checkedAction, inputFault } from '#core/flow/input-fault.ts'
import type { FlowEvent, Slot, SlotFault } from '#core/flow/run.ts'
import type { Admission } from '#core/flow/run-state.ts'
import type { JobError } from '#core/job/job-error.ts'
import type { Deps } from '../deps.ts'
import { findInputFaults } from '../find-input-faults.ts'
import { type Plan, type PlannedRun, runIn } from './planned-run.ts'

/** The cost of checking the input of one child, in the characters that `Pace` counts. */
const CHECK_COST = 16_384

/**
 * Runs of one plan. Beyond them, further subflows wait as they do for room in the queue, because loops of loops of subflows may
 * start millions.
 */
const MOST_RUNS = 200

/** Answers the run's admission, and takes places in the queue for the children. */
export const admit = async (
  deps: Pick<Deps, 'gate' | 'manifests'>,
  plan: Plan,
  run: PlannedRun,
): Promise<FlowEvent> => {
  const { admission } = run.state
  if (admission === null) throw new Error(`The run ${run.id} asks for no children.`)
  const { slots, start, needsRoom, goesOn = false } = admission
  const refused = await findFaults(deps, { plan, run }, { slots, goesOn })
  const [fault = null] = goesOn ? [] : refused
  if (fault !== null) return { kind: 'admitted', count: 0, fault }
  // only some of the waiting slots were read; a run that gets to another one reads again
  if (slots.length === 0 && !isRead(run)) return { kind: 'admitted', count: 0, fault: null }
  const fitting = slots.length === 0 ? start : Math.min(start, slots.length - refused.length)
  const wanted = Math.min(
    fitting,
    startsRuns(admission) ? Math.max(MOST_RUNS - plan.runs.size, 0) : fitting,
  )
  const count = needsRoom && wanted > 0 ? await deps.gate.take(run.ws, wanted) : wanted
  return { kind: 'admitted', count, fault: null, refused }
}

/** A slot that waited is a subflow if it needs no room. */
const startsRuns = ({ slots, needsRoom }: Admission): boolean =>
  slots.length === 0 ? !needsRoom : slots.some(({ target }) => target.kind === 'flow')

const isRead = ({ state: { step }, stored }: PlannedRun): boolean =>
  stored.next.some(({ slot }) => slot === step?.waiting[0])

type Checked = Readonly<{
  slots: readonly Slot[]
  /** Whether to find all faults, not only the first. */
  goesOn: boolean
}>

/** Checks by action. A deployment's actions never change. */
const checks = new WeakMap<ActionDefinition, QuickCheck | null>()

const checkOf = (action: ActionDefinition): QuickCheck | null => {
  const known = checks.get(action)
  if (known !== undefined) return known
  const check = quickCheck(action.inputSchema)
  checks.set(action, check)
  return check
}

type Checking = Readonly<{ plan: Plan; run: PlannedRun }>

const slotFault = async (
  deps: Pick<Deps, 'manifests'>,
  { plan, run: { ws, app, pinned } }: Checking,
  slot: Slot,
): Promise<JobError | null> => {
  const running = { ws, app, actions: pinned.actions, flows: pinned.flows }
  const action = checkedAction(running, slot)
  if (action === null) return inputFault(running, slot)
  // the end of a job that has run cannot be refused; otherwise the job would run again
  const mustWait = runIn(plan, plan.mainId).version !== null
  const faults = await findInputFaults(deps, checkOf(action), { ws, input: slot.input, mustWait })
  return inputFault(running, slot, faults)
}

const findFaults = async (
  deps: Pick<Deps, 'manifests'>,
  checking: Checking,
  { slots, goesOn }: Checked,
): Promise<readonly SlotFault[]> => {
  const faults: SlotFault[] = []
  for (const [slot, what] of slots.entries()) {
    const error = what.fault ?? (await slotFault(deps, checking, what))
    if (error !== null) faults.push({ slot, error })
    if (error !== null && !goesOn) break
    await checking.plan.pace(CHECK_COST)
  }
  return faults
}
