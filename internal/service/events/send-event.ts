/**
 * Sends an event to the waits for it and to the targets that apps declare [events 1 to 3]. The event and the waits that
 * take it are one write. A wait that opens at the same moment is either part of that write or finds the event
 * afterwards, so no wait misses it.
 */
import { notFound, unavailable } from '#core/error.ts'
import type { JsonValue } from '#core/json/value.ts'
import { asTextOrNull } from '#store/column.ts'
import type { Statement, StatementResult } from '#store/database.ts'
import {
  areAllWaits,
  countDelivered,
  findDelivery,
  findEvent,
  insertEvent,
  isSentBy,
  listPendingEvents,
  listTakers,
  type NewEvent,
  type StoredEvent,
} from '#store/events/events.ts'
import { type EventStart, insertEventStart, listEventTargets } from '#store/events/targets.ts'
import { type EventWait, listOpenWaits } from '#store/events/waits.ts'
import { holds } from '#store/row.ts'
import { allOf, TRUE } from '#store/sql.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { createFairTurns, type FairTurns } from '../fair-turns.ts'
import { endWait } from '../flows/end-waits.ts'
import { createTurnFailures } from '../turn-failures.ts'
import { waitUntil } from '../wait-until.ts'
import { openEventData, sealEventData } from './cipher.ts'
import { deliveryStatements, type SentEvent } from './deliver-event.ts'
import { type EventDeps, startPendingTargets, startTarget } from './start-targets.ts'

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

/** The most waits that one write wakes. */
const PAGE = 200
const RUNS_AT_ONCE = 50
/** Attempts with a changing set of waits. After them the waits are woken page by page. */
const MAX_TRIES = 5

/** @returns null if `condition` does not hold @throws {AppError} not_found: the workspace; unavailable */
export const sendEvent = async (
  deps: EventDeps,
  request: EventRequest,
): Promise<EventSent | null> => {
  const { ws, name, key, data, condition = TRUE } = request
  const wrappedKey = await keyOf(deps, ws)
  const id = request.id ?? deps.newId()
  const event: NewEvent = {
    ws,
    id,
    call: deps.newId(),
    name,
    key,
    data: sealEventData(deps.keyring, { ws, id, wrappedKey }, data),
    sentBy: request.sentBy,
    chainDepth: request.chainDepth ?? 0,
  }
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const waits = await listOpenWaits(deps.db, event, { afterId: '', limit: PAGE + 1 })
    const isWhole = waits.length <= PAGE && attempt < MAX_TRIES - 1
    const ids = waits.map((wait) => wait.id)
    const guard = allOf(condition, isWhole ? areAllWaits(event, ids) : null)
    const starts = await listStarts(deps, event)
    const sent = { ...event, at: await deps.db.now(), value: data, wrappedKey }
    const delivery = isWhole ? deliveryStatements(deps, sent, waits) : []
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
    if (isWhole) await takeOn(deps, waits, results)
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

/** Milliseconds. The first call needs a commit for each target. */
const FIRST_ANSWER_MS = 2_000

/** Waits until the call that sent the event has delivered it, unless that takes long. @returns what that call answers */
const firstAnswer = async ({ db }: Pick<EventDeps, 'db'>, stored: StoredEvent): Promise<number> => {
  const look = () => findDelivery(db, stored)
  const ended = await waitUntil({
    timeoutMs: FIRST_ANSWER_MS,
    subscribe: () => () => undefined,
    look,
    isOver: (found) => found?.isUnderWay !== true,
  })
  return (ended ?? (await look()))?.delivered ?? stored.delivered
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
  if (!isWhole) return deliverPages(deps, sent, [])
  return starts.length === 0 ? stored.delivered : count(deps, sent)
}

const keyOf = async ({ db }: Pick<EventDeps, 'db'>, ws: string): Promise<string> => {
  const workspace = await findWorkspace(db, ws)
  if (workspace === null) throw notFound(`Workspace "${ws}"`)
  return workspace.wrappedKey
}

/** Wakes waits page by page. @param takers owners that already took the event. @returns how many waits took it */
const deliverPages = async (
  deps: EventDeps,
  event: SentEvent,
  takers: readonly string[],
): Promise<number> => {
  let afterId = ''
  for (;;) {
    const page = await listOpenWaits(deps.db, event, { afterId, limit: PAGE })
    const waits = page.filter(({ ownerId }) => !takers.includes(ownerId))
    const statements = deliveryStatements(deps, event, waits)
    if (statements.length > 0) {
      deps.passFault('event_before_commit')
      const results = await deps.db.write(statements, { retry: true })
      deps.passFault('event_committed')
      await takeOn(deps, waits, results)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    afterId = last.id
  }
  return count(deps, event)
}

const count = async (
  { db }: Pick<EventDeps, 'db'>,
  event: Pick<SentEvent, 'ws' | 'id' | 'call'>,
): Promise<number> => {
  await db.write([countDelivered(event, false)], { retry: true })
  return (await findEvent(db, event.ws, event.id))?.delivered ?? 0
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

/** Continues jobs and runs that were woken. A run that cannot advance now stays due, so the scheduler continues it. */
const takeOn = async (
  deps: EventDeps,
  waits: readonly EventWait[],
  results: readonly StatementResult[],
): Promise<void> => {
  const rows = results.flatMap((result) => result.rows)
  const texts = (column: string): ReadonlySet<string> =>
    new Set(rows.flatMap((row) => asTextOrNull(row[column] ?? null) ?? []))
  for (const tag of texts('tag')) deps.hints.jobQueued.emit(tag)
  const due = texts('due_run_id')
  const runs = waits.filter(({ ownerId }) => due.has(ownerId))
  for (let at = 0; at < runs.length; at += RUNS_AT_ONCE) {
    const some = runs.slice(at, at + RUNS_AT_ONCE)
    await Promise.allSettled(
      some.map(({ ws, ownerId, position }) => endWait(deps, { ws, id: ownerId, index: position })),
    )
  }
}

const AT_ONCE = 10

/**
 * Continues the delivery of events that a crash interrupted.
 * @throws {Error} the first failure, after all other events
 */
export const deliverPendingEvents = async (
  deps: EventDeps,
  turns: FairTurns = createFairTurns(),
): Promise<void> => {
  const failures = createTurnFailures()
  await failures.keep(() => startPendingTargets(deps), null)
  const deliver = async (event: StoredEvent): Promise<boolean> => {
    await deliverPages(deps, await openEvent(deps, event), await listTakers(deps.db, event))
    return true
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
  const wrappedKey = await keyOf(deps, event.ws)
  const value = openEventData(deps.keyring, { ...event, wrappedKey }, event.data)
  return { ...event, value, wrappedKey }
}
