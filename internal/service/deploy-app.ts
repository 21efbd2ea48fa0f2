/**
 * Deploys apps from git, uploads and drafts. All faults are found before anything is written; then all apps become
 * current in one atomic write, or none.
 */
import type { AppFiles } from '#bundle/app-files.ts'
import type { BundledFunction } from '#bundle/bundle-functions.ts'
import type { Actor } from '#core/actor.ts'
import { AppError, conflict, type ErrorDetail } from '#core/error.ts'
import { type Manifest, storedManifest } from '#core/manifest.ts'
import { toPreview } from '#core/preview.ts'
import { type App, findApp, type Preview, upsertDeployedApp } from '#store/apps.ts'
import { insertBundle } from '#store/bundles.ts'
import type { Statement } from '#store/database.ts'
import {
  findDeployment,
  findDeploymentContent,
  insertDeployment,
  insertDeploymentAction,
} from '#store/deployments.ts'
import { findGitSource } from '#store/git-sources.ts'
import { wasRolledBack } from '#store/redeployments.ts'
import { hasDeploymentFiles, insertDeploymentFiles, type SourceFile } from '#store/source-files.ts'
import { audited } from './audited.ts'
import { eventStatements } from './deploy-events.ts'
import { deployPolicyOf } from './deploy-policy.ts'
import { scheduleStatements } from './deploy-schedules.ts'
import type { Deps } from './deps.ts'
import { allFunctionStatements } from './functions/deploy-functions.ts'
import { keepSources } from './keep-sources.ts'
import { type PackageDeps, packagesOfApp } from './packages/packages-of-app.ts'
import { type ReadApp, readApp, warningsOf } from './read-app.ts'
import { resumeSchedules } from './resume-schedules.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

export type DeployRequest = Readonly<{
  ws: string
  source: 'git' | 'upload' | 'draft'
  /** Null to use each app's content hash. */
  commit: string | null
  gitSourceId: string | null
  message: string | null
  actor: Actor
  /** An automatic sync: it does not redeploy an app that a user rolled back from this commit. */
  isAutomatic?: boolean
  /** The app and the branch that the app shows. */
  preview?: Preview
  /** @default app.deployed */
  auditedAs?: string
}>

export type Deployed = Readonly<{
  deploymentId: string
  app: string
  commit: string
  actions: readonly string[]
  flows: readonly string[]
  functions: readonly string[]
  /** Absent if there are none. */
  warnings?: readonly ErrorDetail[]
}>

export type DeployDeps = Pick<Deps, 'db' | 'newId' | 'limits'>

/** As `DeployDeps`, for apps whose packages may have to be fetched. */
export type ReadDeps = DeployDeps & PackageDeps

/** Reads, checks and deploys one app. @throws {AppError} unprocessable, conflict, unavailable */
export const deployApp = async (
  deps: ReadDeps,
  request: DeployRequest &
    Readonly<{
      files: AppFiles
      /** The key that the manifest must have. @default any */
      onlyApp?: string
      /** Deploys it under another key, as the preview of a branch. */
      asPreview?: Readonly<{ key: string; branch: string }>
    }>,
): Promise<Deployed> => {
  const { ws, files, onlyApp, asPreview, ...rest } = request
  const policy = await deployPolicyOf(deps, ws)
  const app = await readApp(files, policy, await packagesOfApp(deps, ws, files))
  const { key } = app.manifest
  if (onlyApp !== undefined && key !== onlyApp) {
    throw new AppError('unprocessable', `The manifest has the key "${key}", not "${onlyApp}".`, {
      code: 'wrong_key',
    })
  }
  if (asPreview === undefined) return toOne(await deployApps(deps, [app], request))
  const shown = { ...app, manifest: toPreview(app.manifest, asPreview.key) }
  const preview = { of: key, branch: asPreview.branch }
  return toOne(await deployApps(deps, [shown], { ...rest, ws, preview }))
}

/** Returns the only element of a deploy of one app. */
export const toOne = ([deployed]: readonly Deployed[]): Deployed => {
  if (deployed === undefined) throw new Error('A deploy of one app returned none.')
  return deployed
}

/**
 * Deploys apps with different keys in one write. An app whose content is current gets no second deployment.
 * @throws {AppError} conflict `app_exists`: an app belongs to another git source; unavailable
 */
export const deployApps = async (
  deps: DeployDeps,
  apps: readonly ReadApp[],
  request: DeployRequest,
): Promise<readonly Deployed[]> => {
  const ids = apps.map(() => deps.newId())
  return retryOnConflict(async () => {
    const plans = await Promise.all(
      apps.map((app, index) => makePlan(deps, app, { ...request, id: ids[index] ?? '' })),
    )
    const statements = plans.flatMap((plan) => plan.statements)
    if (statements.length > 0) await deps.db.write(statements, { retry: true })
    const isDone = await Promise.all(plans.map((plan) => isCurrent(deps, request.ws, plan)))
    return isDone.every(Boolean) ? plans.map(toDeployed) : null
  }, overtaken)
}

