/**
 * What the simulation of many cells assumes. Costs are those of docs/scale.md, measured on one loaded machine: sqld's processor time for
 * each piece of work of a cell, whose only writer is one core.
 */

/** Milliseconds of a cell's writer, and of the way to it. */
export const COSTS = {
  /** A commit, whatever it holds. "an enqueue alone, with its commit: 1 ms", less the enqueue. */
  commit: 0.9,
  /** An enqueue among others: 55 to 64 µs in process, 126 to 214 µs over HTTP with token check. */
  enqueue: 0.13,
  /** Half of a drained job, 95 to 283 µs: the claim of one job. */
  claimedJob: 0.09,
  /** The other half: its end. */
  endedJob: 0.09,
  /** A read on a kept stream. */
  read: 0.09,
  /** One way between nodes of a data center. An assumption. */
  network: 0.5,
} as const

export type Setting = Readonly<{
  name: string
  seed: number
  cells: number
  workers: number
  /** Jobs that a worker runs at once. */
  slots: number
  /** Cells that each worker claims from. */
  cellsOfWorker: number
  servers: number
  tenants: number
  jobsPerMinute: number
  /** Mean of an exponential distribution, milliseconds. */
  jobMs: number
  /** Milliseconds that are simulated; the first tenth is not counted. */
  forMs: number
  /** Share of hints that get lost. */
  hintLoss: number
  /** The first cell answers nothing meanwhile; clients try again every second. Null: none is lost. */
  lostCell: Readonly<{ fromMs: number; untilMs: number }> | null
  /** Jobs a second of one further tenant in the second cell; 0: there is none. */
  hotJobsPerS: number
}>

export const PLAIN: Setting = {
  name: 'plain',
  seed: 19,
  cells: 100,
  workers: 1_000,
  slots: 10,
  cellsOfWorker: 10,
  servers: 20,
  tenants: 10_000,
  jobsPerMinute: 1_000_000,
  jobMs: 300,
  forMs: 15_000,
  hintLoss: 0,
  lostCell: null,
  hotJobsPerS: 0,
}

/** Workers look into each of their cells so often, whatever hints say. */
export const POLL_EVERY_MS = 30_000
/** A server knows the cell of a workspace for so long. */
export const DIRECTORY_AGE_MS = 60_000
/** Most operations of one commit. */
export const GROUP = 256
/** Connections that a busy node keeps to a cell: two to six. */
export const STREAMS_OF_NODE = 3
/** sqld's own limit, and what docs/operating.md raises it to. */
export const STREAM_LIMITS = { plain: 128, raised: 1_024 } as const
