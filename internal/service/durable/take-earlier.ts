/** Ends steps of a durable job with the events that their waits took when they opened [events 2.2]. */

import { listReceivedEvents } from '#store/events/events.ts'
import { hasReceived } from '#store/events/waits.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { endWaitingStep } from '#store/jobs/wake.ts'
import type { Deps } from '../deps.ts'
import { openEventJson, receivedEventJson } from '../events/cipher.ts'
import type { StepCipher } from './cipher.ts'

/**
 * Each wait took its event in the batch that opened it. This writes the event to the step, encrypted for the job. After a crash
 * in between, the step is still running, and the next attempt calls this again.
 */
export const endReceivedWaits = async (
  { db, keyring, passFault }: Pick<Deps, 'db' | 'keyring' | 'passFault'>,
  { job, cipher }: Readonly<{ job: ClaimedJob; cipher: StepCipher }>,
): Promise<void> => {
  const { ws, wrappedKey, id: jobId } = job
  const received = await listReceivedEvents(db, jobId)
  if (received.length === 0) return
  const statements = received.map(({ waitId, step, id, name, key, data, at }) => {
    const dataJson = openEventJson(keyring, { ws, id, wrappedKey }, data)
    const sealed = cipher.seal(step, 'result', receivedEventJson({ id, name, key, dataJson, at }))
    return endWaitingStep({ jobId, name: step }, sealed, hasReceived(waitId, id))
  })
  passFault('receive_before_commit')
  await db.write(statements, { retry: true })
  passFault('receive_committed')
}
