/** Delivers an event to the step of a durable job that waits for it. */
import type { Keyring } from '#crypto/keyring.ts'
import type { Statement } from '#store/database.ts'
import { type EventWait, hasReceived } from '#store/events/waits.ts'
import { endWaitingStep, wakeJob } from '#store/jobs/wake.ts'
import { stepCipher } from './cipher.ts'

export type ReceivedEvent = Readonly<{
  id: string
  /** What `ctx.waitForEvent` returns. */
  json: string
}>

/**
 * Returns statements for the batch that gives the event to the wait. They follow `receiveEvent` and change nothing unless the
 * wait took this event. If the job was suspended, the second one returns `{tag}`, for a hint.
 */
export const wakeJobByEvent = (
  { keyring }: Readonly<{ keyring: Keyring }>,
  {
    wait,
    wrappedKey,
    event,
  }: Readonly<{ wait: EventWait; wrappedKey: string; event: ReceivedEvent }>,
): readonly [Statement, Statement] => {
  const { ws, ownerId: jobId, step } = wait
  const guard = hasReceived(wait.id, event.id)
  const sealed = stepCipher(keyring, { ws, wrappedKey, jobId }).seal(step, 'result', event.json)
  return [endWaitingStep({ jobId, name: step }, sealed, guard), wakeJob({ ws, id: jobId }, guard)]
}
