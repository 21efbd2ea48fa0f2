/** Deploys an uploaded tar.gz. */
import type { Actor } from '#core/access/actor.ts'
import type { DeploymentChanges } from '#core/deploy/changes.ts'
import type { ErrorDetail } from '#core/error.ts'
import type { AdmitLate } from './admit-late.ts'
import { compareWithRunning } from './compare-deployment.ts'
import { type Deployed, deployApps, type ReadDeps, toOne } from './deploy-app.ts'
import { deployPolicyOf } from './deploy-policy.ts'
import { findDeployWarnings } from './deploy-warnings.ts'
import { readForDeployment, readForPlan, type Upload } from './read-upload.ts'

type DeployUpload = Upload &
  Readonly<{ message: string | null; actor: Actor; admitLate: AdmitLate }>

/** Deploys an archive; its commit is the hash of its files. @throws {AppError} unprocessable, conflict */
export const deployArchive = async (deps: ReadDeps, upload: DeployUpload): Promise<Deployed> => {
  const app = await readForDeployment(deps, upload, await deployPolicyOf(deps, upload.ws))
  const request = {
    ws: upload.ws,
    source: 'upload',
    commit: null,
    gitSourceId: null,
    message: upload.message,
    actor: upload.actor,
    admitLate: upload.admitLate,
  } as const
  return toOne(await deployApps(deps, [app], request))
}

/** What the deployment of an archive would change. */
export type ArchivePlan = Readonly<{
  app: string
  commit: string
  /** Absent if there are none. */
  warnings?: readonly ErrorDetail[]
}> &
  DeploymentChanges

/** Reads and compares an archive; writes nothing. @throws {AppError} unprocessable; bad_gateway */
export const planArchive = async (
  deps: ReadDeps,
  { ws, archive }: Upload,
): Promise<ArchivePlan> => {
  const next = await readForPlan(deps, { ws, archive }, await deployPolicyOf(deps, ws))
  const { key: app } = next.manifest
  const changes = await compareWithRunning(deps, { ws, app }, next)
  const warnings = await findDeployWarnings(deps, ws, next)
  return { app, commit: next.hash, ...changes, ...(warnings.length === 0 ? {} : { warnings }) }
}
