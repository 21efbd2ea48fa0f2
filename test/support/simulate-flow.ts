/** Runs flows on the state machine alone, with events in any order, and refuses impossible effects. */
import type { FlowDefinition } from '#core/flow/definition.ts'
import { isWait } from '#core/flow/kinds.ts'
import { start, step } from '#core/flow/machine.ts'
import { stepAt } from '#core/flow/position.ts'
import type { ChildOutcome, FlowEvent, Slot } from '#core/flow/run.ts'
import { type FlowEffect, newRun, type RunState } from '#core/flow/run-state.ts'
import type { JobError } from '#core/job/job-error.ts'
import type { JsonValue } from '#core/json/value.ts'

/** How a child ends, by its target and input. */
export type World = (slot: Pick<Slot, 'target' | 'input'>, attempt: number) => ChildOutcome

export type StepEnd = Readonly<{ status: string; result: JsonValue }>

export type End = Readonly<{
  status: string
  result: JsonValue
  error: JobError | null
  /** The steps of the definition, without undo steps and the failure module. */
  steps: ReadonlyMap<number, StepEnd>
  /** Everything that ended, in order: indexes of steps, undo actions and the failure module. */
  order: readonly number[]
  /** The undo actions and the failure module that were canceled. */
  cut: readonly number[]
}>

type Child = Readonly<{ slot: number; attempt: number; what: Pick<Slot, 'target' | 'input'> }>

export type Surroundings = Readonly<{
  world: World
  /** Chooses which of the running children ends next. */
  choose: (count: number) => number
  /** The decision of a person at an approval step. */
  answer: (index: number) => FlowEvent
  /** Called before each event. True cancels the run instead. */
  cancels?: () => boolean
  /** Called before each event. True makes the planning of the transition fail. */
  breaks?: () => boolean
  /** Keys of flows whose runs end only some time after they were canceled. @default none */
  unwinding?: ReadonlySet<string>
  /** Whether the queue has room for one more job. @default always */
  room?: () => boolean
  /** Called before the end of a child. True means that the results of the others were not read. @default never */
  forgets?: () => boolean
  /** Called after each event with its kind and the run's status before and after. */
  watch?: (event: FlowEvent['kind'] | 'start', before: string, after: string) => void
}>

type Memory = {
  readonly definition: FlowDefinition
  slots: Map<number, Slot>
  waiting: number[]
  reminders: number
  children: Child[]
  isOver: boolean
  /** The run ends without waiting for its child runs. */
  isBroken: boolean
  readonly steps: Map<number, StepEnd>
}

const refuse = (condition: boolean, message: string): void => {
  if (condition) throw new Error(message)
}

const begin = (
  memory: Memory,
  { slot, attempt = 1 }: Readonly<{ slot: number; attempt?: number }>,
  target?: Slot['target'],
): void => {
  const what = memory.slots.get(slot)
  if (what === undefined) throw new Error('There is no such slot.')
  memory.children.push({
    slot,
    attempt,
    what: { target: target ?? what.target, input: what.input },
  })
}

const carryOut = (memory: Memory, effect: FlowEffect): void => {
  refuse(memory.isOver, 'Something happened after the end.')
  switch (effect.kind) {
    case 'open_step':
      refuse(memory.children.length > 0, 'A step was opened beside children.')
      memory.slots = new Map(effect.waiting.map(({ slot, what }) => [slot, what]))
      memory.waiting = effect.waiting.map(({ slot }) => slot)
      memory.reminders = 0
      break
    case 'start_slot':
      memory.slots.set(effect.slot, effect.what)
      begin(memory, effect)
      break
    case 'start_waiting':
      refuse(effect.slot !== memory.waiting.shift(), 'A slot was jumped over.')
      begin(memory, effect, effect.target)
      break
    case 'remind':
      refuse(!memory.waiting.includes(effect.slot), 'A reminder has no input.')
      break
    case 'retry_slot':
      begin(memory, effect, effect.target)
      break
    case 'cancel_children':
      memory.children = memory.children.filter(
        ({ what }) => effect.below === 'unwind' && what.target.kind === 'flow',
      )
      memory.waiting = []
      break
    case 'end_step':
      if (!memory.isBroken) {
        refuse(memory.children.length + memory.waiting.length > 0, 'A step ended with open slots.')
      }
      refuse(memory.steps.has(effect.index), 'A step ended twice.')
      memory.steps.set(effect.index, effect)
      break
    case 'end_run':
      memory.isOver = true
  }
}

