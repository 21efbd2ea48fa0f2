/** What takes a run from one transition to the next. */
import type { FlowEvent } from '#core/flow/run.ts'
import type { Statement } from '#store/database.ts'

export type LoadRequest = Readonly<{
  ws: string
  id: string
  /** Children that have ended: their inputs, sealed, for another try. */
  children?: readonly Readonly<{ slot: number; input: string }>[]
  /** As many slots that have not begun are read. @default 1 */
  slots?: number
  /** Without anything that is encrypted: enough to end it. */
  bare?: boolean
}>

export type Transition = Readonly<{
  /** The events in order. Without any the run does not change, and only the `alongside` statements are written. */
  events: readonly FlowEvent[]
  /** What must hold in the database for the events to be true. */
  condition: Statement
  /** What goes with the transition, and only with it. */
  alongside?: (guard: Statement) => readonly Statement[]
}>

/** One event of a run. */
export type AdvanceRequest = Readonly<{
  ws: string
  id: string
  child?: Readonly<{ slot: number; input: string }>
  event: FlowEvent
  /** The index of the step that the event is for; a run that has gone on ignores it. */
  index: number
  condition: Statement
  alongside?: (guard: Statement) => readonly Statement[]
  /** Characters that are written with it. */
  weight?: number
  /** Called each time the write was handed to the database. */
  onQueued?: () => void
}>

/**
 * `over`: there is no such run, it has ended, or has gone on to another step; `untrue`: the condition does not hold.
 * Then nothing was written.
 */
export type Advanced = 'advanced' | 'over' | 'untrue'
