/** Describes the job, flow run or schedule of a notification, as it is when the notification is sent [notifications 3.1]. */

import { isJsonObject, type JsonValue, parseJsonOrNull } from '#core/json/value.ts'
import type { NotifyData } from '#core/notify/message.ts'
import type { NOTIFY_EVENTS } from '#core/notify/rule.ts'
import { findJobDetail } from '#store/jobs/read.ts'
import type { Notification } from '#store/notifications.ts'
import { findSchedule } from '#store/schedules/schedules.ts'
import type { Deps } from '../deps.ts'
import type { WithFlows } from '../flows/engine.ts'
import { readRun } from '../flows/read-run.ts'

export type DescribeDeps = Pick<Deps, 'db' | 'keyring'> &
  WithFlows &
  Readonly<{
    /** The base of links into the console; null if it is not known. */
    baseUrl: string | null
  }>

const MAX_MESSAGE = 2_000

/** Returns name and message, but no stack, which would show code. */
const shownError = (error: unknown): JsonValue =>
  isJsonObject(error)
    ? {
        name: String(error.name ?? 'Error').slice(0, 200),
        message: String(error.message ?? '').slice(0, MAX_MESSAGE),
      }
    : null

const pageOf = ({ baseUrl }: DescribeDeps, ws: string, path: string): NotifyData =>
  baseUrl === null ? {} : { url: `${baseUrl}/ui/w/${ws}/${path}` }

const ofJob = async (
  deps: DescribeDeps,
  { ws, subject: id }: Notification,
): Promise<NotifyData> => {
  const job = await findJobDetail(deps.db, ws, id)
  return {
    job_id: id,
    ...(job === null
      ? {}
      : {
          app: job.app,
          action: job.action,
          attempt: job.attempt,
          trigger_kind: job.triggerKind,
          created_by: job.createdBy,
          error: shownError(parseJsonOrNull(job.resultJson ?? 'null')),
        }),
    ...pageOf(deps, ws, `jobs/${id}`),
  }
}

const ofRun = async (
  deps: DescribeDeps,
  { ws, subject: id, event, stepIndex }: Notification,
): Promise<NotifyData> => {
  const detail = await readRun(deps, ws, id)
  const page = { flow_run_id: id, ...pageOf(deps, ws, `flow-runs/${id}`) }
  if (detail === null) return page
  const { run, error, steps } = detail
  const of = { ...page, app: run.app, flow: run.flow, created_by: run.createdBy }
  if (event === 'flow_failed') return { ...of, error: shownError(error?.toJSON() ?? null) }
  const step = steps[stepIndex ?? -1]
  return { ...of, step: step?.key ?? null, ...step?.shown }
}

const ofSchedule = async (
  deps: DescribeDeps,
  { ws, subject: id }: Notification,
): Promise<NotifyData> => {
  const schedule = await findSchedule(deps.db, ws, id)
  return {
    schedule_id: id,
    ...(schedule === null
      ? {}
      : {
          app: schedule.app,
          ...(schedule.action === null ? { flow: schedule.flow } : { action: schedule.action }),
          reason: schedule.disabledReason,
        }),
    ...pageOf(deps, ws, `schedules/${id}`),
  }
}

const DESCRIBE: Readonly<Record<(typeof NOTIFY_EVENTS)[number], typeof ofJob>> = {
  job_failed: ofJob,
  flow_failed: ofRun,
  approval_waiting: ofRun,
  schedule_disabled: ofSchedule,
}
const BY_NAME = new Map<string, typeof ofJob>(Object.entries(DESCRIBE))

/** Describes the event of a notification. A test has nothing but its workspace. */
export const describeEvent = async (
  deps: DescribeDeps,
  notification: Notification,
): Promise<NotifyData> => ({
  workspace: notification.ws,
  ...(await BY_NAME.get(notification.event)?.(deps, notification)),
})
