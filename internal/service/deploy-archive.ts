/** Deploys an uploaded tar.gz. */
import type { AppFiles } from '#bundle/app-files.ts'
import { readArchive } from '#bundle/archive.ts'
import type { Actor } from '#core/actor.ts'
import type { DeployPolicy } from '#core/deploy-policy.ts'
import type { DeploymentChanges } from '#core/deployment-changes.ts'
import { compareWithRunning } from './compare-deployment.ts'
import { type Deployed, deployApps, type ReadDeps, toOne } from './deploy-app.ts'
import { deployPolicyOf } from './deploy-policy.ts'
import { packagesOfApp } from './packages/packages-of-app.ts'
import { bringsItsPackages } from './packages/plan-packages.ts'
import { type ReadApp, readApp } from './read-app.ts'

type PlanRequest = Readonly<{ ws: string; archive: Uint8Array }>
type Upload = PlanRequest & Readonly<{ message: string | null; actor: Actor }>

/** Deploys an archive; its commit is the hash of its files. @throws {AppError} unprocessable, conflict */
export const deployArchive = async (deps: ReadDeps, upload: Upload): Promise<Deployed> => {
  const app = await readUpload(deps, upload, await deployPolicyOf(deps, upload.ws))
  const request = {
    ws: upload.ws,
    source: 'upload',
    commit: null,
    gitSourceId: null,
    message: upload.message,
    actor: upload.actor,
  } as const
  return toOne(await deployApps(deps, [app], request))
}

/** What a deployment of an archive would change of what runs. */
export type ArchivePlan = Readonly<{ app: string; commit: string }> & DeploymentChanges

/** Reads and compares an archive; writes nothing. @throws {AppError} unprocessable; bad_gateway */
export const planArchive = async (
  deps: ReadDeps,
  { ws, archive }: PlanRequest,
): Promise<ArchivePlan> => {
  const next = await readUpload(deps, { ws, archive }, await deployPolicyOf(deps, ws))
  const { key: app } = next.manifest
  return { app, commit: next.hash, ...(await compareWithRunning(deps, { ws, app }, next)) }
}

/** The queue of uploads: one may unpack to 200 MiB, so only one is unpacked in memory at a time. */
let lastUpload: Promise<unknown> = Promise.resolve()

const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
  const turn = lastUpload.then(act)
  lastUpload = turn.catch(() => undefined)
  return turn
}

type Unpacked = Readonly<{ files: AppFiles; app: ReadApp | null }>

const readUpload = async (
  deps: ReadDeps,
  { ws, archive }: PlanRequest,
  policy: DeployPolicy,
): Promise<ReadApp> => {
  const { files, app } = await inTurn<Unpacked>(async () => {
    const files = await readArchive(archive)
    return { files, app: bringsItsPackages(files) ? await readApp(files, policy) : null }
  })
  // a slow registry must not keep the uploads of others waiting
  return app ?? readApp(files, policy, await packagesOfApp(deps, ws, files))
}
