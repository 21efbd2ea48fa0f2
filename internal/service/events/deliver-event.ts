/**
 * Builds the statements by which waits take an event. They follow the insert of the event, in the same write or a later one.
 */
import type { JsonValue } from '#core/json/value.ts'
import type { Statement } from '#store/database.ts'
import { isSentBy, type NewEvent } from '#store/events/events.ts'
import { type EventWait, receiveEvent } from '#store/events/waits.ts'
import { wakeRun } from '#store/flows/event-waits.ts'
import type { Deps } from '../deps.ts'
import { wakeJobByEvent } from '../durable/wake-job.ts'

export type SentEvent = NewEvent &
  Readonly<{
    /** Milliseconds since 1970. */
    at: number
    value: JsonValue
    wrappedKey: string
  }>

/** Lets each wait that is still open take the event, and wakes its job or run. */
export const deliveryStatements = (
  deps: Pick<Deps, 'keyring'>,
  event: SentEvent,
  waits: readonly EventWait[],
): readonly Statement[] => {
  const { id, name, key, at, value, wrappedKey } = event
  const received = { id, name, key, data: value, at: new Date(at).toISOString() }
  const guard = isSentBy(event)
  return waits.flatMap((wait) => [
    receiveEvent(wait.id, id, guard),
    ...(wait.ownerKind === 'job'
      ? wakeJobByEvent(deps, { wait, wrappedKey, event: received })
      : [wakeRun({ id: wait.id, ws: wait.ws, runId: wait.ownerId })]),
  ])
}