/** Builds the error when other deploys of the same app won on every try. */
export const overtaken = (): AppError =>
  new AppError('unavailable', 'The app is being deployed over and over. Try again.', {
    retryAfterS: 1,
  })

type Plan = Readonly<{
  deploymentId: string
  commit: string
  manifest: Manifest
  functions: readonly string[]
  warnings: readonly ErrorDetail[]
  /** Empty when the deployment is current already. */
  statements: readonly Statement[]
}>

const makePlan = async (
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
    (await findUnchanged(deps, current, { app, commit })) ??
    (await findRollback(deps, current, { ...request, commit }))
  const functions = app.functions?.map(({ source }) => source.name) ?? []
  const shown = { commit, manifest, functions, warnings: warningsOf(app) }
  if (unchanged !== null) return { ...shown, deploymentId: unchanged, statements: [] }
  const { auditedAs = 'app.deployed' } = request
  const audit = audited(deps, request, auditedAs, `${manifest.key} ${commit}`)
  const replaces = current?.deploymentId ?? null
  const at = { ws: request.ws, app: manifest.key, deployedBy: request.actor.identity }
  const files = await keepSources(deps, app.sources)
  const statements = [
    ...toStatements(app, { ...request, commit, audit, files }, replaces),
    ...(app.functions === null ? [] : await allFunctionStatements(deps, app.functions, at)),
    ...(await resumeSchedules(deps, { ...request, app: manifest.key, ...keysOf(manifest) })),
    ...(await scheduleStatements(deps, { ...request, ...manifest, app: manifest.key })),
    ...eventStatements({ ...request, ...manifest, app: manifest.key }),
  ]
  return { ...shown, deploymentId: request.id, statements }
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

/** Returns the current deployment if it has this commit and content; one repository may have one key in two folders. */
const findUnchanged = async (
  { db }: DeployDeps,
  current: App | null,
  { app, commit }: Readonly<{ app: ReadApp; commit: string }>,
): Promise<string | null> => {
  if (current === null || current.deploymentId === null || current.commit !== commit) return null
  const content = await findDeploymentContent(db, current.deploymentId)
  // a deployment from before sources were kept is created again
  if (!(await hasDeploymentFiles(db, current.deploymentId))) return null
  const isSame =
    content.manifestJson === storedManifest(app.manifest) &&
    app.entries.every(({ entrypoint, hash }) => content.bundleHashes.get(entrypoint) === hash)
  return isSame ? current.deploymentId : null
}

/** Returns the deployment to which a user rolled back from this commit. */
const findRollback = async (
  { db }: DeployDeps,
  current: App | null,
  { ws, commit, gitSourceId, isAutomatic }: DeployRequest & Readonly<{ commit: string }>,
): Promise<string | null> => {
  if (isAutomatic !== true || current === null || gitSourceId === null) return null
  const isBack = await wasRolledBack(db, { ws, app: current.key, commit, gitSourceId })
  return isBack ? current.deploymentId : null
}

const toStatements = (
  { manifest, entries, functions }: ReadApp,
  request: DeployRequest &
    Readonly<{ id: string; commit: string; audit: Statement; files: readonly SourceFile[] }>,
  replaces: string | null,
): readonly Statement[] => {
  const { id, ws, gitSourceId } = request
  const hashes = new Map(entries.map(({ entrypoint, hash }) => [entrypoint, hash]))
  return [
    ...entries.map((entry) => insertBundle(entry.hash, entry)),
    insertDeployment(
      {
        ...request,
        createdBy: request.actor.identity,
        app: manifest.key,
        manifestJson: storedManifest(manifest),
        functions: functions === null ? null : toHashes(functions),
      },
      replaces,
    ),
    request.audit,
    insertDeploymentFiles(id, request.files),
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

const toHashes = (functions: readonly BundledFunction[]): ReadonlyMap<string, string> =>
  new Map(functions.map(({ source: { name, hash } }) => [name, hash]))

/** Returns whether the deployment was inserted; it is not if another deploy won. */
const isCurrent = async (
  { db }: DeployDeps,
  ws: string,
  { statements, deploymentId }: Plan,
): Promise<boolean> =>
  statements.length === 0 || (await findDeployment(db, ws, deploymentId)) !== null

const toDeployed = ({ deploymentId, commit, manifest, functions, warnings }: Plan): Deployed => ({
  deploymentId,
  app: manifest.key,
  commit,
  ...keysOf(manifest),
  functions,
  ...(warnings.length === 0 ? {} : { warnings }),
})

const keysOf = ({ actions, flows }: Manifest) => ({
  actions: actions.map(({ key }) => key),
  flows: flows.map(({ key }) => key),
})
