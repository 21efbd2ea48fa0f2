/** Carries the engine's decisions out in memory, as the service does in the database. */
import { advance, outcomeBytes, startFlow } from '#core/flow/advance.ts'
import type { FlowDefinition } from '#core/flow/definition.ts'
import type { ChildOutcome, FlowDecision, FlowEvent, RunState, Slot } from '#core/flow/run.ts'
import type { JobError } from '#core/job.ts'
import type { JsonValue } from '#core/json.ts'

/** How a child ends: by what it was asked to do. */
export type World = (slot: Slot, attempt: number) => ChildOutcome

export type StepEnd = Readonly<{ status: string; result: JsonValue }>

export type End = Readonly<{
  status: string
  result: JsonValue
  error: JobError | null
  steps: ReadonlyMap<number, StepEnd>
}>

type Child = Readonly<{ index: number; slot: number; attempt: number; what: Slot }>

export type Surroundings = Readonly<{
  world: World
  /** Which of the children that are under way ends next. */
  choose: (count: number) => number
  /** What people say at an approval step. */
  answer: (index: number) => FlowEvent
  /** Asked before each event: true, and somebody cancels the run instead. */
  cancels?: () => boolean
  /** Asked before each event: true, and what follows cannot be planned. */
  breaks?: () => boolean
  /** Whether the queue has room for one more job. @default always */
  room?: () => boolean
  /** Told of each event: which, and the run's status before it and after. */
  watch?: (event: FlowEvent['kind'] | 'start', before: string, after: string) => void
}>

type Memory = {
  run: RunState
  slots: readonly Slot[]
  started: number
  children: Child[]
  ended: Map<number, JsonValue>
  isHandlingFailure: boolean
  end: End | null
  readonly steps: Map<number, StepEnd>
  readonly room: () => boolean
  slotBytes: number
}

const refuse = (condition: boolean, message: string): void => {
  if (condition) throw new Error(message)
}

const start = (memory: Memory, index: number, slot: number, attempt: number): void => {
  const what = memory.slots[slot]
  if (what === undefined) throw new Error('There is no such slot.')
  memory.children.push({ index, slot, attempt, what })
}

type Doing = {
  [Kind in FlowDecision['kind']]: (
    memory: Memory,
    decision: Extract<FlowDecision, { kind: Kind }>,
    definition: FlowDefinition,
  ) => void
}

const DOING: Doing = {
  open_step: (memory, { index, slots, start: count }) => {
    memory.slots = slots
    memory.started = 0
    memory.slotBytes = 0
    memory.ended = new Map()
    memory.run = { ...memory.run, index }
    while (memory.started < count && memory.room()) {
      start(memory, index, memory.started, 1)
      memory.started += 1
    }
  },
  wait_for_approval: (memory, { index }) => {
    memory.run = { ...memory.run, index, status: 'waiting_approval' }
  },
  start_slot: (memory, { index, slot }) => {
    refuse(slot !== memory.started, 'A slot was jumped over.')
    if (!memory.room()) return
    memory.started += 1
    start(memory, index, slot, 1)
  },
  retry_slot: (memory, { index, slot, attempt }) => start(memory, index, slot, attempt),
  end_step: (memory, { index, status, result, bytes = 0 }, definition) => {
    refuse(memory.steps.has(index), 'A step ended twice.')
    memory.steps.set(index, { status, result })
    memory.run = { ...memory.run, status: 'running' }
    if (status !== 'success' && status !== 'skipped') return
    const key = definition.steps[index]?.key ?? ''
    const results = new Map(memory.run.results).set(key, result)
    memory.run = { ...memory.run, results, bytes: memory.run.bytes + bytes }
  },
  cancel_children: (memory) => {
    memory.children = []
    memory.started = memory.slots.length
  },
  run_failure_module: (memory, { failure }) => {
    refuse(memory.children.length > 0, 'The failure module runs beside children.')
    memory.isHandlingFailure = true
    memory.run = { ...memory.run, failure }
  },
  end_run: (memory, { status, result, error }) => {
    refuse(memory.children.length > 0, 'The run ended with children under way.')
    memory.end = { status, result, error, steps: memory.steps }
  },
}

const carryOut = <Kind extends FlowDecision['kind']>(
  memory: Memory,
  decision: Extract<FlowDecision, { kind: Kind }> & { kind: Kind },
  definition: FlowDefinition,
): void => DOING[decision.kind](memory, decision, definition)

const stateOf = ({
  run,
  children,
  started,
  slots,
  ended,
  isHandlingFailure,
  slotBytes,
}: Memory): RunState => ({
  ...run,
  step: isHandlingFailure
    ? null
    : {
        status: run.status === 'waiting_approval' ? 'waiting_approval' : 'running',
        open: children.length,
        nextSlot: started < slots.length ? started : null,
        ended,
        bytes: slotBytes,
      },
})

const nextEvent = (
  memory: Memory,
  { world, choose, answer, cancels = () => false, breaks = () => false }: Surroundings,
): FlowEvent => {
  if (cancels()) return { kind: 'canceled', reason: 'enough' }
  if (breaks()) return { kind: 'planning_failed', error: { name: 'Broken', message: 'no' } }
  if (memory.isHandlingFailure) return { kind: 'failure_handled' }
  if (memory.run.status === 'waiting_approval') return answer(memory.run.index)
  const mayWait = memory.started < memory.slots.length
  if (mayWait && (memory.children.length === 0 || choose(4) === 3)) return { kind: 'room_made' }
  const child = memory.children[choose(memory.children.length)]
  if (child === undefined) throw new Error('The run is stuck.')
  const { slot, attempt, what } = child
  return { kind: 'child_ended', slot, attempt, outcome: world(what, attempt) }
}

/** The child is gone by the time that the decisions are carried out. */
const settle = (memory: Memory, event: FlowEvent): void => {
  if (event.kind !== 'child_ended') return
  const { slot, attempt, outcome } = event
  memory.children = memory.children.filter(
    (child) => child.slot !== slot || child.attempt !== attempt,
  )
  if (outcome.kind === 'success') memory.ended.set(slot, outcome.value)
  memory.slotBytes += outcomeBytes(outcome)
}

/** @throws {Error} the engine asked for what cannot be */
export const simulate = (
  definition: FlowDefinition,
  input: JsonValue,
  surroundings: Surroundings,
): End => {
  const memory: Memory = {
    run: {
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
    children: [],
    ended: new Map(),
    isHandlingFailure: false,
    end: null,
    steps: new Map(),
    room: surroundings.room ?? (() => true),
    slotBytes: 0,
  }
  const { watch = () => undefined } = surroundings
  let decisions = startFlow(definition, input)
  let happened: FlowEvent['kind'] | 'start' = 'start'
  let before = 'none'
  for (;;) {
    for (const decision of decisions) {
      refuse(memory.end !== null, 'Something was decided after the end.')
      carryOut(memory, decision, definition)
    }
    watch(happened, before, memory.end?.status ?? memory.run.status)
    if (memory.end !== null) return memory.end
    const event = nextEvent(memory, surroundings)
    happened = event.kind
    before = memory.run.status
    decisions = advance(definition, stateOf(memory), event)
    settle(memory, event)
  }
}
