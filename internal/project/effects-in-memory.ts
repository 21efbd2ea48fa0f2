/**
 * Runs a flow in memory: a second interpreter of the state machine's effects. What the service writes in one batch
 * (internal/service/flows/effects-to-statements.ts) happens here at once, since nothing has to survive the command.
 */
import { setTimeout } from 'node:timers/promises'
import { v7 } from 'uuid'
import { childContext } from '#core/flow/child-context.ts'
import type { FlowDefinition } from '#core/flow/definition.ts'
import { inputFault } from '#core/flow/input-fault.ts'
import { isWait } from '#core/flow/kinds.ts'
import { start, step } from '#core/flow/machine.ts'
import { kindAt, type PlaceKind, stepAt } from '#core/flow/position.ts'
import type {
  ChildEnded,
  ChildOutcome,
  Deadline,
  FlowEvent,
  Slot,
  SlotFault,
  Wait,
} from '#core/flow/run.ts'
import { type Admission, type FlowEffect, newRun, type RunState } from '#core/flow/run-state.ts'
import { unwindingFlows } from '#core/flow/undo.ts'
import type { JobError } from '#core/job/job-error.ts'
import { isJsonObject, type JsonValue } from '#core/json/value.ts'
import type { LocalAction } from './app-folder.ts'
import { LOCAL_APP, type LocalActions, type LocalJob } from './local-actions.ts'
import type { LocalApprovals } from './local-approvals.ts'
import { type LocalJournal, newLocalJournal } from './local-durable.ts'
import type { LocalTrigger } from './local-starts.ts'
import { createLocalWaits, type LocalWaits } from './local-waits.ts'

export type LocalStep = Readonly<{
  /** Key of the step. Below a subflow, the keys of the steps above it come first: `outer/inner`. */
  path: string
  kind: PlaceKind
  status: string
  result: JsonValue
  error: JobError | null
  log: string
  ms: number
}>

export type FlowWorld = Readonly<{
  flows: ReadonlyMap<string, FlowDefinition>
  actions: ReadonlyMap<string, LocalAction>
  runner: LocalActions
  approvals: LocalApprovals
  /** Ends sleeps and waits for events. @default sleeps take their full time, and no event comes */
  waits?: Pick<LocalWaits, 'wait'> & Partial<Pick<LocalWaits, 'skipsTime'>>
  onStep: (step: LocalStep) => void
  /** Length of the chain of jobs and runs that started one another, before this run. @default 0 */
  chainDepth?: number
  /** What started the run, as its jobs see it in `ctx.trigger`. @default the API */
  trigger?: LocalTrigger
  signal: AbortSignal
}>

export type FlowStart = Readonly<{
  definition: FlowDefinition
  input: JsonValue
  above?: string
  /** The id that its starter got. @default a new one */
  runId?: string
}>

type Effect<Kind extends FlowEffect['kind']> = Extract<FlowEffect, { kind: Kind }>

/** It contains the event for the parent run if the flow is a subflow. */
export type LocalRunEnd = Effect<'end_run'>

/** The step that the run has opened last. */
type Opened = Readonly<{
  index: number
  /** Milliseconds by `performance.now()`. */
  since: number
  slots: Map<number, Slot>
  /** What the attempts of each slot have recorded. */
  journals: Map<number, LocalJournal>
  until: Deadline | null
  event: Wait['event']
  /** Ends the step's children. */
  abort: AbortController
}>

type Memory = {
  readonly runId: string
  readonly world: FlowWorld
  readonly above: string
  /** Whether the command was stopped. */
  isStopped: boolean
  opened: Opened | null
  log: string
  /** The end of each running child, by slot and attempt. */
  children: Map<string, Promise<ChildEnded>>
  end: LocalRunEnd | null
}

