/** Queues many jobs in one commit, either all or none of them [jobs 17.1]. */
import { overtaken } from '#core/deploy/overtaken.ts'
import { AppError, invalid, unavailable } from '#core/error.ts'
import { itemFault, MAX_BATCH_APPS, MAX_BATCH_CHECK_S } from '#core/job/job-batch.ts'
import { SECOND_MS } from '#core/time-units.ts'
import type { StatementResult } from '#store/database.ts'
import { areDeployed, hasJob } from '#store/jobs/guards.ts'
import { findJobTag } from '#store/jobs/read.ts'
import { allOf } from '#store/sql.ts'
import { createPace } from '../portions/pace.ts'
import { MAX_TRIES } from '../retry-on-conflict.ts'
import type { DeployedAction } from './action-cache.ts'
import { checkInput, emitQueued, enqueueStatements, type JobRequest } from './enqueue.ts'
import { type EnqueueDeps, unknownTarget } from './enqueue-job.ts'
import { findFirst, type Idempotency, keyStatements, otherBody } from './idempotency.ts'

export type BatchItem = JobRequest & Readonly<{ idempotency?: Idempotency }>

type Planned = Readonly<{
  /** Its place in the batch. */
  index: number
  request: BatchItem
  action: DeployedAction
  jobId: string
}>

export type EnqueuedBatch = Readonly<{
  /** In the order of the items. */
  ids: readonly string[]
  /** How many jobs the batch has made. The other items got one that there was, or that of an earlier item. */
  queued: number
}>

/** Characters of an input that take as long to check as the other work for its item. */
const ITEM_WEIGHT = 10_000

/**
 * Queues all items, or none if one is refused. An item whose key was used before, also by an earlier item of the batch, gets the
 * id of that first job.
 * @throws {AppError} the refusal of an item, which names it; rate_limited: the queue has no room for all
 */
export const enqueueBatch = async (
  deps: EnqueueDeps,
  ws: string,
  items: readonly BatchItem[],
): Promise<EnqueuedBatch> => {
  checkApps(items)
  const makers = findMakers(items)
  const firsts = await findAllFirst(deps, items)
  const isNew = (index: number): boolean => firsts[index] === null && makers[index] === index
  const wanted = items.filter((_, index) => isNew(index)).length
  const giveBack = wanted > 0 ? await deps.gate.passMany(ws, wanted) : null
  const made = items.map((_, index) => firsts[index] ?? deps.newId())
  const ids = makers.map((maker) => made[maker] ?? '')
  try {
    const joined = await queueOrRetry(deps, ws, { items, isNew, ids, inTime: createDeadline() })
    giveBack?.(joined.size)
    return { ids: ids.map((id) => joined.get(id) ?? id), queued: wanted - joined.size }
  } catch (error) {
    // after other errors the jobs may be queued
    if (error instanceof AppError && error.kind !== 'unavailable') giveBack?.(wanted)
    throw error
  }
}

/** Tries again after a change that overtook it. @returns the waiting jobs that items joined, by the ids that these would have had */
const queueOrRetry = async (
  deps: EnqueueDeps,
  ws: string,
  batch: Items,
): Promise<ReadonlyMap<string, string>> => {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    // only the current deployment refuses an item, never a cached one
    if (attempt > 0) for (const item of batch.items) deps.actions.forget(item)
    const joined = await tryQueue(deps, ws, batch).catch((error: unknown) => {
      if (attempt > 0 || !(error instanceof AppError)) throw error
      return null
    })
    if (joined !== null) return joined
  }
  throw overtaken()
}

type Items = Readonly<{
  items: readonly BatchItem[]
  /** Whether the item at this index makes a job. */
  isNew: (index: number) => boolean
  ids: readonly string[]
  /** @throws {AppError} unavailable: the checks have taken too long */
  inTime: () => void
}>

/** Each check may take half a second, so those of a thousand items would keep a request and its memory for minutes. */
const createDeadline = (): (() => void) => {
  const until = performance.now() + MAX_BATCH_CHECK_S * SECOND_MS
  return () => {
    if (performance.now() < until) return
    throw unavailable(
      `The checks of the inputs took more than ${MAX_BATCH_CHECK_S} s. Send fewer items at once, or make the schema simpler.`,
      { code: 'batch_too_slow', retryAfterS: RETRY_AFTER_S },
    )
  }
}

const RETRY_AFTER_S = 10

const tryQueue = async (
  deps: EnqueueDeps,
  ws: string,
  { items, isNew, ids, inTime }: Items,
): Promise<ReadonlyMap<string, string> | null> => {
  return queueAll(deps, ws, { planned: await planNew(deps, { items, isNew, ids }), inTime })
}

const inItem = async <T>(index: number, check: () => T | Promise<T>): Promise<T> => {
  try {
    return await check()
  } catch (error) {
    throw error instanceof AppError ? itemFault(index, error) : error
  }
}

