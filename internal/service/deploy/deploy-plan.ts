/** Plans what the deployment of one app writes: nothing if its content is already current. */
import type { Actor } from '#core/access/actor.ts'
import type { DeploymentSource } from '#core/deploy/source.ts'
import { conflict, type ErrorDetail } from '#core/error.ts'
import { type Manifest, storedManifest } from '#core/manifest/manifest.ts'
import {
  type App,
  type ExpectedApp,
  findApp,
  type Preview,
  upsertDeployedApp,
} from '#store/apps/apps.ts'
import {
  findDeployment,
  findDeploymentContent,
  insertDeployment,
  insertDeploymentAction,
  type NewDeployment,
} from '#store/apps/deployments.ts'
import { findGitSource } from '#store/apps/git-sources.ts'
import { wasRolledBack } from '#store/apps/redeployments.ts'
import {
  hasDeploymentFiles,
  insertDeploymentFiles,
  type SourceFile,
} from '#store/apps/source-files.ts'
import { deleteNotesOf } from '#store/apps/unused-sources.ts'
import type { Statement } from '#store/database.ts'
import type { ReadApp } from '../apps/read-app.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { allFunctionStatements } from '../functions/deploy-functions.ts'
import { runsFunctions } from '../functions/runs-functions.ts'
import { clearDeletedApp } from '../left-rows.ts'
import { scheduleStatements } from '../schedules/deploy-schedules.ts'
import { resumeSchedules } from '../schedules/resume-schedules.ts'
import type { AdmitLate } from './admit-late.ts'
import { eventStatements } from './deploy-events.ts'
import { findDeployWarnings } from './deploy-warnings.ts'
import { keepBundles } from './keep-bundles.ts'
import { keepSources } from './keep-sources.ts'

export type DeployRequest = Readonly<{
  ws: string
  source: DeploymentSource
  /** Null to use each app's content hash. */
  commit: string | null
  gitSourceId: string | null
  message: string | null
  actor: Actor
  admitLate?: AdmitLate
  /** An automatic sync: it does not redeploy an app that a user rolled back from this commit. */
  isAutomatic?: boolean
  /** The app and branch that the deployed app is a preview of. */
  preview?: Preview
  /** @default app.deployed */
  auditedAs?: string
}>

export type DeployDeps = Pick<Deps, 'db' | 'newId' | 'limits' | 'storage'>

export type Plan = Readonly<{
  ws: string
  deploymentId: string
  commit: string
  manifest: Manifest
  functions: readonly string[]
  warnings: readonly ErrorDetail[]
  /**
   * Returns the statements that insert the deployment; empty when it is current already. They come before `statements` of all
   * plans, which do nothing without them.
   * @param isExpected a condition
   */
  inserts: (isExpected: Statement) => readonly Statement[]
  statements: readonly Statement[]
  /** The deployment that the plan replaces. */
  expected: ExpectedApp
}>

/** @throws {AppError} conflict; rate_limited `storage_full` */
export const makePlan = async (
  deps: DeployDeps,
  app: ReadApp,
  request: DeployRequest & Readonly<{ id: string }>,
): Promise<Plan> => {
  const { manifest } = app
  const commit = request.commit ?? app.hash
  const current = await findApp(deps.db, request.ws, manifest.key)
  await refuseOtherSource(deps, current, request)
  refuseOtherBranch(current, request)
  const unchanged =
    (await findUnchanged(deps, current, { ...request, app, commit })) ??
    (await findRollback(deps, current, { ...request, commit }))
  const functions = app.functions?.map(({ source }) => source.name) ?? []
  const replaces = current?.deploymentId ?? null
  const { ws } = request
  const expected = { ws, key: manifest.key, deploymentId: replaces }
  const warnings = await findDeployWarnings(deps, ws, app)
  const shown = { ws, commit, manifest, functions, warnings, expected }
  if (unchanged !== null) {
    return { ...shown, deploymentId: unchanged, inserts: () => [], statements: [] }
  }
  await deps.storage.pass(ws)
  const { auditedAs = 'app.deployed' } = request
  const audit = audited(deps, request, auditedAs, `${manifest.key} ${commit}`)
  const at = { ws, app: manifest.key, deployedBy: request.actor.identity, deploymentId: request.id }
  if (current === null) await clearDeletedApp(deps, at)
  const files = await keepSources(deps, app.sources)
  await keepBundles(deps, app.entries)
  const inserts = (isAsExpected: Statement) => [
    insertDeployment(toRow(app, { ...request, commit }), isAsExpected),
    audit,
  ]
  const statements = [
    ...toStatements(app, { ...request, files }, replaces),
    ...(app.functions === null ? [] : await allFunctionStatements(deps, app.functions, at)),
    ...(await resumeSchedules(deps, { ...request, app: manifest.key, ...keysOf(manifest) })),
    ...(await scheduleStatements(deps, { ...request, ...manifest, app: manifest.key })),
    ...eventStatements({ ...request, ...manifest, app: manifest.key }),
  ]
  return { ...shown, deploymentId: request.id, inserts, statements }
}

