/**
 * Runs a flow in memory: the engine decides, this carries it out. What the service writes in one batch
 * (internal/service/flows) is done here at once, since nothing is to survive the command.
 */
import { v7 } from 'uuid'
import { advance, outcomeBytes, startFlow } from '#core/flow/advance.ts'
import type { FlowDecision, FlowEvent, RunState } from '#core/flow/run.ts'
import {
  type ChildEnded,
  type FlowStart,
  type FlowWorld,
  faultOf,
  type LocalRunEnd,
  type Run,
  startChild,
  startSlot,
  stepKey,
} from './local-children.ts'

const enterStep = (run: Run, index: number, status: RunState['status']): void => {
  run.state = { ...run.state, index, status }
  run.slots = []
  run.started = 0
  run.ended = new Map()
  run.slotBytes = 0
  run.abort = new AbortController()
  run.log = ''
  run.openedAt = performance.now()
}

type Decision<Kind extends FlowDecision['kind']> = Extract<FlowDecision, { kind: Kind }>

const openStep = (run: Run, { index, slots, start: count }: Decision<'open_step'>): void => {
  enterStep(run, index, 'running')
  run.slots = slots
  // what no action takes fails the step before anything of it is started
  const wrong = slots.findIndex((slot) => faultOf(run, slot) !== null)
  run.started = wrong === -1 ? count : slots.length
  const begun = wrong === -1 ? slots.slice(0, count).keys() : [wrong]
  for (const slot of begun) startSlot(run, index, slot)
}

const endStep = (run: Run, decision: Decision<'end_step'>): void => {
  const { index, status, result, error, bytes = 0 } = decision
  const key = stepKey(run, index)
  const isOpen = run.state.index === index && run.openedAt > 0
  const ms = isOpen ? Math.round(performance.now() - run.openedAt) : 0
  const log = isOpen ? run.log : ''
  run.world.onStep({ path: `${run.above}${key}`, status, result, error, log, ms })
  run.openedAt = 0
  run.state = { ...run.state, status: 'running' }
  if (status !== 'success' && status !== 'skipped') return
  const results = new Map(run.state.results).set(key, result)
  run.state = { ...run.state, results, bytes: run.state.bytes + bytes }
}

const runFailureModule = (run: Run, decision: Decision<'run_failure_module'>): void => {
  const index = run.definition.steps.length
  enterStep(run, index, 'running')
  run.state = { ...run.state, failure: decision.failure }
  startChild(run, 0, { index, attempt: 1, delayMs: 0, what: decision.slot })
}

const carryOut = (run: Run, decision: FlowDecision): void => {
  switch (decision.kind) {
    case 'open_step':
      openStep(run, decision)
      break
    case 'wait_for_approval':
      enterStep(run, decision.index, 'waiting_approval')
      break
    case 'start_slot':
      run.started += 1
      startSlot(run, decision.index, decision.slot)
      break
    case 'retry_slot':
      startSlot(run, decision.index, decision.slot, decision)
      break
    case 'end_step':
      endStep(run, decision)
      break
    case 'cancel_children':
      run.abort.abort()
      run.children.clear()
      break
    case 'run_failure_module':
      runFailureModule(run, decision)
      break
    case 'end_run': {
      const { status, result, error } = decision
      run.end = { status, result, error }
    }
  }
}

/** As the engine wants to see it: the child whose end is told still counts. */
const stateOf = ({ state, children, slots, started, ended, slotBytes }: Run): RunState => ({
  ...state,
  step:
    state.failure === null
      ? {
          status: state.status === 'waiting_approval' ? 'waiting_approval' : 'running',
          open: children.size,
          nextSlot: started < slots.length ? started : null,
          ended,
          bytes: slotBytes,
        }
      : null,
})

const nextEvent = async (run: Run): Promise<FlowEvent> => {
  const { definition, state, world } = run
  if (world.signal.aborted) return { kind: 'canceled', reason: 'Stopped by you.' }
  const step = definition.steps[state.index]
  if (state.status === 'waiting_approval' && step !== undefined) return world.approvals.answer(step)
  const ended = await Promise.race(run.children.values())
  return world.signal.aborted ? { kind: 'canceled', reason: 'Stopped by you.' } : ended
}

/** The failure module's end is the run's, whatever came of it. */
const endModule = (run: Run, { outcome }: ChildEnded): FlowEvent => {
  const isDone = outcome.kind === 'success'
  endStep(run, {
    kind: 'end_step',
    index: run.state.index,
    status: isDone ? 'success' : 'failure',
    result: isDone ? outcome.value : null,
    error: isDone ? null : outcome.error,
  })
  return { kind: 'failure_handled' }
}

const settle = (run: Run, event: FlowEvent): void => {
  if (event.kind !== 'child_ended') return
  run.children.delete(`${event.slot} ${event.attempt}`)
  run.slotBytes += outcomeBytes(event.outcome)
  if (event.outcome.kind === 'success') run.ended.set(event.slot, event.outcome.value)
}

/** @throws {AppError} an approval that nobody has answered */
export const runLocalFlow = async (
  world: FlowWorld,
  { definition, input, above = '' }: FlowStart,
): Promise<LocalRunEnd> => {
  const run: Run = {
    id: v7(),
    world,
    definition,
    above,
    runFlow: (below) => runLocalFlow(world, below),
    state: {
      status: 'running',
      input,
      index: 0,
      results: new Map(),
      bytes: 0,
      step: null,
      failure: null,
    },
    slots: [],
    started: 0,
    ended: new Map(),
    slotBytes: 0,
    children: new Map(),
    abort: new AbortController(),
    log: '',
    openedAt: 0,
    end: null,
  }
  let decisions = startFlow(definition, input)
  for (;;) {
    for (const decision of decisions) carryOut(run, decision)
    if (run.end !== null) return run.end
    const event = await nextEvent(run)
    const isModule = run.state.failure !== null && event.kind === 'child_ended'
    decisions = advance(definition, stateOf(run), isModule ? endModule(run, event) : event)
    settle(run, event)
  }
}
