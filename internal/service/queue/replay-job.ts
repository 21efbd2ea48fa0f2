/** Runs the action of an ended job again with the same input, as a new job [jobs 17.4]. */
import { mayReplay } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import { conflict, forbidden, notFound } from '#core/error.ts'
import { requireInput } from '#core/job/start-target.ts'
import { isTerminal } from '#core/job/transitions.ts'
import { passesRequest, type TriggerKind } from '#core/job/trigger-kind.ts'
import type { JsonValue } from '#core/json/value.ts'
import { findReplaySource, type ReplaySource } from '#store/jobs/read.ts'
import type { Deps } from '../deps.ts'
import { openJobText } from '../flows/open-job.ts'
import { type EnqueueDeps, type Enqueued, type EnqueueRequest, enqueueJob } from './enqueue-job.ts'
import type { Idempotency } from './idempotency.ts'

export type ReplayDeps = EnqueueDeps & Pick<Deps, 'keyring'>

/** What the new job runs: what the old one pinned, or what is deployed now. */
export type ReplayCommit = 'pinned' | 'latest'

export type ReplayRequest = Readonly<{
  ws: string
  id: string
  caller: Principal
  holdsAppsWrite: boolean
  commit: ReplayCommit
  /** Replaces the old input; absent to keep it. */
  input?: JsonValue
  idempotency?: Idempotency
}>

/**
 * Queues the replay of a job.
 * @throws {AppError} not_found; forbidden; conflict `not_ended`; the refusals of `enqueueJob`
 */
export const replayJob = async (deps: ReplayDeps, request: ReplayRequest): Promise<Enqueued> => {
  const { ws, id, caller, idempotency, holdsAppsWrite } = request
  const source = await findReplaySource(deps.db, ws, id)
  if (source === null) throw notFound('Job')
  if (!mayReplay(caller, source)) {
    throw forbidden('Only the creator of a job or an admin may replay it.')
  }
  return enqueueJob(deps, {
    ...replayOf(deps, source, request),
    createdBy: caller.identity,
    permissionedAs: caller.identity,
    holdsAppsWrite,
    ...(idempotency === undefined ? {} : { idempotency }),
  })
}

type Replayed = Pick<ReplayRequest, 'commit' | 'input'>

/** Builds the request that runs a job again. @throws {AppError} conflict `not_ended`; invalid `not_an_object` */
export const replayOf = (
  { keyring }: Pick<Deps, 'keyring'>,
  source: ReplaySource,
  { commit, input }: Replayed,
): Omit<EnqueueRequest, 'createdBy' | 'permissionedAs'> => {
  if (!isTerminal(source.status)) {
    throw conflict(`The job is ${source.status}. Replay it when it has ended.`, {
      code: 'not_ended',
    })
  }
  const { ws, id, app, action, tag, priority, triggerJson } = source
  if (input !== undefined && hadObject(source)) requireInput(input)
  const stored =
    input === undefined
      ? openJobText(keyring, source, { field: 'input', text: source.inputJson })
      : null
  return {
    ws,
    app,
    action,
    input: stored?.toJSON() ?? input ?? null,
    inputJson: stored?.text ?? JSON.stringify(input ?? null),
    triggerKind: triggerOf(source),
    tag,
    priority,
    replayOf: id,
    ...(triggerJson === null ? {} : { triggerJson }),
    ...(commit === 'pinned' ? { pinnedDeployment: source.deploymentId } : {}),
  }
}

/** Whether the script read an object, as of a run. A webhook, an event or a step of a flow may pass any value. */
const hadObject = ({ sealed, inputJson }: ReplaySource): boolean =>
  sealed === null && inputJson !== null && inputJson.trimStart().startsWith('{')

/** The script gets the same trigger, unless the webhook was that of a flow run, to which the new job does not belong. */
const triggerOf = ({ triggerKind, triggerJson }: ReplaySource): TriggerKind =>
  passesRequest(triggerKind) && triggerJson === null ? 'api' : triggerKind