const checkApps = (items: readonly BatchItem[]): void => {
  if (new Set(items.map(({ app }) => app)).size <= MAX_BATCH_APPS) return
  throw invalid(`A batch names at most ${MAX_BATCH_APPS} apps. Send several batches.`)
}

const keyOf = ({ idempotency }: BatchItem): string | null =>
  idempotency !== undefined && 'route' in idempotency
    ? `${idempotency.route} ${idempotency.key}`
    : null

/**
 * Finds for each item the index of the item that makes its job: an earlier one of the same key, else itself.
 * @throws {AppError} conflict: the two have different inputs
 */
const findMakers = (items: readonly BatchItem[]): readonly number[] => {
  const byKey = new Map<string, number>()
  return items.map((item, index) => {
    const key = keyOf(item)
    if (key === null) return index
    const maker = byKey.get(key) ?? index
    byKey.set(key, maker)
    if (items[maker]?.inputJson === item.inputJson) return maker
    throw itemFault(index, otherBody())
  })
}

const findAllFirst = async (
  deps: EnqueueDeps,
  items: readonly BatchItem[],
): Promise<readonly (string | null)[]> => {
  const firsts: (string | null)[] = []
  for (const [index, item] of items.entries()) {
    firsts.push(await inItem(index, () => findFirst(deps, item)))
  }
  return firsts
}

/**
 * Plans the items that make jobs. The others get their first job, whatever is deployed now.
 * @throws {AppError} the first fault of an item
 */
const planNew = async (
  deps: EnqueueDeps,
  { items, isNew, ids }: Omit<Items, 'inTime'>,
): Promise<readonly Planned[]> => {
  const planned: Planned[] = []
  for (const [index, request] of items.entries()) {
    if (!isNew(index)) continue
    const action = await deps.actions.find(deps.db, request)
    if (action === null) throw itemFault(index, await unknownTarget(deps, request))
    planned.push({
      index,
      request: { ...request, mayDebounce: true },
      action,
      jobId: ids[index] ?? '',
    })
  }
  return planned
}

/** Returns the deployments that the items depend on, each once. */
const deploymentsOf = (ws: string, planned: readonly Planned[]) => {
  const byApp = new Map(planned.map(({ request, action }) => [request.app, action.deploymentId]))
  return [...byApp].map(([app, deploymentId]) => ({ ws, app, deploymentId }))
}

/** @returns other ids for items whose key another request took meanwhile; null if an app was deployed meanwhile */
const queueAll = async (
  deps: EnqueueDeps,
  ws: string,
  { planned, inTime }: Readonly<{ planned: readonly Planned[] }> & Pick<Items, 'inTime'>,
): Promise<ReadonlyMap<string, string> | null> => {
  if (planned.length === 0) return new Map()
  const isCurrent = areDeployed(deploymentsOf(ws, planned))
  // an item without a key or debounce is inserted whenever the apps are deployed as planned, so the others depend on it alone
  const anchor = planned.find(
    ({ request, action: { definition } }) =>
      request.idempotency === undefined && definition.debounce === null,
  )
  const isAnchored = anchor === undefined ? isCurrent : hasJob(ws, anchor.jobId)
  const ordered =
    anchor === undefined ? planned : [anchor, ...planned.filter((job) => job !== anchor)]
  const take = []
  const jobs = []
  const release = []
  /** Where the statements of each item end. */
  const ends: number[] = []
  const pace = createPace()
  for (const job of ordered) {
    const keys = keyStatements(job.request, job.jobId, 'jobs')
    const guard = allOf(job === anchor ? isCurrent : isAnchored, keys.holds)
    take.push(...keys.take)
    const own = await inItem(job.index, async () => {
      inTime()
      await checkInput(deps, job)
      return enqueueStatements(deps, job, guard, keys.move)
    })
    ends.push(jobs.length + own.length)
    jobs.push(...own)
    if (keys.release !== null) release.push(keys.release)
    await pace(ITEM_WEIGHT + job.request.inputJson.length)
  }
  const results = await deps.db.write({ take, jobs, release }, { retry: true })
  emitOnce(deps, results.jobs)
  const others = new Map<string, string>()
  for (const [at, { request, jobId }] of ordered.entries()) {
    const own = results.jobs.slice(ends[at - 1] ?? 0, ends[at])
    const id = own.flatMap(({ rows }) => rows)[0]?.id
    if (id === jobId) continue
    if (typeof id === 'string') {
      others.set(jobId, id)
      continue
    }
    const holder = (await findFirst(deps, request)) ?? jobId
    // the write may have been repeated after its answer was lost: then the job exists
    if ((await findJobTag(deps.db, ws, holder)) === null) return null
    others.set(jobId, holder)
  }
  return others
}

/** Emits one hint per tag, which is enough: workers claim as many jobs as they have room for. */
const emitOnce = ({ hints }: EnqueueDeps, results: readonly StatementResult[]): void => {
  const byTag = new Map(
    results.flatMap((result) => result.rows.map((row) => [row.tag, { ...result, rows: [row] }])),
  )
  emitQueued({ hints }, [...byTag.values()])
}
