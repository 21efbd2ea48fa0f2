/** A flow run as the machine sees it, and the effects of its transitions. All of it is immutable. */
import type { JobError } from '../job/job-error.ts'
import type { JsonObject, JsonValue } from '../json/value.ts'
import type { FlowDefinition } from './definition.ts'
import type { Opening } from './kinds/step-kind.ts'
import type { ChildEnded, Deadline, RunStatus, Slot, SlotFault, StepStatus, Wait } from './run.ts'

/** The step that a run is at. */
export type OpenStep = Readonly<{
  status: 'running' | 'waiting_approval'
  /** Children that have begun and not ended. */
  open: number
  /** How many of them are runs of subflows. */
  runs: number
  /** The first slots that have not begun, in order: at least one more than there are events to come, if there are that many. */
  waiting: readonly number[]
  /** Results of the slots that have ended. They may be left out while others are open or waiting. */
  ended: ReadonlyMap<number, JsonValue>
  /** Size of the results of all slots that have ended. */
  bytes: number
  /** The result of the step before, which the next step takes if the result of this one is passed over. */
  previous?: JsonValue
  /** Whether `ended` and `waiting` are complete. If not, the step cannot end by this transition. */
  isWhole: boolean
}>

/** What the machine has to know before it starts children. The event `admitted` answers it. */
export type Admission = Readonly<{
  /** Slots whose inputs are to be checked, all of the step; empty if they were checked before. */
  slots: readonly Slot[]
  /** How many children are to begin. */
  start: number
  /** Whether each child takes a place in the workspace's queue. If not, all of them may begin [flows 12.3]. */
  needsRoom: boolean
  /** Whether the step continues if a slot is refused [flows 2.11]. @default false */
  goesOn?: boolean
  /** What the inputs of all items of a loop share. */
  frame?: JsonObject
  /** The wait that the step begins once its slots, which are reminders, are found to fit. */
  wait?: Wait
}>

/** A step whose opening takes long. The event `continued` answers it. */
export type LongOpening = Readonly<{
  next: () => Opening
  /** The result of the step before. */
  previous: JsonValue
}>

export type RunEnd = Readonly<{
  status: Extract<RunStatus, 'completed' | 'failed' | 'canceled'>
  result: JsonValue
  error: JobError | null
}>

/** Why a run undoes its steps, and how it will end. */
export type Ending = Readonly<{
  status: Extract<RunStatus, 'failed' | 'canceled'>
  error: JobError
  /** Key of the step that failed; null on cancel. */
  failedStep: string | null
}>

export type RunState = Readonly<{
  definition: FlowDefinition
  input: JsonValue
  status: RunStatus
  /** The index of the current step; -1 before the start. The failure module follows the last step. */
  index: number
  /** Results of steps that succeeded or were skipped, by key: at least those that later steps name, and the previous one. */
  results: ReadonlyMap<string, JsonValue>
  /** The form values of the approval before the current step, passing over skipped steps as its input does; null without one. */
  resumeValue: JsonValue
  /** Size of the results of all steps that have ended. */
  bytes: number
  /** Null if the run is between two steps, or has ended. */
  step: OpenStep | null
  /** How the run will end, while its subflows undo what they did, or its undo actions or failure module run. */
  ending: Ending | null
  /** Indexes of the steps that succeeded and are to be undone if the run fails, in order. */
  undoable: readonly number[]
  /** Keys of the app's flows whose runs a cancel may not end at once [flows 15.8]. */
  unwinding: ReadonlySet<string>
  /** Whether slots have not begun because the workspace's queue was full [flows 12.3]. */
  awaitsRoom: boolean
  /** While it is set, the machine waits for `admitted` within the same transition; no other event may come. */
  admission: Admission | null
  /** While it is set, the machine waits for `continued` within the same transition; no other event may come. */
  opening: LongOpening | null
  end: RunEnd | null
  /** Where a run that has not begun starts: after the steps that it keeps of an earlier run. Absent: at the first step. */
  resume?: ResumePoint
}>

/** @see RunState.resume */
export type ResumePoint = Readonly<{
  index: number
  /** Result of the step before, passing over skipped ones. */
  previous: JsonValue
}>

export type StepEnd = Readonly<{
  status: Exclude<StepStatus, 'pending' | 'running' | 'waiting_approval'>
  result: JsonValue
  error: JobError | null
}>

/** What a transition changes outside of the run. All effects of a transition are one write. `index` names the step. */
export type FlowEffect =
  /** The run has come to a step. */
  | Readonly<{
      kind: 'open_step'
      index: number
      status: OpenStep['status']
      /** When the wait is over; null for never. */
      until: Deadline | null
      event?: NonNullable<Wait['event']>
      /** Milliseconds until the first reminder. */
      remindMs?: number
      /** What people see before they decide. */
      shown?: JsonValue
      /** Slots that begin later. */
      waiting: readonly WaitingSlot[]
      /** Slots that do not begin. */
      refused: readonly SlotFault[]
      /** What the inputs of all items of a loop share, while items wait. */
      frame?: JsonObject
    }>
  /** Starts a child with the given input. */
  | Readonly<{ kind: 'start_slot'; index: number; slot: number; what: Slot }>
  /** Starts the child of a slot that waited, with the input that was kept for it. */
  | Readonly<{ kind: 'start_waiting'; index: number; slot: number; target: Slot['target'] }>
  /** Starts a further attempt with the input of the last one. */
  | Readonly<{
      kind: 'retry_slot'
      index: number
      slot: number
      target: Slot['target']
      attempt: number
      delayMs: number
    }>
  /**
   * Starts a reminder with the input that was kept for it, which stays for the next one; `attempt` null starts none. The next
   * reminder is due after `everyMs`.
   */
  | Readonly<{
      kind: 'remind'
      index: number
      slot: number
      target: Slot['target']
      attempt: number | null
      everyMs: number
    }>
  /**
   * Cancels the children of the step. `below`: what happens to those that are runs; `unwind`: each handles the cancel
   * itself and reports its end.
   */
  | Readonly<{ kind: 'cancel_children'; index: number; below: 'none' | 'end' | 'unwind' }>
  | (StepEnd & Readonly<{ kind: 'end_step'; index: number }>)
  /** `parentEvent`: the event for the parent run, if this run does a step of one. */
  | (RunEnd & Readonly<{ kind: 'end_run'; parentEvent: ChildEnded }>)

export type WaitingSlot = Readonly<{ slot: number; what: Slot }>

/** The outcome of one event. */
export type Transition = Readonly<{ run: RunState; effects: readonly FlowEffect[] }>

/** @param unwinding keys of the app's flows whose runs a cancel may not end at once */
export const newRun = (
  definition: FlowDefinition,
  input: JsonValue,
  unwinding: ReadonlySet<string> = new Set(),
): RunState => ({
  definition,
  input,
  status: 'running',
  index: 0,
  results: new Map(),
  resumeValue: null,
  bytes: 0,
  step: null,
  ending: null,
  undoable: [],
  unwinding,
  awaitsRoom: false,
  admission: null,
  opening: null,
  end: null,
})