/** @throws {AppError} conflict: no answer is left for an approval step; invalid: the step's form refuses the answer */
export const runInMemory = async (
  world: FlowWorld,
  { definition, input, above = '', runId = v7() }: FlowStart,
): Promise<LocalRunEnd> => {
  const empty = { isStopped: false, opened: null, log: '', children: new Map(), end: null }
  const memory: Memory = { runId, world, above, ...empty }
  let { run, effects } = start(newRun(definition, input, unwindingFlows(world.flows)))
  for (;;) {
    for (const effect of effects) carryOut(memory, run, effect)
    if (memory.end !== null) return memory.end
    ;({ run, effects } = step(run, answerIn(world, run) ?? (await nextEvent(memory, run))))
  }
}

const carryOut = (memory: Memory, run: RunState, effect: FlowEffect): void => {
  switch (effect.kind) {
    case 'open_step': {
      const slots = new Map(effect.waiting.map(({ slot, what }) => [slot, what]))
      const abort = new AbortController()
      const { index, until, event } = effect
      const journals = new Map<number, LocalJournal>()
      memory.opened = { index, since: performance.now(), slots, journals, until, event, abort }
      memory.log = ''
      break
    }
    case 'start_slot':
      memory.opened?.slots.set(effect.slot, effect.what)
      startChild(memory, run, { slot: effect.slot })
      break
    case 'start_waiting':
      startChild(memory, run, { slot: effect.slot })
      break
    case 'retry_slot':
      startChild(memory, run, effect)
      break
    // a local approval is answered at once, so a reminder is never due
    case 'remind':
      break
    case 'cancel_children':
      cancelChildren(memory, effect)
      break
    case 'end_step':
      endStep(memory, run, effect)
      break
    case 'end_run':
      memory.end = effect
  }
}

/** Drops the children of the step, except subflow runs that may have to undo steps: their ends are still awaited. */
const cancelChildren = (
  { opened, children }: Memory,
  { below }: Effect<'cancel_children'>,
): void => {
  opened?.abort.abort()
  for (const [key] of children) {
    const slot = Number(key.split(' ')[0])
    const isRun = opened?.slots.get(slot)?.target.kind === 'flow'
    if (below !== 'unwind' || !isRun) children.delete(key)
  }
}

type Child = Readonly<{ slot: number; attempt?: number; delayMs?: number }>

const startChild = (memory: Memory, run: RunState, child: Child): void => {
  const { opened, runId } = memory
  const { slot, attempt = 1, delayMs = 0 } = child
  const what = opened?.slots.get(slot)
  if (opened === null || what === undefined) throw new Error(`The step has no slot ${slot}.`)
  const { target, input } = what
  const { step: key, resumeValue, approvalIndex } = childContext(run, opened.index)
  const context = { runId, step: key, ...(isJsonObject(resumeValue) ? { resumeValue } : {}) }
  const { signal: stopped, chainDepth = 0, trigger = { kind: 'api' } } = memory.world
  const own = opened.abort.signal
  // an undo action has to finish, so a stop does not abort it
  const signal = run.ending === null ? AbortSignal.any([stopped, own]) : own
  const isBeforeApproval = approvalIndex !== null
  const journal = opened.journals.get(slot) ?? newLocalJournal(v7())
  opened.journals.set(slot, journal)
  const job = {
    attempt,
    journal,
    input,
    flow: context,
    isBeforeApproval,
    chainDepth,
    trigger,
    signal,
  }
  const ended =
    target.kind === 'flow'
      ? runBelow(memory, { above: `${memory.above}${key}/`, signal }, what)
      : runAction(memory, target.key, { ...job, delayMs })
  memory.children.set(
    `${slot} ${attempt}`,
    ended.then((outcome) => ({ kind: 'child_ended', slot, attempt, outcome })),
  )
}

