/** What a claim gives to its worker. */
import { asNumber, asText } from '../column.ts'
import type { Row } from '../database.ts'

/** A job with all that its worker needs. The service decrypts the encrypted texts. */
export type ClaimedJob = Readonly<{
  id: string
  ws: string
  app: string
  action: string
  deploymentId: string
  attempt: number
  /** Names the claim that gave the job to its worker; one claim may take several jobs. */
  claimId: string
  maxAttempts: number
  failureCount: number
  triggerKind: string
  triggerJson: string | null
  inputJson: string
  /** `[[key, ciphertext], …]` */
  variablesJson: string
  resourcesJson: string
  wrappedKey: string
  priority: number
  runAt: number
  /** The job that waits for this one (`ctx.call`), or null. */
  calledBy: string | null
  /** The trace that it belongs to, or null. */
  traceparent: string | null
  /** Null if no flow has started it. */
  flow: ClaimedFlow | null
}>

export type ClaimedFlow = Readonly<{
  runId: string
  index: number
  slot: number
  attempt: number
  /** What `ctx.flow` shows of the run, encrypted. */
  context: string
}>

/** Reads the flow columns of a job; null if no flow has started it. */
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
