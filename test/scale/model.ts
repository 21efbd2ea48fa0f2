/**
 * The assumptions of the simulation of many cells. The costs are those of docs/scale.md, measured on one loaded machine:
 * sqld's processor time for each piece of work of a cell, whose only writer is one core.
 */

/** Milliseconds of a cell's writer, and of the network to it. */
export const COSTS = {
  /** A commit, whatever it contains. "an enqueue alone, with its commit: 1 ms", minus the enqueue. */
  commit: 0.9,
  /** An enqueue among others: 55 to 64 µs in process, 126 to 214 µs over HTTP with token check. */
  enqueue: 0.13,
  /** The claim of one job: half of a drained job (95 to 283 µs). */
  claimedJob: 0.09,
  /** The end of one job: the other half. */
  endedJob: 0.09,
  /** A read on a kept stream. */
  read: 0.09,
  /** One way between nodes of a data center. This is an assumption. */
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
  /** Milliseconds to simulate. The first tenth does not count. */
  forMs: number
  /** Share of hints that are lost. */
  hintLoss: number
  /** The first cell does not answer during this time, and clients retry every second. It is null if no cell is lost. */
  lostCell: Readonly<{ fromMs: number; untilMs: number }> | null
  /** Jobs per second of one additional tenant in the second cell. 0 for none. */
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

/** Workers poll each of their cells at this interval, whatever hints arrive. */
export const POLL_EVERY_MS = 30_000
/** A server caches the cell of a workspace for this long. */
export const DIRECTORY_AGE_MS = 60_000
/** Maximum number of operations in one commit. */
export const GROUP = 256
/** Connections that a busy node keeps to a cell, usually two to six. */
export const STREAMS_OF_NODE = 3
/** sqld's default limit, and the value that docs/operating.md recommends. */
export const STREAM_LIMITS = { plain: 128, raised: 1_024 } as const
