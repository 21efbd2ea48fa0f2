/**
 * Deploys apps from git, uploads and drafts. All faults are found before anything is written; then all apps become
 * current in one atomic write, or none.
 */
import type { AppFiles } from '#bundle/app-files.ts'
import { overtaken } from '#core/deploy/overtaken.ts'
import { toPreview } from '#core/deploy/preview.ts'
import type { AppError, ErrorDetail } from '#core/error.ts'
import { haveDeployments, type Preview } from '#store/apps/apps.ts'
import { existsDeployment } from '#store/apps/deployments.ts'
import type { Statement } from '#store/database.ts'
import { allOf, TRUE } from '#store/sql.ts'
import { type ReadApp, readApp } from '../apps/read-app.ts'
import type { Deps } from '../deps.ts'
import { type PackageDeps, packagesOfApp } from '../packages/packages-of-app.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { resumeOtherSchedules } from '../schedules/resume-schedules.ts'
import {
  type DeployDeps,
  type DeployRequest,
  isCurrent,
  keysOf,
  makePlan,
  type Plan,
} from './deploy-plan.ts'
import { deployPolicyOf } from './deploy-policy.ts'

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

/** Like `DeployDeps`, for apps that are still to be read and whose packages may have to be fetched. */
export type ReadDeps = DeployDeps & PackageDeps & Pick<Deps, 'manifests'>

export type OneApp = Readonly<{
  ws: string
  files: AppFiles
  /** Returns why the app may not have this key; null if it may. @default any key */
  refuseKey?: (key: string) => AppError | null
}>

/** An app that was read, and the preview as which it is deployed, if any. */
export type Deployable = Readonly<{ app: ReadApp; preview?: Preview }>

/**
 * Reads and checks one app.
 * @param asPreview deploys it under another key, as the preview of a branch
 * @throws {AppError} unprocessable
 */
export const readOneApp = async (
  deps: ReadDeps,
  { ws, files, ...rules }: OneApp,
  asPreview: Readonly<{ key: string; branch: string }> | null = null,
): Promise<Deployable> => {
  const policy = await deployPolicyOf(deps, ws)
  const fetchPackages = () => packagesOfApp(deps, ws, files)
  const app = await readApp(deps, { ws, files, policy, fetchPackages, ...rules })
  if (asPreview === null) return { app }
  const shown = { ...app, manifest: toPreview(app.manifest, asPreview.key) }
  return { app: shown, preview: { of: app.manifest.key, branch: asPreview.branch } }
}

/** Reads, checks and deploys one app. @throws {AppError} unprocessable, conflict, unavailable */
export const deployApp = async (
  deps: ReadDeps,
  { files, refuseKey, ...request }: DeployRequest & OneApp,
): Promise<Deployed> => {
  const rules = refuseKey === undefined ? {} : { refuseKey }
  const { app } = await readOneApp(deps, { ws: request.ws, files, ...rules })
  return toOne(await deployApps(deps, [app], request))
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
export const deployApps = (
  deps: DeployDeps,
  apps: readonly ReadApp[],
  request: DeployRequest,
): Promise<readonly Deployed[]> =>
  deployTogether(
    deps,
    apps.map((app) => ({ app, request })),
    async ({ statements }) => {
      if (statements.length > 0) await deps.db.write(statements, { retry: true })
      return true
    },
  )

export type PlannedWrite = Readonly<{
  /** The statements of all deployments. */
  statements: readonly Statement[]
  /** A condition to check before the write: no other caller has deployed one of the apps since the plan was made. */
  isExpected: Statement
}>

export type TogetherOptions = Readonly<{
  /** A condition of all deployments. @default none */
  isStill?: Statement
  /** Does what follows the write, and may leave it to the next deployment. @default a failure is one of the deployment */
  follow?: (work: () => Promise<void>) => Promise<void>
}>

/**
 * Deploys apps with different keys, each by its own request, in one write.
 * @param write executes the planned write; returns false if another deploy was first and nothing was written
 * @throws {AppError} conflict, unavailable
 */
export const deployTogether = async (
  deps: DeployDeps,
  deploys: readonly Readonly<{ app: ReadApp; request: DeployRequest }>[],
  write: (planned: PlannedWrite) => Promise<boolean>,
  { isStill = TRUE, follow = (work) => work() }: TogetherOptions = {},
): Promise<readonly Deployed[]> => {
  const ids = deploys.map(() => deps.newId())
  return retryOnConflict(async () => {
    const plans = await Promise.all(
      deploys.map(({ app, request }, index) =>
        makePlan(deps, app, { ...request, id: ids[index] ?? '' }),
      ),
    )
    const isExpected = haveDeployments(plans.map(({ expected }) => expected))
    const statements = toBatch(plans, allOf(isExpected, isStill))
    for (const admitLate of new Set(deploys.map(({ request }) => request.admitLate))) {
      await admitLate?.()
    }
    if (!(await write({ statements, isExpected }))) return null
    const isDone = await Promise.all(plans.map((plan) => isCurrent(deps, plan)))
    if (!isDone.every(Boolean)) return null
    for (const [index, plan] of plans.entries()) {
      const actor = deploys[index]?.request.actor
      if (actor === undefined) continue
      await follow(() => resumeOtherSchedules(deps, { ...toResumption(plan), actor }))
    }
    return plans.map(toDeployed)
  }, overtaken)
}

/** Returns the statements of all plans, which write all of them or none. @param condition of the write */
const toBatch = (plans: readonly Plan[], condition: Statement): readonly Statement[] => {
  const [first, ...others] = plans.filter(({ statements }) => statements.length > 0)
  if (first === undefined) return []
  return [
    // before the first app changes, because the condition concerns all of them
    ...first.inserts(condition),
    ...others.flatMap((plan) => plan.inserts(existsDeployment(first.deploymentId))),
    ...[first, ...others].flatMap((plan) => plan.statements),
  ]
}

const toResumption = ({ deploymentId: id, ws, manifest }: Plan) => ({
  id,
  ws,
  app: manifest.key,
  ...keysOf(manifest),
})

const toDeployed = ({ deploymentId, commit, manifest, functions, warnings }: Plan): Deployed => ({
  deploymentId,
  app: manifest.key,
  commit,
  ...keysOf(manifest),
  functions,
  ...(warnings.length === 0 ? {} : { warnings }),
})
