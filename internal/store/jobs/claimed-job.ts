/** What a worker gets from a claim. */
import type { TriggerKind } from '#core/job/trigger-kind.ts'
import type { Row } from '../database.ts'
import { number, type RowOf, row, text } from '../row.ts'

/** A job with everything that its worker needs. The service decrypts the encrypted texts. */
export type ClaimedJob = Readonly<{
  id: string
  ws: string
  app: string
  action: string
  deploymentId: string
  attempt: number
  /** Id of the claim that gave the job to its worker. One claim may take several jobs. */
  claimId: string
  /** Whether its cancel was requested, or it was claimed too late to start; the worker then ends it. */
  isCanceled: boolean
  maxAttempts: number
  failureCount: number
  triggerKind: TriggerKind
  triggerJson: string | null
  inputJson: string
  /** Pairs of key and ciphertext: `[[key, ciphertext], …]`. */
  variablesJson: string
  resourcesJson: string
  wrappedKey: string
  priority: number
  runAt: number
  /** The job that waits for this one (`ctx.call`), or null. */
  calledBy: string | null
  /** The trace that the job belongs to, or null. */
  traceparent: string | null
  /** Null if no flow started the job. */
  flow: ClaimedFlow | null
}>

const claimedFlow = row({
  runId: text('flow_run_id'),
  index: number('flow_index'),
  slot: number('flow_slot'),
  attempt: number('flow_attempt'),
  /** The run's values for `ctx.flow`, encrypted. */
  context: text('flow'),
})

export type ClaimedFlow = RowOf<typeof claimedFlow>

/** Reads the flow columns of a job; null if no flow started it. */
export const toClaimedFlow = (found: Row): ClaimedFlow | null =>
  found.flow_run_id === null ? null : claimedFlow.read(found)
