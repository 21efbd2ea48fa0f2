/**
 * Deletes former deployments, in small writes. A deployment expires first: then no use case shows it or makes it current again, and
 * its rows can be deleted one after the other.
 */
import type { AppAddress } from '#core/app-address.ts'
import type { FormerDeployment } from '#core/deploy/unneeded-deployments.ts'
import type { Reader, Statement } from '../database.ts'
import { isDeployed } from '../jobs/guards.ts'
import { exists, type RowOf, row, text, time } from '../row.ts'
import { listed, raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import { fewOf, sizeOf } from '../sweeps.ts'
import { isNotHeld } from '../workspaces/held.ts'
import { isNotExpired } from './expired-deployments.ts'
import { bundleNotes } from './unused-bundles.ts'
import { sourceNotes } from './unused-sources.ts'

/** Deployments of deleted apps, and notes of apps that exist or have no deployment any more. */
const unnoted = (ws: string): Statement =>
  sql`FROM (SELECT DISTINCT ws, app FROM deployments INDEXED BY deployments_by_app WHERE ws = ${ws}) d
    WHERE ${isNotHeld('d.ws')} AND NOT EXISTS (SELECT 1 FROM apps WHERE apps.ws = d.ws AND apps.key = d.app)
    AND NOT EXISTS (SELECT 1 FROM deleted_apps n WHERE n.ws = d.ws AND n.app = d.app)`
const outdated = (ws: string): Statement =>
  sql`FROM deleted_apps AS n WHERE n.ws = ${ws} AND ${isNotHeld('n.ws')}
    AND (EXISTS (SELECT 1 FROM apps WHERE apps.ws = n.ws AND apps.key = n.app)
      OR NOT EXISTS (SELECT 1 FROM deployments d WHERE d.ws = n.ws AND d.app = n.app))`

/** Returns whether `noteDeletedApps` has something to write. */
export const hasDeletedAppsToNote = (db: Reader, ws: string): Promise<boolean> =>
  exists(
    db,
    sql`SELECT 1 WHERE EXISTS (SELECT 1 ${unnoted(ws)}) OR EXISTS (SELECT 1 ${outdated(ws)})`,
  )

/** Notes apps that were deleted, and removes notes that no longer hold. */
export const noteDeletedApps = (ws: string): readonly Statement[] => [
  sql`INSERT INTO deleted_apps (ws, app, since) SELECT d.ws, d.app, ${SQL_NOW} ${unnoted(ws)}`,
  sql`DELETE ${outdated(ws)}`,
]

/** Lists the apps of a workspace that have more deployments than `keep`, and those that were deleted. */
export const listAppsWithHistory = (
  db: Reader,
  ws: string,
  keep: number,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT app FROM deployments INDEXED BY deployments_by_app WHERE ws = ${ws} GROUP BY app HAVING count(*) > ${keep}
      UNION SELECT app FROM deleted_apps WHERE ws = ${ws}
      ORDER BY app`,
  )

const formerRow = row({ id: text, createdAt: time, gitSourceId: text.nullable })

/** Lists deployments of an app that have not expired, newest first, before this one. @param before null for the newest */
export const listFormer = (
  db: Reader,
  { ws, app }: AppAddress,
  { before, limit }: Readonly<{ before: string | null; limit: number }>,
): Promise<readonly FormerDeployment[]> =>
  formerRow.all(
    db,
    sql`SELECT ${formerRow.columns('d')} FROM deployments d INDEXED BY deployments_by_app
      WHERE d.ws = ${ws} AND d.app = ${app} AND ${before === null ? TRUE : sql`d.id < ${before}`}
        AND ${isNotExpired('d')}
      ORDER BY d.id DESC LIMIT ${limit}`,
  )

const appStateRow = row({
  currentId: text.nullable(
    sql`(SELECT deployment_id FROM apps WHERE ws = given.ws AND key = given.app)`,
  ),
  deletedAt: time.nullable(
    sql`(SELECT since FROM deleted_apps d WHERE d.ws = given.ws AND d.app = given.app)`,
  ),
})

/** Finds which deployment of an app is current, and since when the app is deleted. */
export const findAppState = async (
  db: Reader,
  { ws, app }: AppAddress,
): Promise<RowOf<typeof appStateRow>> =>
  (await appStateRow.one(
    db,
    sql`SELECT ${appStateRow.columns()} FROM (SELECT ${ws} AS ws, ${app} AS app) given`,
  )) ?? { currentId: null, deletedAt: null }

/** The tables whose rows pin a deployment. */
export const PINNING_TABLES = ['jobs', 'flow_runs'] as const

export type PinnedQuery = Readonly<{
  ws: string
  table: (typeof PINNING_TABLES)[number]
  /** The last id of the portion before; an empty text for the first. */
  after: string
  limit: number
}>

const pinnedRow = row({ id: text, deploymentId: text })

/** Reads which deployments a portion of the jobs or flow runs pins, in the order of their ids. */
export const listPinned = (
  db: Reader,
  { ws, table, after, limit }: PinnedQuery,
): Promise<readonly RowOf<typeof pinnedRow>[]> =>
  pinnedRow.all(
    db,
    sql`SELECT ${pinnedRow.columns()} FROM ${raw(table)} WHERE ws = ${ws} AND id > ${after} ORDER BY id LIMIT ${limit}`,
  )

/** Lets deployments expire, unless one is current by now or its workspace is held. */
export const expireDeployments = (ws: string, ids: readonly string[]): Statement =>
  sql`INSERT INTO expired_deployments (ws, deployment_id)
    SELECT d.ws, d.id FROM deployments d
    WHERE d.ws = ${ws} AND d.id IN ${listed(ids)} AND ${isNotHeld('d.ws')}
      AND NOT ${isDeployed(raw('d.ws'), raw('d.app'), raw('d.id'))}
    ON CONFLICT DO NOTHING`

/** Lists deployments of the workspace that have expired and are not deleted yet. */
export const listExpired = (db: Reader, ws: string): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT deployment_id FROM expired_deployments WHERE ws = ${ws} AND ${isNotHeld('ws')} ORDER BY deployment_id`,
  )

/** Returns whether an expired deployment has rows besides its own. */
export const hasContent = (db: Reader, id: string): Promise<boolean> =>
  exists(
    db,
    sql`SELECT 1 WHERE EXISTS (SELECT 1 FROM deployment_files WHERE deployment_id = ${id})
      OR EXISTS (SELECT 1 FROM deployment_actions WHERE deployment_id = ${id})`,
  )

/** The rows of a deployment, with what they refer to. */
const CONTENT = [
  {
    table: raw('deployment_files'),
    key: raw('deployment_id, path'),
    bytes: raw('0'),
    hash: raw('hash'),
    notes: sourceNotes,
  },
  {
    table: raw('deployment_actions'),
    key: raw('deployment_id, key'),
    bytes: sizeOf('definition'),
    hash: raw('bundle_hash'),
    notes: bundleNotes,
  },
] as const

/** Deletes some of the rows of an expired deployment, as many as one write may delete, and notes what they referred to. */
export const deleteSomeContent = (id: string): readonly Statement[] =>
  CONTENT.flatMap(({ table, key, bytes, hash, notes }) => {
    const some = fewOf({
      key,
      bytes,
      from: sql`${table} WHERE deployment_id = ${id} ORDER BY ${key}`,
    })
    return [
      notes.noteSelected(sql`SELECT DISTINCT ${hash} FROM ${table} WHERE (${key}) IN (${some})`),
      sql`DELETE FROM ${table} WHERE (${key}) IN (${some})`,
    ]
  })

/** Deletes an expired deployment that has no other rows. */
export const deleteExpiredDeployment = (ws: string, id: string): readonly Statement[] => [
  sql`DELETE FROM deployment_apps WHERE ws = ${ws} AND deployment_id = ${id}`,
  sql`DELETE FROM deployments WHERE ws = ${ws} AND id = ${id}`,
  sql`DELETE FROM expired_deployments WHERE ws = ${ws} AND deployment_id = ${id}`,
]
