/**
 * Sends an event to the waits for it and to the targets that apps declare [events 1 to 3]. The event and the waits that
 * take it are one write. A wait that opens at the same moment is either part of that write or finds the event
 * afterwards, so no wait misses it.
 */
import { unavailable } from '#core/error.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { Statement } from '#store/database.ts'
import {
  areAllWaits,
  countDelivered,
  findDelivery,
  findEvent,
  insertEvent,
  isSentBy,
  type NewEvent,
  type StoredEvent,
} from '#store/events/events.ts'
import { type EventStart, insertEventStart, listEventTargets } from '#store/events/targets.ts'
import { countOpenWaits, listOpenWaits } from '#store/events/waits.ts'
import { holds } from '#store/row.ts'
import { allOf, TRUE } from '#store/sql.ts'
import { waitUntil } from '../wait-until.ts'
import { requireWorkspace } from '../workspaces/require-workspace.ts'
import { sealEventData } from './cipher.ts'
import {
  continueOwners,
  countReached,
  deliverToWaits,
  deliveryStatements,
  type SentEvent,
  waitsPerWrite,
} from './deliver-event.ts'
import { type EventDeps, startTarget } from './start-targets.ts'

export type EventRequest = Readonly<{
  ws: string
  name: string
  key: string | null
  data: JsonValue
  /** Chosen by the sender. An id is accepted once in 24 h. */
  id: string | null
  sentBy: string
  /** @default 0: no job or run sent it */
  chainDepth?: number
  /** A further condition, for example that the attempt that sends it still runs. */
  condition?: Statement
  /** Statements that are written with the event. @param isSent a condition: this call has inserted the event */
  alongside?: (eventId: string, isSent: Statement) => readonly Statement[]
}>

export type EventSent = Readonly<{ eventId: string; delivered: number; replayed: boolean }>

/** Attempts with a changing set of waits. After them the waits are woken page by page. */
const MAX_TRIES = 5

/** @returns null if `condition` does not hold @throws {AppError} not_found: the workspace; rate_limited `storage_full`; unavailable */
export const sendEvent = async (
  deps: EventDeps,
  request: EventRequest,
): Promise<EventSent | null> => {
  const { ws, name, key, data, condition = TRUE } = request
  const { wrappedKey } = await requireWorkspace(deps, ws)
  const id = request.id ?? deps.newId()
  const dataJson = JSON.stringify(data)
  const event: NewEvent = {
    ws,
    id,
    call: deps.newId(),
    name,
    key,
    data: sealEventData(deps.keyring, { ws, id, wrappedKey }, dataJson),
    sentBy: request.sentBy,
    chainDepth: request.chainDepth ?? 0,
  }
  const isRepeated = request.id !== null && (await findEvent(deps.db, ws, id)) !== null
  if (!isRepeated) await passStorage(deps, event)
  const most = waitsPerWrite(event)
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const waits = await listOpenWaits(deps.db, event, { afterId: '', limit: most + 1 })
    const isWhole = waits.length <= most && attempt < MAX_TRIES - 1
    const ids = waits.map((wait) => wait.id)
    const guard = allOf(condition, isWhole ? areAllWaits(event, ids) : null)
    const starts = await listStarts(deps, event)
    const sent = { ...event, at: await deps.db.now(), dataJson, wrappedKey }
    const delivery = isWhole ? await deliveryStatements(deps, sent, waits) : []
    const statements = [
      insertEvent(event, !isWhole, guard),
      ...(request.alongside?.(id, isSentBy(event)) ?? []),
      ...starts.map((start) => insertEventStart(start, isSentBy(event))),
      ...delivery,
    ]
    const counted = [...statements, countDelivered(event, !isWhole)]
    deps.passFault('event_before_commit')
    const results = await deps.db.write(counted, { retry: true })
    deps.passFault('event_committed')
    const stored = await findEvent(deps.db, ws, id)
    if (stored === null) {
      if (await holds(deps.db, condition)) continue
      return null
    }
    if (stored.call !== event.call) {
      return { eventId: id, delivered: await firstAnswer(deps, stored), replayed: true }
    }
    if (isWhole) await continueOwners(deps, waits, results)
    await Promise.all(starts.map((start) => startTarget(deps, start, { ...event, data })))
    const delivered = await deliverRest(
      deps,
      { ...sent, at: stored.at },
      { isWhole, starts, stored },
    )
    return { eventId: id, delivered, replayed: false }
  }
  throw unavailable('The event could not be written. Try again.')
}

/** Each wait stores a copy of the event [events 1.6]. @throws {AppError} rate_limited `storage_full` */
const passStorage = ({ db, storage }: EventDeps, event: NewEvent): Promise<void> => {
  const bytes = event.data.length
  return storage.pass(event.ws, async (room) => {
    const copies = await countOpenWaits(db, event, Math.ceil(room / bytes))
    return bytes * (1 + copies)
  })
}

/** Milliseconds. The first call needs a commit for each target. */
const FIRST_ANSWER_MS = 2_000

/** Waits until the call that sent the event has delivered it, unless that takes long. @returns what that call answers */
const firstAnswer = async ({ db }: Pick<EventDeps, 'db'>, stored: StoredEvent): Promise<number> => {
  const delivery = await waitUntil({
    timeoutMs: FIRST_ANSWER_MS,
    subscribe: () => () => undefined,
    look: () => findDelivery(db, stored),
    isOver: (found) => found?.isUnderWay !== true,
  })
  return delivery?.delivered ?? stored.delivered
}

type Rest = Readonly<{
  isWhole: boolean
  starts: readonly EventStart[]
  stored: StoredEvent
}>

/** @returns how many waits and targets the event has reached */
const deliverRest = async (
  deps: EventDeps,
  sent: SentEvent,
  { isWhole, starts, stored }: Rest,
): Promise<number> => {
  if (!isWhole) return (await deliverToWaits(deps, sent)) ?? stored.delivered
  return starts.length === 0 ? stored.delivered : countReached(deps, sent)
}

const listStarts = async (
  { db, newId }: Pick<EventDeps, 'db' | 'newId'>,
  { ws, id, name }: NewEvent,
): Promise<readonly EventStart[]> =>
  (await listEventTargets(db, { ws, name })).map((target) => ({
    id: newId(),
    ws,
    eventId: id,
    ...target,
  }))
