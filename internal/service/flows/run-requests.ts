/** The requests that advance a run, and their outcome. */
import type { FlowEvent } from '#core/flow/run.ts'
import type { Statement } from '#store/database.ts'

export type LoadRequest = Readonly<{
  ws: string
  id: string
  /** Children that have ended, with their encrypted inputs for another attempt. */
  children?: readonly Readonly<{ slot: number; input: string }>[]
  /** How many children that have not begun are read. @default 1 */
  slots?: number
  /** Leaves out everything that is encrypted, which is enough to end the run. */
  bare?: boolean
}>

export type TransitionRequest = Readonly<{
  /** The events in order. Without any the run does not change, and only the `alongside` statements are written. */
  events: readonly FlowEvent[]
  /** Must hold in the database; otherwise nothing is written. */
  condition: Statement
  /** Statements that are written only together with the transition. */
  alongside?: (guard: Statement) => readonly Statement[]
}>

/** One event of a run. */
export type AdvanceRequest = Readonly<{
  ws: string
  id: string
  child?: Readonly<{ slot: number; input: string }>
  event: FlowEvent
  /** The index of the step that the event is for. A run that has moved on ignores it. */
  index: number
  condition: Statement
  alongside?: (guard: Statement) => readonly Statement[]
  /** Characters that are written with it. */
  characters?: number
  /** Called each time the write is handed to the database. */
  onQueued?: () => void
}>

/**
 * `over`: the run does not exist, has ended, or has moved on to another step. `untrue`: the condition does not hold. In both
 * cases nothing was written.
 */
export type Advanced = 'advanced' | 'over' | 'untrue'
