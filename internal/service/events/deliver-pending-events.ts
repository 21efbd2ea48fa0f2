/** Continues the delivery of events that a crash interrupted. */
import { listPendingEvents, type StoredEvent } from '#store/events/events.ts'
import { createDueTurns, type DueTurns } from '../due-turns.ts'
import { createTurnFailures } from '../turn-failures.ts'
import { requireWorkspace } from '../workspaces/require-workspace.ts'
import { openEventJson } from './cipher.ts'
import { deliverToWaits, type SentEvent } from './deliver-event.ts'
import { type EventDeps, startPendingTargets } from './start-targets.ts'

const AT_ONCE = 10
/** Writes for one event in a turn, because the waits of other workspaces end in the same turn. */
const MAX_WRITES = 5

/**
 * Continues the delivery of events that a crash interrupted.
 * @throws {Error} the first failure, after all other events
 */
export const deliverPendingEvents = async (
  deps: EventDeps,
  turns: DueTurns = createDueTurns(),
): Promise<void> => {
  const failures = createTurnFailures()
  await failures.keep(() => startPendingTargets(deps), null)
  const deliver = async (event: StoredEvent): Promise<boolean> => {
    const left = { takenBefore: await deps.db.now(), maxWrites: MAX_WRITES }
    return (await deliverToWaits(deps, await openEvent(deps, event), left)) !== null
  }
  const deliverAll = async (events: readonly StoredEvent[]): Promise<readonly boolean[]> => {
    const done: boolean[] = []
    for (const event of events) done.push(await failures.keep(() => deliver(event), false))
    return done
  }
  await turns.take(AT_ONCE, (page) => listPendingEvents(deps.db, page), deliverAll)
  failures.throwFirst()
}

const openEvent = async (deps: EventDeps, event: StoredEvent): Promise<SentEvent> => {
  const { wrappedKey } = await requireWorkspace(deps, event.ws)
  const dataJson = openEventJson(deps.keyring, { ...event, wrappedKey }, event.data)
  return { ...event, dataJson, wrappedKey }
}
