/** What a worker gets from a claim. */
import { asNumber, asText } from '../column.ts'
import type { Row } from '../database.ts'

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
  maxAttempts: number
  failureCount: number
  triggerKind: string
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

export type ClaimedFlow = Readonly<{
  runId: string
  index: number
  slot: number
  attempt: number
  /** The run's values for `ctx.flow`, encrypted. */
  context: string
}>

/** Reads the flow columns of a job; null if no flow started it. */
export const toClaimedFlow = (row: Row): ClaimedFlow | null =>
  row.flow_run_id === null
    ? null
    : {
        runId: asText(row.flow_run_id),
        index: asNumber(row.flow_index),
        slot: asNumber(row.flow_slot),
        attempt: asNumber(row.flow_attempt),
        context: asText(row.flow),
      }
