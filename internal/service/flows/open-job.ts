/** Decrypts jobs of flows for their readers. Any other job is passed on as it is. */

import { passesRequest, passesTrigger } from '#core/job/trigger-kind.ts'
import { JsonText } from '#core/json/text.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json/value.ts'
import { isSealed, type Keyring } from '#crypto/keyring.ts'
import { findRunTrigger } from '#store/flows/runs.ts'
import type { ClaimedFlow, ClaimedJob } from '#store/jobs/claimed-job.ts'
import type { Deps } from '../deps.ts'
import { flowCipher, runPlace, type SlotAddress, slotPlace } from './cipher.ts'

export type OpenedJob = ClaimedJob &
  Readonly<{
    /** The body of a webhook: the input of the job, or of its run. */
    rawJson: string
    flowContext: Readonly<{ runId?: string; step?: string; resumeValue?: JsonObject }>
    /** The index of the approval step that comes next. */
    approvalIndex: number | null
  }>

/** Decrypts a job for the worker. @throws {Error} it was changed or moved in the database */
export const openClaimedJob = async (
  deps: Pick<Deps, 'db' | 'keyring'>,
  job: ClaimedJob,
): Promise<OpenedJob> => {
  const { flow } = job
  if (flow === null) {
    return { ...job, rawJson: job.inputJson, flowContext: {}, approvalIndex: null }
  }
  const { open, openJson } = flowCipher(deps.keyring, job)
  const context = open(slotPlace(flow, 'context'), flow.context)
  const inputJson = openJson(slotPlace(flow, 'input'), job.inputJson)
  return {
    ...job,
    ...(await openTrigger(deps, job, flow)),
    inputJson,
    ...readContext(flow, context),
  }
}

const readContext = (
  { runId }: ClaimedFlow,
  context: JsonValue,
): Pick<OpenedJob, 'flowContext' | 'approvalIndex'> => {
  const { step, resume_value, approval_index } = isJsonObject(context) ? context : {}
  return {
    flowContext: {
      runId,
      step: String(step),
      ...(isJsonObject(resume_value) ? { resumeValue: resume_value } : {}),
    },
    approvalIndex: typeof approval_index === 'number' ? approval_index : null,
  }
}

/** A flow's jobs see what started their run [flows 6.2]. */
const openTrigger = async (
  deps: Pick<Deps, 'db' | 'keyring'>,
  job: ClaimedJob,
  { runId }: ClaimedFlow,
): Promise<Pick<OpenedJob, 'rawJson' | 'triggerJson'>> => {
  const run = passesTrigger(job.triggerKind) ? await findRunTrigger(deps.db, job.ws, runId) : null
  if (run === null) return { rawJson: 'null', triggerJson: null }
  const { openJson } = flowCipher(deps.keyring, job)
  return {
    rawJson: passesRequest(job.triggerKind)
      ? openJson(runPlace(runId, 'input'), run.input)
      : 'null',
    triggerJson: openJson(runPlace(runId, 'trigger'), run.trigger),
  }
}

export type SealedJob = Readonly<{
  ws: string
  /** What decrypts the texts of a flow's child; null for other jobs. */
  sealed: (SlotAddress & Readonly<{ wrappedKey: string }>) | null
}>

/** Returns what a job has in `field`, for callers who may read it; null if it has nothing. */
export const openJobText = (
  keyring: Keyring,
  { ws, sealed }: SealedJob,
  { field, text }: Readonly<{ field: 'input' | 'result'; text: string | null }>,
): JsonText | null => {
  if (text === null) return null
  if (sealed === null || !isSealed(text)) return new JsonText(text)
  const cipher = flowCipher(keyring, { ws, wrappedKey: sealed.wrappedKey })
  return new JsonText(cipher.openJson(slotPlace(sealed, field), text))
}
