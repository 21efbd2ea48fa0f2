/** What an audit is given beside the database: what callers and the witness know, and what was broken. */
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
  /** The same of durable steps. */
  steps: readonly Sighting[]
  faults: FaultLog
  leaseMs: number
  /** A part of the test suite, on a machine that others may use. */
  isShort: boolean
  /** Guests that were killed or paused: so many jobs may have failed by it. */
  guestFaults: number
  /** Of any concurrency key. */
  mostRunning: number
  /** Jobs of 40 days ago, as retention finds them. */
  aged: Readonly<{ open: readonly string[]; ended: readonly string[] }>
  badEnds: readonly string[]
  givenUpStarts: readonly GivenUpStart[]
}>