const nextEvent = (
  memory: Memory,
  run: RunState,
  { world, choose, answer, cancels = () => false, breaks = () => false }: Surroundings,
): FlowEvent => {
  if (cancels()) return { kind: 'canceled', reason: 'enough' }
  if (breaks()) {
    memory.isBroken = true
    return { kind: 'planning_failed', error: { name: 'Broken', message: 'no' } }
  }
  if (isWait(stepAt(run.definition, run.index))) return nextOfWait(memory, run, { choose, answer })
  const { children, waiting } = memory
  if (run.awaitsRoom && children.length + waiting.length === 0) return { kind: 'room_made' }
  const mayWait = waiting.length > 0
  if (mayWait && (children.length === 0 || choose(4) === 3)) return { kind: 'room_made' }
  const child = children[choose(children.length)]
  if (child === undefined) throw new Error('The run is stuck.')
  memory.children = children.filter((each) => each !== child)
  const { slot, attempt, what } = child
  return { kind: 'child_ended', slot, attempt, outcome: world(what, attempt) }
}

/** The next event of a waiting step. There are at most three reminders. */
const nextOfWait = (
  memory: Memory,
  run: RunState,
  { choose, answer }: Pick<Surroundings, 'choose' | 'answer'>,
): FlowEvent => {
  if (memory.waiting.length === 0 || memory.reminders > 3 || choose(2) === 0)
    return answer(run.index)
  memory.reminders += 1
  return { kind: 'reminder_due', attempt: choose(3) === 0 ? null : memory.reminders }
}

const admit = ({ admission }: RunState, { room = () => true }: Surroundings): FlowEvent => {
  const { start: wanted = 0, needsRoom = false, slots = [] } = admission ?? {}
  const refused = slots.flatMap(({ fault }, slot) =>
    fault === undefined ? [] : [{ slot, error: fault }],
  )
  const most = slots.length === 0 ? wanted : Math.min(wanted, slots.length - refused.length)
  let count = 0
  while (count < most && (!needsRoom || room())) count += 1
  return { kind: 'admitted', count, fault: null, refused }
}

/** The run as the database returned it. For the end of a child, the results of the others may be missing. */
const asRead = (
  run: RunState,
  { kind }: FlowEvent,
  { forgets = () => false }: Surroundings,
): RunState => {
  if (run.step === null || (kind !== 'child_ended' && kind !== 'room_made')) return run
  return { ...run, step: { ...run.step, isWhole: kind === 'room_made' || !forgets() } }
}

/** @throws {Error} the machine requested something impossible */
export const simulate = (
  definition: FlowDefinition,
  input: JsonValue,
  surroundings: Surroundings,
): End => {
  const memory: Memory = {
    definition,
    slots: new Map(),
    waiting: [],
    reminders: 0,
    children: [],
    isOver: false,
    isBroken: false,
    steps: new Map(),
  }
  const { watch = () => undefined } = surroundings
  let { run, effects } = start(newRun(definition, input, surroundings.unwinding))
  let happened: FlowEvent['kind'] | 'start' = 'start'
  let before = 'none'
  for (;;) {
    for (const effect of effects) carryOut(memory, effect)
    if (run.opening !== null) {
      ;({ run, effects } = step(run, { kind: 'continued' }))
      continue
    }
    if (run.admission !== null) {
      ;({ run, effects } = step(run, admit(run, surroundings)))
      continue
    }
    watch(happened, before, run.status)
    if (run.end !== null) return endOf(memory, run.end)
    const event = nextEvent(memory, run, surroundings)
    happened = event.kind
    before = run.status
    ;({ run, effects } = step(asRead(run, event, surroundings), event))
  }
}

/** The end of the run for a comparison with the plain interpreter, which has neither undo nor a failure module. */
const endOf = (
  { definition, steps }: Memory,
  { status, result, error }: NonNullable<RunState['end']>,
): End => {
  const plain = [...steps]
    .filter(([index]) => index < definition.steps.length)
    .map(([index, end]) => [index, { status: end.status, result: end.result }] as const)
  const order = [...steps.keys()]
  const cut = order.filter(
    (index) => index >= definition.steps.length && steps.get(index)?.status === 'canceled',
  )
  return { status, result, error, steps: new Map(plain), order, cut }
}
