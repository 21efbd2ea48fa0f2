/**
 * Rows that deleted apps have left. They may have gigabytes, so they are deleted in small writes after the app: by the sweep, and
 * before another app is made under the same key.
 */
import type { AppAddress } from '#core/app-address.ts'
import type { Database, Statement } from '../database.ts'
import { isOfAppCode, isOfWebhooks } from '../idempotency-keys.ts'
import { bool, exists, type RowOf, row, text } from '../row.ts'
import { join, raw, type SqlParameter, sql } from '../sql.ts'
import { fewOf, sizeOf } from '../sweeps.ts'

/** The tables with their primary keys, and an index that begins with the app. The trigger `apps_made` names them too. */
const TABLES = [
  {
    table: raw('app_state'),
    key: raw('ws, app, key'),
    bytes: sizeOf('value'),
    index: raw('app_state INDEXED BY app_state_keys'),
  },
  {
    table: raw('webhook_deliveries'),
    key: raw('ws, app, webhook, id'),
    bytes: raw('0'),
    index: raw('webhook_deliveries'),
  },
] as const

const SCHEDULES_BY_APP = raw('schedules INDEXED BY schedules_by_app')

/** Nearly all apps have few schedules, which are deleted with the app. The index has those of an app in the order of their key. */
const SCHEDULES = {
  table: raw('schedules'),
  key: raw('id'),
  bytes: sizeOf('input'),
  index: SCHEDULES_BY_APP,
  from: SCHEDULES_BY_APP,
} as const

/** A condition: the app is deleted. A held workspace must stay like its copy. */
const isDeleted = ({ ws, app }: Readonly<Record<keyof AppAddress, SqlParameter>>): Statement =>
  sql`NOT EXISTS (SELECT 1 FROM apps WHERE apps.ws = ${ws} AND apps.key = ${app})
    AND NOT EXISTS (SELECT 1 FROM held_workspaces h WHERE h.ws = ${ws})`

const isOf = ({ ws, app }: AppAddress): Statement => sql`ws = ${ws} AND app = ${app}`

const keysWhere = (isOf: (at: AppAddress) => Statement) => ({
  table: raw('idempotency_keys'),
  key: raw('ws, credential, route, key'),
  bytes: raw('0'),
  index: raw('idempotency_keys'),
  from: raw('idempotency_keys'),
  isOf,
})

/**
 * With these keys another app would answer a delivery or a call with a job of the deleted one. The sweep leaves them, because they
 * last a day at most.
 */
const CLEARED = [
  ...TABLES.map((one) => ({ ...one, from: one.table, isOf })),
  { ...SCHEDULES, isOf },
  keysWhere(isOfWebhooks),
  keysWhere(isOfAppCode),
]

/** Returns whether a deleted app has left rows. */
export const hasLeftRows = (db: Database, at: AppAddress): Promise<boolean> => {
  const left = CLEARED.map((one) => sql`EXISTS (SELECT 1 FROM ${one.index} WHERE ${one.isOf(at)})`)
  return exists(db, sql`SELECT 1 WHERE ${isDeleted(at)} AND (${join(left, ' OR ')})`)
}

type Cleared = Pick<(typeof CLEARED)[number], 'key' | 'bytes' | 'from' | 'isOf'>

/** A condition: the row is one of those of the app that one write may delete. */
const isAmongFew = ({ key, bytes, from, isOf }: Cleared, at: AppAddress): Statement =>
  sql`(${key}) IN (${fewOf({ key, bytes, from: sql`${from} WHERE ${isOf(at)} ORDER BY ${key}` })})`

/** Deletes some of the rows that a deleted app has left, as many as one write may delete. */
export const deleteSomeLeftRows = (at: AppAddress): readonly Statement[] =>
  CLEARED.map(
    (one) => sql`DELETE FROM ${one.table} WHERE ${isDeleted(at)} AND ${isAmongFew(one, at)}`,
  )

/**
 * A condition: a deleted app has left schedules, and another app under its key would get them. It is part of each write that makes
 * an app, because an app may be deleted after `hasLeftRows` was read.
 */
export const hasLeftSchedules = ({
  ws,
  app,
}: Readonly<Record<keyof AppAddress, SqlParameter>>): Statement =>
  sql`(EXISTS (SELECT 1 FROM ${SCHEDULES_BY_APP} WHERE schedules.ws = ${ws} AND schedules.app = ${app})
    AND NOT EXISTS (SELECT 1 FROM apps WHERE apps.ws = ${ws} AND apps.key = ${app}))`

/** Deletes some of the schedules that a deleted app has left. */
export const deleteSomeLeftSchedules = (at: AppAddress): Statement =>
  sql`${deleteSomeSchedules(at)} AND ${isDeleted(at)}`

/** Deletes a schedule, unless it was changed since it was read, if a deleted app has left it. */
export const deleteLeftSchedule = ({
  id,
  version,
  ...at
}: AppAddress & Readonly<{ id: string; version: number }>): Statement =>
  sql`DELETE FROM schedules WHERE ws = ${at.ws} AND app = ${at.app} AND id = ${id} AND version = ${version} AND ${isDeleted(at)}`

/** Deletes schedules of an app, as many as one write may delete. */
export const deleteSomeSchedules = (at: AppAddress): Statement =>
  sql`DELETE FROM schedules WHERE ${isAmongFew({ ...SCHEDULES, isOf }, at)}`

/** Apps that one statement visits. */
const APPS_AT_ONCE = 100

const visitedRow = row({ ws: text, app: text, isLeft: bool })

/** Visits the apps after this one in the order of an index, each by at most two searches. */
const visit = (
  db: Database,
  index: Statement,
  { ws, app }: AppAddress,
): Promise<readonly RowOf<typeof visitedRow>[]> =>
  visitedRow.all(
    db,
    sql`WITH RECURSIVE
      visited (at) AS (
        SELECT json_array(${ws}, ${app})
        UNION ALL
        SELECT COALESCE(
          (SELECT json_array(ws, app) FROM ${index} WHERE ws = at ->> 0 AND app > at ->> 1 ORDER BY app LIMIT 1),
          (SELECT json_array(ws, app) FROM ${index} WHERE ws > at ->> 0 ORDER BY ws, app LIMIT 1))
        FROM visited WHERE at IS NOT NULL LIMIT ${APPS_AT_ONCE + 1}),
      others (ws, app) AS (SELECT at ->> 0, at ->> 1 FROM visited WHERE at IS NOT NULL LIMIT -1 OFFSET 1)
      SELECT ws, app, ${isDeleted({ ws: raw('others.ws'), app: raw('others.app') })} AS is_left FROM others`,
  )

/** Finds the deleted apps that have left rows. */
export async function* findLeftApps(db: Database): AsyncGenerator<AppAddress> {
  for (const { index } of [...TABLES, SCHEDULES]) {
    let last: AppAddress | undefined = { ws: '', app: '' }
    while (last !== undefined) {
      const visited: readonly RowOf<typeof visitedRow>[] = await visit(db, index, last)
      for (const { ws, app, isLeft } of visited) if (isLeft) yield { ws, app }
      last = visited.at(-1)
    }
  }
}
