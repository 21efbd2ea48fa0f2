/** Starts the actions and flows that an app declares for an event [events 3]. Each start happens once, even after a crash. */
import { systemActor } from '#core/access/actor.ts'
import { AppError, isTemporary } from '#core/error.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { Statement } from '#store/database.ts'
import { findTakenEvent } from '#store/events/events.ts'
import {
  type EventStart,
  isStartPending,
  listPendingStarts,
  listWorkspacesWithStarts,
  markJoined,
  markRefused,
  markStarted,
  type PendingStart,
} from '#store/events/targets.ts'
import { hasJob } from '#store/jobs/guards.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import type { FlowDeps } from '../flows/engine.ts'
import { startRun } from '../flows/start-run.ts'
import { type EnqueueDeps, enqueueJob } from '../queue/enqueue-job.ts'
import { createTurnFailures } from '../turn-failures.ts'
import { openEventData } from './cipher.ts'

export type EventDeps = FlowDeps & EnqueueDeps & Pick<Deps, 'storage'>

type Cause = Readonly<{
  name: string
  key: string | null
  data: JsonValue
  chainDepth: number
  /** When the event came, if its start has waited. */
  requestedAt?: number
}>

/**
 * Starts a target. If it can never start, it is marked as refused with the reason.
 * @returns false if it has to wait, for example for room in the queue
 */
export const startTarget = async (
  deps: EventDeps,
  start: EventStart,
  { name, key, data, chainDepth, requestedAt }: Cause,
): Promise<boolean> => {
  const { ws, app, target } = start
  const trigger = { event: { id: start.eventId, name, key } }
  const who = {
    triggerKind: 'event',
    createdBy: `event:${start.eventId}`,
    permissionedAs: start.permissionedAs,
  } as const
  const condition = isStartPending(start.id)
  const shared = { ws, app, input: data, chainDepth, condition, ...who }
  try {
    if (start.kind === 'flow') {
      const runId = start.id
      const alongside = (guard: Statement) => [markStarted(start.id, runId, guard)]
      await startRun(deps, { ...shared, flow: target, runId, trigger, alongside })
      return true
    }
    const alongside = (jobId: string) => [markStarted(start.id, jobId, hasJob(ws, jobId))]
    const texts = { inputJson: JSON.stringify(data), triggerJson: JSON.stringify(trigger) }
    const onJoined = (jobId: Statement) => markJoined(start.id, jobId)
    const since = requestedAt === undefined ? {} : { requestedAt }
    const request = { ...shared, ...texts, ...since, action: target, alongside, onJoined }
    await enqueueJob(deps, request)
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal
    // the scheduler tries again
    if (isTemporary(refusal)) return false
    await deps.db.write([markRefused(start.id, refusal.message.slice(0, 500))], { retry: true })
  }
  return true
}

/** Starts of one workspace per turn. */
const MOST_STARTS = 20

/**
 * Retries starts that a crash or a full queue delayed. The first that has to wait ends the turn of its workspace.
 * @throws {Error} the first failure, after all other starts
 */
export const startPendingTargets = async (deps: EventDeps): Promise<void> => {
  const failures = createTurnFailures()
  for (const ws of await listWorkspacesWithStarts(deps.db)) {
    for (const start of await listPendingStarts(deps.db, ws, MOST_STARTS)) {
      if (!(await failures.keep(() => startPending(deps, start), true))) break
    }
  }
  failures.throwFirst()
}

/** @returns false if it has to wait */
const startPending = async (deps: EventDeps, start: PendingStart): Promise<boolean> => {
  const { ws, eventId: id } = start
  const event = await findTakenEvent(deps.db, ws, id)
  const workspace = await findWorkspace(deps.db, ws)
  if (event === null || workspace === null) {
    await deps.db.write([markRefused(start.id, 'The event is gone.')], { retry: true })
    return true
  }
  const { wrappedKey } = workspace
  let data: JsonValue
  try {
    data = openEventData(deps.keyring, { ws, id, wrappedKey }, event.data)
  } catch (fault) {
    // another instance key may be right, as during its rotation
    if (!(fault instanceof AppError)) await giveUp(deps, start)
    throw fault
  }
  return startTarget(deps, start, { ...event, data, requestedAt: start.at })
}

/** Refuses a start that would fail at every turn, and delay those behind it. The audit log shows it to the workspace. */
const giveUp = async (deps: EventDeps, start: EventStart): Promise<void> => {
  const { id, ws, eventId, app, target } = start
  const actor = systemActor(start.permissionedAs)
  await deps.db.write(
    [
      markRefused(id, 'The data of the event cannot be read.'),
      audited(deps, { ws, actor }, 'event.unreadable', `${eventId} ${app}/${target}`),
    ],
    { retry: true },
  )
}
