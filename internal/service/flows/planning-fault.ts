/**
 * A fault in planning a transition (a text too long for the runtime, data that cannot be decrypted, a fault of svc itself)
 * recurs at every attempt. So it fails the run; an exception would look like a lost worker.
 */
import { AppError } from '#core/error.ts'
import type { FlowEvent } from '#core/flow/run.ts'
import { DatabaseError } from '#store/database.ts'
import { ValueTooLarge } from '#store/value-size.ts'

/** Whether the fault is permanent. A database that is away and a refusal may pass, so they leave the run as it is. */
export const isPlanningFault = (thrown: unknown): boolean =>
  !(thrown instanceof DatabaseError) && !(thrown instanceof AppError)

/**
 * Returns the event that fails a run whose transition could not be computed, for example because its data is damaged.
 */
export const planningFailed = (thrown: unknown): FlowEvent => {
  if (thrown instanceof ValueTooLarge) {
    const message = `What the step leaves is too large. ${thrown.message}`
    return { kind: 'planning_failed', error: { name: 'FlowDataTooLarge', message } }
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  const message = `svc could not work out how the run goes on: ${reason}`
  return { kind: 'planning_failed', error: { name: 'TransitionFailed', message } }
}
