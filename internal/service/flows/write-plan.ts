/** Writes a plan as one batch, remembers its runs, and sends hints. A write whose answer was lost is recognized by its transition. */
import { isRunOver } from '#core/flow/run.ts'
import type { Statement, StatementResult } from '#store/database.ts'
import { isTransition } from '#store/flows/runs.ts'
import { listCallerTags } from '#store/jobs/called-runs.ts'
import { listQueuedTags } from '#store/jobs/read.ts'
import { holds } from '#store/row.ts'
import { ANY_TAG } from '../hints.ts'
import { claimedAlong } from '../queue/enqueue.ts'
import { wakeHandlers } from '../queue/handle-failures.ts'
import { recordRun } from '../record-spans.ts'
import { returnedTexts } from '../returned-texts.ts'
import type { FlowDeps } from './engine.ts'
import type { Plan, PlannedRun } from './planned-run.ts'

type PlanWrite = Readonly<{
  /** The index of the main run's row among the statements. @default 0 */
  mainAt?: number
  /** Called each time the write is handed to the database. */
  onQueued?: () => void
}>

/** @returns whether it was written, by this attempt or by one whose answer was lost */
export const writePlan = async (
  deps: FlowDeps,
  plan: Plan,
  statements: readonly Statement[],
  { mainAt = 0, onQueued }: PlanWrite = {},
): Promise<boolean> => {
  deps.passFault('flow_before_commit')
  const along = claimedAlong(deps, plan.dueJobs.length > 0 ? ANY_TAG : null, onQueued)
  const results = await deps.db.write(statements, { retry: true, ...along })
  deps.passFault('flow_committed')
  const main = plan.runs.get(plan.mainId)
  const isAnswered = (results[mainAt]?.changes ?? 0) === 1
  const isWritten =
    isAnswered ||
    (main !== undefined && (await holds(deps.db, isTransition(main.ws, main.id, plan.transition))))
  remember(deps, plan, isWritten ? statements : null)
  if (isWritten) giveHints(deps, plan, results)
  if (isWritten && !isAnswered && main !== undefined) await wakeAgain(deps, main.ws, plan)
  return isWritten
}

/** Wakes workers for the jobs of a write whose answer was lost with their tags. */
const wakeAgain = async (deps: FlowDeps, ws: string, plan: Plan): Promise<void> => {
  const { db, hints } = deps
  const failed = [...plan.runs.values()].filter(({ state }) => state.status === 'failed')
  await wakeHandlers(
    deps,
    failed.map(({ id }) => id),
  )
  const ended = [...plan.runs.values()].filter(
    ({ state, isBoundToJob }) => isBoundToJob && isRunOver(state.status),
  )
  const tags = [
    ...(plan.dueJobs.length === 0 ? [] : await listQueuedTags(db, ws, plan.dueJobs)),
    ...(ended.length === 0
      ? []
      : await listCallerTags(
          db,
          ws,
          ended.map(({ id }) => id),
        )),
  ]
  for (const tag of tags) hints.jobQueued.emit(tag)
}

/** @param statements that were written; null if none were, because the cached run was outdated */
const remember = (
  { flows: { runCache } }: FlowDeps,
  plan: Plan,
  statements: readonly Statement[] | null,
): void => {
  const characters = (statements ?? [])
    .flatMap(({ args }) => args)
    .reduce<number>((sum, arg) => sum + (typeof arg === 'string' ? arg.length : 0), 0)
  for (const run of plan.runs.values()) {
    if (statements === null || isRunOver(run.state.status)) runCache.forget(run)
    else runCache.keep({ ...run, version: (run.version ?? 0) + 1 }, characters)
  }
}

/** Whether the run, or one that waited for its end, may be due now (store/flows/concurrency.ts). */
const freesOrTakesSlot = ({ state: { definition, status }, version }: PlannedRun): boolean =>
  definition.concurrency !== undefined && (version === null || isRunOver(status))

/** Sends hints: the tags of inserted and woken jobs, and the ids of jobs that were woken, canceled or marked to be. */
const giveHints = (
  { hints, db, spans }: Pick<FlowDeps, 'hints' | 'db' | 'spans'>,
  plan: Plan,
  results: readonly StatementResult[],
): void => {
  const texts = (column: string): ReadonlySet<string> => returnedTexts(results, column)
  for (const tag of texts('tag')) {
    if (plan.dueJobs.length > 0) hints.jobQueued.forward(tag)
    else hints.jobQueued.emit(tag)
  }
  for (const id of texts('marked_id')) hints.cancelRequested.emit(id)
  for (const column of ['ended_id', 'woken_id']) {
    for (const id of texts(column)) hints.jobChanged.emit(id)
  }
  for (const id of texts('due_run_id')) hints.waitDue.emit(id)
  for (const id of plan.runs.keys()) hints.flowChanged.emit(id)
  for (const run of plan.runs.values()) if (freesOrTakesSlot(run)) hints.waitDue.emit(run.id)
  if (!spans.isOn) return
  for (const { ws, id, state } of plan.runs.values()) {
    if (isRunOver(state.status)) void recordRun({ db, spans }, { ws, id })
  }
}
