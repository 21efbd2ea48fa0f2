/** Delivers an event to the waits for it, in the write that inserts the event or page by page afterwards. */
import { chunksOf } from '#core/chunks-of.ts'
import type { Statement, StatementResult } from '#store/database.ts'
import {
  countDelivered,
  findEvent,
  isSentBy,
  listTakers,
  type NewEvent,
} from '#store/events/events.ts'
import { type EventWait, listOpenWaits, receiveEvent } from '#store/events/waits.ts'
import { wakeRun } from '#store/flows/event-waits.ts'
import type { Deps } from '../deps.ts'
import { wakeJobByEvent } from '../durable/wake-job.ts'
import { endWait } from '../flows/end-waits.ts'
import { takeTurn } from '../portions/take-turn.ts'
import { returnedTexts } from '../returned-texts.ts'
import { receivedEventJson } from './cipher.ts'
import type { EventDeps } from './start-targets.ts'

const MAX_WAITS_PER_WRITE = 200
/** Characters that one write gives to its waits, because each keeps a copy of the event, which is encrypted for it. */
const MAX_GIVEN = 1_048_576
/** Waits that are woken within one turn of the event loop. */
const WAITS_PER_TURN = 20
const RUNS_AT_ONCE = 50

export type SentEvent = NewEvent &
  Readonly<{
    /** Milliseconds since 1970. */
    at: number
    dataJson: string
    wrappedKey: string
  }>

/** Returns how many waits one write wakes. */
export const waitsPerWrite = ({ data }: Pick<NewEvent, 'data'>): number =>
  Math.max(1, Math.min(MAX_WAITS_PER_WRITE, Math.floor(MAX_GIVEN / data.length)))

/** Lets each wait that is still open take the event, and wakes its job or run. Many waits have a turn before the write. */
export const deliveryStatements = async (
  deps: Pick<Deps, 'keyring'>,
  event: SentEvent,
  waits: readonly EventWait[],
): Promise<readonly Statement[]> => {
  const { id, wrappedKey } = event
  const received = { id, json: receivedEventJson(event) }
  const guard = isSentBy(event)
  const statements = waits.flatMap((wait) => [
    receiveEvent(wait.id, id, guard),
    ...(wait.ownerKind === 'job'
      ? wakeJobByEvent(deps, { wait, wrappedKey, event: received })
      : [wakeRun({ id: wait.id, ws: wait.ws, runId: wait.ownerId })]),
  ])
  if (waits.length > WAITS_PER_TURN) await takeTurn()
  return statements
}

/** What another process has left of a delivery. */
type Left = Readonly<{
  /** Owners that took the event before this time take it no second time. */
  takenBefore: number
  maxWrites: number
}>

/** Wakes waits page by page. @param left @default all @returns how many waits took it; null if some are left after `maxWrites` */
export const deliverToWaits = async (
  deps: EventDeps,
  event: SentEvent,
  left: Left | null = null,
): Promise<number | null> => {
  const limit = waitsPerWrite(event)
  let afterId = ''
  for (let writes = 0; ; ) {
    const page = await listOpenWaits(deps.db, event, { afterId, limit })
    const owners = page.map(({ ownerId }) => ownerId)
    const takers = left === null ? [] : await listTakers(deps.db, event, { owners, ...left })
    const waits = page.filter(({ ownerId }) => !takers.includes(ownerId))
    if (waits.length > 0) {
      if (writes === left?.maxWrites) return null
      writes += 1
      const statements = await deliveryStatements(deps, event, waits)
      deps.passFault('event_before_commit')
      const results = await deps.db.write(statements, { retry: true })
      deps.passFault('event_committed')
      await continueOwners(deps, waits, results)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < limit) break
    afterId = last.id
  }
  return countReached(deps, event)
}

/** Stores and returns how many waits and targets an event has reached. */
export const countReached = async (
  { db }: Pick<EventDeps, 'db'>,
  event: Pick<SentEvent, 'ws' | 'id' | 'call'>,
): Promise<number> => {
  await db.write([countDelivered(event, false)], { retry: true })
  return (await findEvent(db, event.ws, event.id))?.delivered ?? 0
}

/** Continues jobs and runs that were woken. A run that cannot advance now stays due, so the scheduler continues it. */
export const continueOwners = async (
  deps: EventDeps,
  waits: readonly EventWait[],
  results: readonly StatementResult[],
): Promise<void> => {
  for (const tag of returnedTexts(results, 'tag')) deps.hints.jobQueued.emit(tag)
  const due = returnedTexts(results, 'due_run_id')
  const runs = waits.filter(({ ownerId }) => due.has(ownerId))
  for (const some of chunksOf(runs, RUNS_AT_ONCE)) {
    await Promise.allSettled(
      some.map(({ ws, ownerId, position }) => endWait(deps, { ws, id: ownerId, index: position })),
    )
  }
}
