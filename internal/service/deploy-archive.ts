/** Deploys an uploaded tar.gz. */
import { readArchive } from '#bundle/archive.ts'
import type { Actor } from '#core/actor.ts'
import { type Deployed, deployApps, toOne } from './deploy-app.ts'
import type { Deps } from './deps.ts'
import { type ReadApp, readApp } from './read-app.ts'

type Upload = Readonly<{ ws: string; archive: Uint8Array; message: string | null; actor: Actor }>

/** Its commit is the hash of its files. @throws {AppError} unprocessable, conflict */
export const deployArchive = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  upload: Upload,
): Promise<Deployed> => {
  const app = await readUpload(upload.archive)
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

/** The one queue of uploads: installed packages may unpack to 200 MiB, which are in memory once and not ten times. */
let lastUpload: Promise<unknown> = Promise.resolve()

const readUpload = (archive: Uint8Array): Promise<ReadApp> => {
  const turn = lastUpload.then(async () => readApp(await readArchive(archive)))
  lastUpload = turn.catch(() => undefined)
  return turn
}
