/** Deployments. They never change, so a job pins its code by the id of a deployment. */
import type { ActionDefinition } from '#core/action/definition.ts'
import { DEPLOYMENT_SOURCES, type DeploymentSource } from '#core/deploy/source.ts'
import type { Database, Statement } from '../database.ts'
import { identityName } from '../people/identity-name.ts'
import { number, oneOf, parsed, type RowOf, row, text, time } from '../row.ts'
import { type IdPage, positionOf, searchRows } from '../search.ts'
import { listed, raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import { parseActionDefinition } from './action-column.ts'
import { isNotExpired } from './expired-deployments.ts'

/** Splits a list of keys. Keys contain no commas. */
const keys = parsed((list) => list.split(',').filter((key) => key !== ''))

const KEY_COLUMNS = {
  actions: keys(
    sql`COALESCE((SELECT group_concat(key, ',') FROM deployment_actions a WHERE a.deployment_id = d.id), '')`,
  ),
  flows: keys(
    sql`COALESCE((SELECT group_concat(json_extract(value, '$.key'), ',') FROM json_each(d.manifest, '$.flows')), '')`,
  ),
} as const

const deploymentRow = row({
  id: text,
  app: text,
  commit: text('commit_id'),
  source: oneOf(DEPLOYMENT_SOURCES),
  gitSourceId: text.nullable,
  message: text.nullable,
  createdBy: text,
  createdByName: text.nullable(identityName('d.created_by', 'd.ws')),
  createdAt: time,
  /** The former deployment that this one made current again. */
  redeployedFrom: text.nullable,
  ...KEY_COLUMNS,
})
export type Deployment = RowOf<typeof deploymentRow>

const { actions: _actions, flows: _flows, ...bareColumns } = deploymentRow.fields
const bareDeploymentRow = row({
  ...bareColumns,
  manifestSize: number(sql`octet_length(d.manifest)`),
})
/** A deployment without the keys of what it contains, and the bytes that are read to find them. */
export type BareDeployment = RowOf<typeof bareDeploymentRow>

/** Finds a deployment of the workspace. */
export const findDeployment = (db: Database, ws: string, id: string): Promise<Deployment | null> =>
  deploymentRow.one(
    db,
    sql`SELECT ${deploymentRow.columns('d')} FROM deployments d
      WHERE d.ws = ${ws} AND d.id = ${id} AND ${isNotExpired('d')}`,
  )

export type DeploymentFilter = IdPage & Readonly<{ app: string | null }>

/** Lists the deployments of a workspace, or of one of its apps, newest first. */
export const listDeployments = (
  db: Database,
  ws: string,
  { app, beforeId, limit }: DeploymentFilter,
): Promise<readonly BareDeployment[]> => {
  const ofApp = {
    from: raw('deployments AS d INDEXED BY deployments_by_app'),
    within: sql`d.ws = ${ws} AND d.app = ${app}`,
    matching: isNotExpired('d'),
  }
  // no index has the deployments of all apps in order, and + keeps the planner from sorting those of the workspace
  const ofAll = {
    from: raw('deployments AS d'),
    within: TRUE,
    matching: sql`+d.ws = ${ws} AND ${isNotExpired('d')}`,
  }
  const list = { ...(app === null ? ofAll : ofApp), key: ['d.id'] }
  return searchRows(db, list, {
    columns: bareDeploymentRow.columns('d'),
    read: (page) => bareDeploymentRow.all(db, page),
    before: positionOf(beforeId),
    limit,
  })
}

const deploymentKeysRow = row({ id: text, ...KEY_COLUMNS })

/** Returns the keys of the actions and flows of some deployments. */
export const findDeploymentKeys = (
  db: Database,
  ids: readonly string[],
): Promise<readonly RowOf<typeof deploymentKeysRow>[]> =>
  deploymentKeysRow.all(
    db,
    sql`SELECT ${deploymentKeysRow.columns('d')} FROM deployments d
      WHERE d.id IN ${listed(ids)}`,
  )

const deploymentActionRow = row({
  commit: text('d.commit_id'),
  entrypoint: text,
  bundleHash: text,
  definition: parsed(parseActionDefinition),
})
export type DeploymentAction = RowOf<typeof deploymentActionRow>

/** Finds what a worker runs. It never changes, so callers may cache it. */
export const findDeploymentAction = (
  db: Database,
  deploymentId: string,
  action: string,
): Promise<DeploymentAction | null> =>
  deploymentActionRow.one(
    db,
    sql`SELECT ${deploymentActionRow.columns('a')}
      FROM deployment_actions a JOIN deployments d ON d.id = a.deployment_id
      WHERE a.deployment_id = ${deploymentId} AND a.key = ${action}`,
  )

/** Lists actions that a deployment pinned, by key. */
export const listDeploymentActions = (
  db: Database,
  deploymentId: string,
  { afterKey, limit }: Readonly<{ afterKey: string; limit: number }>,
): Promise<readonly ActionDefinition[]> =>
  parsed(parseActionDefinition).all(
    db,
    sql`SELECT definition FROM deployment_actions
      WHERE deployment_id = ${deploymentId} AND key > ${afterKey} ORDER BY key LIMIT ${limit}`,
  )

const bundledActionRow = row({ entrypoint: text, bundleHash: text })

export type DeploymentContent = Readonly<{
  manifestJson: string
  /** Bundle hashes by entrypoint. */
  bundleHashes: ReadonlyMap<string, string>
}>

/** Returns the manifest and the bundle hashes of a deployment. */
export const findDeploymentContent = async (
  db: Database,
  deploymentId: string,
): Promise<DeploymentContent> => {
  const [manifestJson, actions] = await Promise.all([
    text.one(db, sql`SELECT manifest FROM deployments WHERE id = ${deploymentId}`),
    // apart, because a join repeats the manifest for each action
    bundledActionRow.all(
      db,
      sql`SELECT ${bundledActionRow.columns()} FROM deployment_actions WHERE deployment_id = ${deploymentId}`,
    ),
  ])
  return {
    manifestJson: manifestJson ?? '',
    bundleHashes: new Map(actions.map(({ entrypoint, bundleHash }) => [entrypoint, bundleHash])),
  }
}

export type NewDeployment = Readonly<{
  id: string
  ws: string
  app: string
  commit: string
  source: DeploymentSource
  gitSourceId: string | null
  message: string | null
  manifestJson: string
  createdBy: string
  /** Hashes by name; null if the deployment does not change the app's functions. */
  functions: ReadonlyMap<string, string> | null
}>

/** Inserts a deployment. @param isExpected a condition: the app has the current deployment that the caller expects */
export const insertDeployment = (
  { functions, ...deployment }: NewDeployment,
  isExpected: Statement,
): Statement =>
  sql`INSERT INTO deployments (id, ws, app, commit_id, source, git_source_id, message, manifest, created_by,
      created_at, functions)
    SELECT ${deployment.id}, ${deployment.ws}, ${deployment.app}, ${deployment.commit}, ${deployment.source},
      ${deployment.gitSourceId}, ${deployment.message}, ${deployment.manifestJson}, ${deployment.createdBy},
      ${SQL_NOW}, ${functions === null ? null : JSON.stringify(Object.fromEntries(functions))}
    WHERE ${isExpected} ON CONFLICT DO NOTHING`

/** A condition: the deployment exists. */
export const existsDeployment = (id: string): Statement =>
  sql`EXISTS (SELECT 1 FROM deployments WHERE id = ${id})`

/** Inserts an action of a deployment. Inserts nothing if the deployment was not inserted. */
export const insertDeploymentAction = (
  deploymentId: string,
  definition: ActionDefinition,
  bundleHash: string,
): Statement =>
  sql`INSERT INTO deployment_actions (deployment_id, key, entrypoint, bundle_hash, definition)
    SELECT id, ${definition.key}, ${definition.entrypoint}, ${bundleHash}, ${JSON.stringify(definition)}
    FROM deployments WHERE id = ${deploymentId}
    ON CONFLICT DO NOTHING`