/** @throws {AppError} conflict */
const refuseOtherSource = async (
  { db }: DeployDeps,
  current: App | null,
  { ws, gitSourceId }: DeployRequest,
): Promise<void> => {
  const holder = current?.gitSourceId ?? null
  if (gitSourceId === null || holder === null || holder === gitSourceId) return
  // a source that was deleted during its sync owns nothing
  if ((await findGitSource(db, ws, holder)) === null) return
  throw conflict(
    `The app "${current?.key}" comes from another git source. Delete that source or the app, or change the key.`,
    { code: 'app_exists' },
  )
}

/** @throws {AppError} conflict */
const refuseOtherBranch = (current: App | null, { preview }: DeployRequest): void => {
  if (preview === undefined || current === null) return
  if (current.previewOf === preview.of && current.previewBranch === preview.branch) return
  const holder = current.previewBranch === null ? 'an app' : `branch ${current.previewBranch}`
  throw conflict(`"${current.key}" is taken by ${holder}. Rename the branch.`, {
    code: 'app_exists',
  })
}

/**
 * Returns the current deployment if it has this commit and content. The content matters too, because one repository may have
 * the same key in two folders. An automatic sync leaves functions that were deployed separately.
 */
const findUnchanged = async (
  { db }: DeployDeps,
  current: App | null,
  {
    app,
    commit,
    isAutomatic,
  }: Pick<DeployRequest, 'isAutomatic'> & Readonly<{ app: ReadApp; commit: string }>,
): Promise<string | null> => {
  if (current === null || current.deploymentId === null || current.commit !== commit) return null
  const { ws, key } = current
  const replacesFunctions = isAutomatic !== true && app.functions !== null
  if (replacesFunctions && !(await runsFunctions({ db }, { ws, app: key }, hashesOf(app)))) {
    return null
  }
  const content = await findDeploymentContent(db, current.deploymentId)
  // a deployment from before sources were kept is created again
  if (!(await hasDeploymentFiles(db, current.deploymentId))) return null
  const isSame =
    content.manifestJson === storedManifest(app.manifest) &&
    app.entries.every(({ entrypoint, hash }) => content.bundleHashes.get(entrypoint) === hash)
  return isSame ? current.deploymentId : null
}

/** Returns the current deployment if a user rolled back to it from this commit. */
const findRollback = async (
  { db }: DeployDeps,
  current: App | null,
  { ws, commit, gitSourceId, isAutomatic }: DeployRequest & Readonly<{ commit: string }>,
): Promise<string | null> => {
  if (isAutomatic !== true || current === null || gitSourceId === null) return null
  const isBack = await wasRolledBack(db, { ws, app: current.key, commit, gitSourceId })
  return isBack ? current.deploymentId : null
}

const toRow = (
  app: ReadApp,
  request: DeployRequest & Readonly<{ id: string; commit: string }>,
): NewDeployment => ({
  ...request,
  createdBy: request.actor.identity,
  app: app.manifest.key,
  manifestJson: storedManifest(app.manifest),
  functions: app.functions === null ? null : hashesOf(app),
})

const toStatements = (
  { manifest, entries }: ReadApp,
  request: DeployRequest & Readonly<{ id: string; files: readonly SourceFile[] }>,
  replaces: string | null,
): readonly Statement[] => {
  const { id, ws, gitSourceId } = request
  const hashes = new Map(entries.map(({ entrypoint, hash }) => [entrypoint, hash]))
  return [
    insertDeploymentFiles(id, request.files),
    deleteNotesOf(id),
    ...manifest.actions.map((action) =>
      insertDeploymentAction(id, action, hashes.get(action.entrypoint) ?? ''),
    ),
    upsertDeployedApp(
      {
        ws,
        key: manifest.key,
        name: manifest.name,
        deploymentId: id,
        gitSourceId,
        ...(request.preview === undefined ? {} : { preview: request.preview }),
      },
      replaces,
    ),
  ]
}

const hashesOf = ({ functions }: ReadApp): ReadonlyMap<string, string> =>
  new Map(functions?.map(({ source: { name, hash } }) => [name, hash]))

/** Returns whether the plan took effect. It did not if another deploy was first. */
export const isCurrent = async (
  { db }: DeployDeps,
  { ws, statements, deploymentId }: Plan,
): Promise<boolean> =>
  statements.length === 0 || (await findDeployment(db, ws, deploymentId)) !== null

/** Keys of the actions and flows that a manifest declares. */
export const keysOf = ({ actions, flows }: Manifest) => ({
  actions: actions.map(({ key }) => key),
  flows: flows.map(({ key }) => key),
})
