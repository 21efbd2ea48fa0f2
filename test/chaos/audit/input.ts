/** The input of an audit besides the database: what callers and the witness know, and which faults there were. */
import type { FaultLog } from '../fault-log.ts'
import type { Answers } from '../load/caller.ts'
import type { DurableLedger } from '../load/durable.ts'
import type { FlowLedger } from '../load/flows.ts'
import type { FunctionLedger } from '../load/functions.ts'
import type { JobLedger } from '../load/jobs.ts'
import type { GivenUpStart } from '../nodes.ts'
import type { Sighting, Witness } from '../witness.ts'

export type Ledgers = Readonly<{
  jobs: JobLedger
  flows: FlowLedger
  functions: FunctionLedger
  durable: DurableLedger
}>

export type AuditInput = Readonly<{
  ledgers: Ledgers
  answers: Answers
  witness: Witness
  /** What the witness had seen before the database was read. */
  sightings: readonly Sighting[]
  /** The same for durable steps. */
  steps: readonly Sighting[]
  faults: FaultLog
  leaseMs: number
  /** Whether the run is part of the test suite, on a machine that may be busy with other work. */
  isShort: boolean
  /** Number of guests that were killed or paused. At most as many jobs may have failed because of that. */
  guestFaults: number
  /** The most jobs of one concurrency key that ran at once. */
  mostRunning: number
  /** The most runs of the flow that were under way at once. */
  mostRuns: number
  /** Jobs from 40 days ago, which are due for retention. */
  aged: Readonly<{ open: readonly string[]; ended: readonly string[] }>
  badEnds: readonly string[]
  givenUpStarts: readonly GivenUpStart[]
}>
