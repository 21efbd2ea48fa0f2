import { createHash } from 'node:crypto'
import { holdsScope, operationCreator, requireQueueChoice } from '#core/access/policy.ts'
import { AppError } from '#core/error.ts'
import { itemFault } from '#core/job/job-batch.ts'
import { isStopped } from '#core/job/operation.ts'
import { createPace } from '#service/portions/pace.ts'
import { checkRunTag } from '#service/queue/check-tag.ts'
import { type BatchItem, enqueueBatch } from '#service/queue/enqueue-batch.ts'
import { type ReplayDeps, replayJob } from '#service/queue/replay-job.ts'
import { countOperation, startOperation } from '#service/queue/start-operation.ts'
import { requireOperation, stopOperation } from '#service/queue/stop-operation.ts'
import { listOperations, type Operation } from '#store/operations.ts'
import { answer, ok } from '../answer.ts'
import type { InputOf } from '../endpoint.ts'
import { operationEndpoints } from '../endpoints/operations.ts'
import { handlers } from '../handlers.ts'
import { toJobId, toRowId } from '../row-id.ts'
import { accepted, checkKeys, idempotencyOf } from '../run-request.ts'
import { pageBefore, paginate } from '../schemas/page.ts'

type BatchInput = InputOf<typeof operationEndpoints.runJobBatch>
type WireItem = BatchInput['body']['items'][number]

const ROUTE = 'batch'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** @throws {AppError} */
const toItem = async (
  deps: ReplayDeps,
  { ws, principal }: BatchInput,
  item: WireItem,
): Promise<BatchItem> => {
  const { app, action, tag, priority, scheduled_for, idempotency_key: key } = item
  checkKeys({ app, action })
  requireQueueChoice(principal, { tag, priority })
  const input = item.input ?? {}
  const inputJson = JSON.stringify(input)
  if (Buffer.byteLength(inputJson) > deps.limits.maxBodyBytes) {
    throw new AppError('too_large', `The input is larger than ${deps.limits.maxBodyBytes} bytes.`)
  }
  const holdsAppsWrite = holdsScope(principal, 'apps:write')
  if (tag !== undefined) await checkRunTag(deps, { ws, app, action, tag, holdsAppsWrite })
  const route = `${ROUTE}/${app}/${action}`
  return {
    ws,
    app,
    action,
    input,
    inputJson,
    triggerKind: 'api',
    createdBy: principal.identity,
    permissionedAs: principal.identity,
    holdsAppsWrite,
    ...(tag === undefined ? {} : { tag }),
    ...(priority === undefined ? {} : { priority }),
    ...(scheduled_for === undefined ? {} : { scheduledFor: Date.parse(scheduled_for) }),
    ...(key === undefined
      ? {}
      : {
          idempotency: {
            credential: principal.credentialId,
            route,
            key,
            bodyHash: hashOf(inputJson),
          },
        }),
  }
}

const toItems = async (deps: ReplayDeps, input: BatchInput): Promise<readonly BatchItem[]> => {
  const items: BatchItem[] = []
  const pace = createPace()
  for (const [index, item] of input.body.items.entries()) {
    try {
      const read = await toItem(deps, input, item)
      items.push(read)
      await pace(read.inputJson.length)
    } catch (error) {
      throw error instanceof AppError ? itemFault(index, error) : error
    }
  }
  return items
}

const shown = (operation: Operation) => ({ ...operation, stopped: isStopped(operation) })

export const operationRoutes = handlers(operationEndpoints, (deps: ReplayDeps) => ({
  runJobBatch: async (input) => {
    const items = await toItems(deps, input)
    const { ids, queued } = await enqueueBatch(deps, input.ws, items)
    return answer(201, { jobIds: ids, queued })
  },
  replayJob: async (input) => {
    const { ws, params, body, principal: caller } = input
    const id = toJobId(params.id)
    const replayed = await replayJob(deps, {
      ws,
      id,
      caller,
      holdsAppsWrite: holdsScope(caller, 'apps:write'),
      commit: body?.commit ?? 'pinned',
      ...(body?.input === undefined ? {} : { input: body.input }),
      ...idempotencyOf(input, `replay/${id}`),
    })
    return accepted(201, replayed, { jobId: replayed.jobId })
  },
  startBulkOperation: async (input) => {
    const { ws, body, principal: caller, actor } = input
    const { do: kind, dry_run: isDry } = body
    const {
      trigger_kind: triggerKind,
      suspended: isSuspended,
      dismissed: isDismissed,
      in_flow: isInFlow,
      ...others
    } = body.filter
    const filter = { ...others, triggerKind, isSuspended, isDismissed, isInFlow }
    const holdsAppsWrite = holdsScope(caller, 'apps:write')
    const request = { ws, kind, filter, caller, actor, holdsAppsWrite }
    if (isDry === true) return ok({ matched: await countOperation(deps, request) })
    const started = await startOperation(deps, { ...request, ...idempotencyOf(input, 'bulk') })
    return accepted(202, started, { operationId: started.id, matched: started.matched })
  },
  listOperations: async ({ ws, query, principal }) => {
    const rows = await listOperations(deps.db, ws, {
      createdBy: operationCreator(principal),
      ...pageBefore(query),
    })
    return ok(paginate(rows.map(shown), query.limit, ({ id }) => id))
  },
  getOperation: async ({ ws, params, principal: caller }) => {
    const id = toRowId(params.id, 'Operation')
    return ok(shown(await requireOperation(deps, { ws, id, caller })))
  },
  stopOperation: async ({ ws, params, principal: caller, actor }) => {
    const id = toRowId(params.id, 'Operation')
    return ok(shown(await stopOperation(deps, { ws, id, caller, actor })))
  },
}))
