/** The storage quota covers deployments and versions of functions. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '#store/sql.ts'
import { bundledApp, bundledFunction, UPLOAD } from '../../../test/support/bundled-app.ts'
import { WS } from '../../../test/support/open-queue.ts'
import {
  ADMIN,
  actorFor,
  openTestWorkspace,
  type TestWorkspace,
} from '../../../test/support/test-workspace.ts'
import { deployApps } from '../deploy/deploy-app.ts'
import { redeployApp } from '../deploy/redeploy-app.ts'
import { createDeploymentUse } from './deployment-use.ts'
import { createStorageMeter } from './storage-meter.ts'

const KIB = 1_024

let place: TestWorkspace
beforeEach(async () => {
  place = await openTestWorkspace()
})
afterEach(() => place.close())

type Sent = Readonly<{ app: string; files: Readonly<Record<string, number>>; code?: string }>

/** Deploys an app with files of these sizes in KiB. @returns the id of the deployment */
const deploy = async ({ app, files, code = 'code' }: Sent, deps = place.deps): Promise<string> => {
  const sources = new Map(
    Object.entries(files).map(([path, size]) => [path, new Uint8Array(size * KIB).fill(size)]),
  )
  const read = { ...bundledApp(app, code), sources, hash: `sha256:${JSON.stringify(files)}` }
  const [deployed] = await deployApps(deps, [read], UPLOAD)
  return deployed?.deploymentId ?? ''
}
/** Whole KiB that a deployment adds, which has less than one KiB besides its files and bundles. */
const added = async (sent: Sent): Promise<number> => {
  const measure = createDeploymentUse(place.db)
  const before = await measure(WS)
  await deploy(sent)
  return Math.floor(((await measure(WS)) - before) / KIB)
}

test('a file counts once in deployments of an app that follow each other', async () => {
  expect(await added({ app: 'shop', files: { a: 100, b: 20 } })).toBe(120)
  expect(await added({ app: 'shop', files: { a: 100, b: 30 } })).toBe(30)
  expect(await added({ app: 'bank', files: { a: 100 } })).toBe(100)
  const code = 'x'.repeat(40 * KIB)
  expect(await added({ app: 'bank', files: { a: 100 }, code })).toBe(40)
})

test('many files are read in portions, and a deployment only once', async () => {
  const files = Object.fromEntries(Array.from({ length: 1_100 }, (_, n) => [`file-${n}`, 1]))
  await deploy({ app: 'shop', files })
  const measure = createDeploymentUse(place.db)
  expect(await measure(WS)).toBeGreaterThan(1_100 * KIB)
  expect(await measure(WS)).toBeLessThan(1_300 * KIB)
  await place.db.write([sql`UPDATE deployment_files SET bytes = 0`])
  expect(await measure(WS)).toBeGreaterThan(1_100 * KIB)
})

test('versions of functions count', async () => {
  const meter = createStorageMeter({ reads: place.db, now: Date.now, quotaBytes: 0 })
  const app = bundledApp('shop', 'code')
  const functions = [bundledFunction('hello', 'h'.repeat(50 * KIB))]
  await deployApps(place.deps, [{ ...app, functions }], UPLOAD)
  expect((await meter.measure(WS)).bytes).toBeGreaterThan(50 * KIB)
})

test('a workspace at its quota may neither deploy nor redeploy', async () => {
  const first = await deploy({ app: 'shop', files: { a: 600 } })
  await deploy({ app: 'shop', files: { a: 700 } })
  const storage = createStorageMeter({ reads: place.db, now: Date.now, quotaBytes: KIB * KIB })
  const deps = { ...place.deps, storage }
  const full = { code: 'storage_full' }
  await expect(deploy({ app: 'shop', files: { a: 1 } }, deps)).rejects.toMatchObject(full)
  const actor = actorFor(ADMIN)
  await expect(
    redeployApp(deps, { ws: WS, id: first, message: null, actor }),
  ).rejects.toMatchObject(full)
  // what is deployed already stores nothing
  await expect(deploy({ app: 'shop', files: { a: 700 } }, deps)).resolves.not.toBe('')
})
