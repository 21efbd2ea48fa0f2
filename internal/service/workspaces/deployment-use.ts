/** Measures how many bytes the deployments of a workspace store. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import QuickLRU from 'quick-lru'
import type { Reader } from '#store/database.ts'
import {
  type DeploymentPlace,
  listDeploymentPlaces,
  readFileBytes,
  readOwnBytes,
  type SizedDeployment,
} from '#store/workspaces/deployment-sizes.ts'

/** Rows of one read. */
const PORTION = 500
const CACHED_DEPLOYMENTS = 50_000

const measureOne = async (reads: Reader, deployment: SizedDeployment): Promise<number> => {
  let bytes = await readOwnBytes(reads, deployment)
  for (let after: string | undefined = ''; after !== undefined; ) {
    const files: Awaited<ReturnType<typeof readFileBytes>> = await readFileBytes(
      reads,
      deployment,
      { after, limit: PORTION },
    )
    bytes += files.reduce((sum, file) => sum + file.bytes, 0)
    after = files.length < PORTION ? undefined : files.at(-1)?.path
    await nextTurn()
  }
  return bytes
}

/** @returns a function that measures a workspace, and reads only the deployments that it has not measured before */
export const createDeploymentUse = (reads: Reader): ((ws: string) => Promise<number>) => {
  const measured = new QuickLRU<string, number>({ maxSize: CACHED_DEPLOYMENTS })
  const bytesOf = async (deployment: SizedDeployment): Promise<number> => {
    const key = `${deployment.id} ${deployment.previousId}`
    const known = measured.get(key)
    if (known !== undefined) return known
    const bytes = await measureOne(reads, deployment)
    measured.set(key, bytes)
    return bytes
  }
  return async (ws) => {
    let bytes = 0
    let last: DeploymentPlace = { app: '', id: '' }
    for (;;) {
      const places = await listDeploymentPlaces(reads, ws, { after: last, limit: PORTION })
      for (const place of places) {
        const previousId = place.app === last.app ? last.id : ''
        bytes += await bytesOf({ id: place.id, previousId })
        last = place
      }
      if (places.length < PORTION) return bytes
      await nextTurn()
    }
  }
}
