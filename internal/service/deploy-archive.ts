/** Deploys an uploaded tar.gz. */
import { readArchive } from '#bundle/archive.ts'
import type { Actor } from '#core/actor.ts'
import type { DeployPolicy } from '#core/deploy-policy.ts'
import { type DeployDeps, type Deployed, deployApps, toOne } from './deploy-app.ts'
import { deployPolicyOf } from './deploy-policy.ts'
import { type ReadApp, readApp } from './read-app.ts'

type Upload = Readonly<{ ws: string; archive: Uint8Array; message: string | null; actor: Actor }>

/** Deploys an archive; its commit is the hash of its files. @throws {AppError} unprocessable, conflict */
export const deployArchive = async (deps: DeployDeps, upload: Upload): Promise<Deployed> => {
  const app = await readUpload(upload.archive, await deployPolicyOf(deps, upload.ws))
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

/** The queue of uploads: one may unpack to 200 MiB, so only one is unpacked in memory at a time. */
let lastUpload: Promise<unknown> = Promise.resolve()

const readUpload = (archive: Uint8Array, policy: DeployPolicy): Promise<ReadApp> => {
  const turn = lastUpload.then(async () => readApp(await readArchive(archive), policy))
  lastUpload = turn.catch(() => undefined)
  return turn
}