const runBelow = async (
  { world }: Memory,
  { above, signal }: Readonly<{ above: string; signal: AbortSignal }>,
  { target, input }: Slot,
): Promise<ChildOutcome> => {
  const definition = world.flows.get(target.key)
  if (definition === undefined) throw new Error(`The app has no flow ${target.key}.`)
  const below = { ...world, trigger: { kind: 'flow' } as const, signal }
  return (await runInMemory(below, { definition, input, above })).parentEvent.outcome
}

type Job = Omit<LocalJob, 'action' | 'onLog'> & Readonly<{ delayMs: number }>

const runAction = async (
  memory: Memory,
  key: string,
  { delayMs, ...job }: Job,
): Promise<ChildOutcome> => {
  const { actions, runner, waits } = memory.world
  const action = actions.get(key)
  if (action === undefined) throw new Error(`The app has no action ${key}.`)
  const { signal } = job
  if (delayMs > 0 && waits?.skipsTime !== true) {
    await setTimeout(delayMs, undefined, { signal }).catch(() => undefined)
  }
  const { outcome, log } = await runner.run({ ...job, action })
  // the log of a canceled child does not belong to a step
  if (!signal.aborted) memory.log += log
  const { retry } = action.definition
  if (outcome.kind === 'success') return outcome
  return { ...outcome, random: Math.random(), ...(retry === null ? {} : { retry }) }
}

/** A step that was never opened, such as a skipped one, has no duration and no log. */
const endStep = (memory: Memory, run: RunState, effect: Effect<'end_step'>): void => {
  const { index, status, result, error } = effect
  const { opened, world, above } = memory
  const isOpened = opened?.index === index
  const ms = isOpened ? Math.round(performance.now() - opened.since) : 0
  const path = `${above}${stepAt(run.definition, index).key}`
  const kind = kindAt(run.definition, index)
  world.onStep({ path, kind, status, result, error, log: isOpened ? memory.log : '', ms })
}

/** Returns what the machine waits for within its transition; null for nothing. */
const answerIn = (world: FlowWorld, { opening, admission }: RunState): FlowEvent | null => {
  if (opening !== null) return { kind: 'continued' }
  return admission === null ? null : admit(world, admission)
}

/** Admits slots without a limit on queued jobs, which local runs do not have. */
const admit = ({ actions, flows }: FlowWorld, admission: Admission): FlowEvent => {
  const { slots, start, goesOn = false } = admission
  const definitions = new Map([...actions].map(([key, { definition }]) => [key, definition]))
  const app = { ...LOCAL_APP, actions: definitions, flows }
  const refused: SlotFault[] = []
  for (const [slot, what] of slots.entries()) {
    const error = what.fault ?? inputFault(app, what)
    if (error === null) continue
    if (!goesOn) return { kind: 'admitted', count: 0, fault: { slot, error } }
    refused.push({ slot, error })
  }
  const count = slots.length === 0 ? start : Math.min(start, slots.length - refused.length)
  return { kind: 'admitted', count, fault: null, refused }
}

const STOPPED: FlowEvent = { kind: 'canceled', reason: 'Stopped by you.' }

const nextEvent = async (memory: Memory, run: RunState): Promise<FlowEvent> => {
  const { world, children, opened } = memory
  const isStopping = (): boolean => world.signal.aborted && !memory.isStopped
  const stop = (): FlowEvent => {
    memory.isStopped = true
    return STOPPED
  }
  if (isStopping()) return stop()
  if (run.step?.status === 'waiting_approval') {
    return world.approvals.answer(stepAt(run.definition, run.index))
  }
  const here = stepAt(run.definition, run.index)
  if (isWait(here) && opened !== null) {
    const { waits = createLocalWaits({}), signal } = world
    const { until, event } = opened
    const ended = await waits.wait({ step: here.key, until, event, signal })
    return isStopping() ? stop() : ended
  }
  const ended = await Promise.race(children.values())
  // keep the end of a child that coincides with the stop: the step that waits for it still needs it
  if (isStopping()) return stop()
  children.delete(`${ended.slot} ${ended.attempt}`)
  return ended
}
