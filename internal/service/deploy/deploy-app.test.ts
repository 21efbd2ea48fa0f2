/** Deploys what bundling produces. Bundling itself is tested in internal/bundle and test/http. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { BundledFunction } from '#bundle/bundle-functions.ts'
import { findApp, findCurrentAction } from '#store/apps/apps.ts'
import { insertBundle } from '#store/apps/bundles.ts'
import { listFunctionHashes, upsertFunction } from '#store/apps/functions.ts'
import { insertGitSource } from '#store/apps/git-sources.ts'
import { sizeOfValues, statementsOf } from '#store/batch.ts'
import { sql } from '#store/sql.ts'
import { releaseWorkspace } from '#store/workspaces/held.ts'
import { holdForMove } from '#store/workspaces/moved.ts'
import {
  BUNDLED_FUNCTION,
  bundledApp,
  bundledCode,
  bundledFunction,
  UPLOAD,
} from '../../../test/support/bundled-app.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { createEmptyApp, deletionOf } from '../apps/manage-app.ts'
import type { ReadApp } from '../apps/read-app.ts'
import { deployApps, toOne } from './deploy-app.ts'
import type { DeployRequest } from './deploy-plan.ts'
import { redeployApp } from './redeploy-app.ts'

const place = await workspaceForFile()
let key = ''
let count = 0
beforeEach(() => {
  count += 1
  key = `app-${count}`
})

const appOf = (code: string, name?: string): ReadApp => bundledApp(key, code, name)
const deploy = async (app: ReadApp, more: Partial<DeployRequest> = {}) =>
  toOne(await deployApps(place.deps, [app], { ...UPLOAD, ...more }))
const current = async () => (await findApp(place.db, WS, key))?.deploymentId

const withFunctions = (code: string, ...functions: readonly BundledFunction[]): ReadApp => ({
  ...appOf(code),
  functions,
})
const functionsNow = async () => Object.fromEntries(await listFunctionHashes(place.db, WS, key))

/** Adds git sources. @returns their ids */
const addSources = async (...names: readonly string[]) => {
  const rest = { ws: WS, branch: null, path: '', authCiphertext: null, autoSyncS: null }
  const ids = names.map((name) => `${key}-${name}`)
  await place.db.write(
    ids.map((id) => insertGitSource({ ...rest, id, name: id, url: 'x', createdBy: ADMIN })),
  )
  return ids
}

describe('a deployment', () => {
  test('becomes current, with the hash of its sources as commit', async () => {
    const deployed = await deploy(appOf('v1'))
    expect(deployed).toMatchObject({ app: key, commit: 'sha256:v1', actions: ['greet'] })
    expect(await current()).toBe(deployed.deploymentId)
    const noted = sql`SELECT count(*) AS n FROM unused_sources`
    expect(await place.db.one(noted)).toEqual({ n: 0 })
  })

  test('replaces the actions of the one before', async () => {
    await deploy(appOf('v1', 'old'))
    await deploy(appOf('v2', 'new'))
    expect(await findCurrentAction(place.db, WS, key, 'old')).toBeNull()
    expect(await findCurrentAction(place.db, WS, key, 'new')).not.toBeNull()
  })

  test('gets none of the schedules of an app whose deletion is under way', async () => {
    const actor = actorFor(ADMIN)
    const schedules = sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000)
      INSERT INTO schedules (id, ws, app, action, cron, timezone, input, enabled, next_fire_at, created_by, created_at, updated_at)
      SELECT ${key} || n, ${WS}, ${key}, 'b', '@hourly', 'UTC', '{}', 1, 9e15, ${ADMIN}, 0, 0 FROM n`
    const deps = overtakenBy(place.deps, async () => {
      await createEmptyApp(place.deps, { ws: WS, key, name: 'App', actor })
      await place.db.write([schedules])
      await place.db.write(deletionOf(place.deps, { ws: WS, key, actor }))
    })
    const deployed = toOne(await deployApps(deps, [appOf('v1')], UPLOAD))
    expect(await current()).toBe(deployed.deploymentId)
    const left = sql`SELECT count(*) AS n FROM schedules WHERE app = ${key}`
    expect(await place.db.one(left)).toEqual({ n: 0 })
  })

  test('of the same content is not made twice', async () => {
    const first = await deploy(appOf('v1'))
    const second = await deploy(appOf('v1'))
    expect(second.deploymentId).toBe(first.deploymentId)
    const entries = (await place.audit()).filter((entry) =>
      entry.startsWith(`app.deployed ${key} `),
    )
    expect(entries).toHaveLength(1)
  })

  test('of several apps is one write, or none', async () => {
    const { db } = place.deps
    const broken = { ...db, write: () => Promise.reject(new Error('The disk is full.')) }
    const apps = [
      appOf('v1'),
      { ...appOf('v1'), manifest: { ...appOf('v1').manifest, key: `${key}-b` } },
    ]
    const request: DeployRequest = { ...UPLOAD, commit: 'c1' }
    await expect(deployApps({ ...place.deps, db: broken }, apps, request)).rejects.toThrow('full')
    expect(await current()).toBeUndefined()
    const made = await deployApps(place.deps, apps, request)
    expect(made.map(({ app }) => app)).toEqual([key, `${key}-b`])
  })

  test('of several apps writes none if one of them is taken by another source meanwhile', async () => {
    const [ours = '', theirs = ''] = await addSources('ours', 'theirs')
    const second = { ...appOf('v1'), manifest: { ...appOf('v1').manifest, key: `${key}-b` } }
    const deps = overtakenBy(place.deps, () => deploy(second, { gitSourceId: theirs }))
    const both = deployApps(deps, [appOf('v1'), second], { ...UPLOAD, gitSourceId: ours })
    await expect(both).rejects.toMatchObject({ code: 'app_exists' })
    expect(await current()).toBeUndefined()
  })

  test('of more apps than a condition may have terms is one write', async () => {
    const apps = Array.from({ length: 1_001 }, (_, at) => {
      const app = appOf('v1')
      return {
        ...app,
        entries: [],
        manifest: { ...app.manifest, key: `${key}-${at}`, actions: [] },
      }
    })
    expect(await deployApps(place.deps, apps, UPLOAD)).toHaveLength(1_001)
  })

  test('that another source overtakes leaves the functions of that source', async () => {
    const [ours = '', theirs = ''] = await addSources('ours', 'theirs')
    const winner = withFunctions('v2', bundledFunction('a', 'a2'), bundledFunction('b', 'b2'))
    const deps = overtakenBy(place.deps, () => deploy(winner, { gitSourceId: theirs }))
    const loser = withFunctions('v1', bundledFunction('a', 'a1'))
    const lost = deployApps(deps, [loser], { ...UPLOAD, gitSourceId: ours })
    await expect(lost).rejects.toMatchObject({ code: 'app_exists' })
    expect(await functionsNow()).toEqual({ a: 'a2', b: 'b2' })
  })

  test('writes large bundles one by one before the deployment, and those that are known not again', async () => {
    const sizes: number[] = []
    const { db } = place
    const write: typeof db.write = (batch, options) => {
      sizes.push(sizeOfValues(statementsOf(batch)))
      return db.write(batch, options)
    }
    const deps = { ...place.deps, db: { ...db, write } }
    const functions = ['a', 'b', 'c'].map((name) => {
      const each = bundledFunction(name, `large ${name}`)
      return {
        ...each,
        entry: { ...each.entry, loadCode: bundledCode(name.repeat(900_000)).loadCode },
      }
    })
    const deployAll = (code: string) =>
      deployApps(deps, [withFunctions(code, ...functions)], UPLOAD)
    await deployAll('v1')
    expect(sizes.filter((size) => size > 900_000)).toHaveLength(3)
    expect(Math.max(...sizes)).toBeLessThan(1_000_000)
    sizes.length = 0
    await deployAll('v2')
    expect(Math.max(...sizes)).toBeLessThan(100_000)
  })

  test('of the same content restores functions that were deployed separately', async () => {
    const app = withFunctions('v1', bundledFunction('a', 'a1'))
    await deploy(app)
    const { source, entry } = bundledFunction('a', 'a2')
    await place.db.write([
      insertBundle(entry.hash, await entry.loadCode()),
      upsertFunction({
        ...{ ws: WS, app: key, name: 'a', hash: source.hash, bundleHash: entry.hash },
        ...{
          definition: BUNDLED_FUNCTION,
          entrypoint: '',
          filesJson: '{}',
          sharedJson: '{}',
          deployedBy: ADMIN,
        },
      }),
    ])
    expect(await functionsNow()).toEqual({ a: 'a2' })
    const again = await deploy(app)
    expect(await current()).toBe(again.deploymentId)
    expect(await functionsNow()).toEqual({ a: 'a1' })
  })

  test('holds when two are made at once: each is on record, one is current', async () => {
    const both = await Promise.all([deploy(appOf('v1')), deploy(appOf('v2'))])
    const ids = both.map(({ deploymentId }) => deploymentId)
    expect(new Set(ids).size).toBe(2)
    expect(ids).toContain(await current())
  })
})

describe('an earlier deployment', () => {
  const redeploy = (id: string, ws = WS) =>
    redeployApp(place.deps, { ws, id, message: null, actor: actorFor(ADMIN) })

  test('is made current again under an id of its own', async () => {
    const first = await deploy(appOf('v1', 'old'))
    await deploy(appOf('v2', 'new'))
    const again = await redeploy(first.deploymentId)
    expect(again).toMatchObject({ commit: first.commit, actions: ['old'] })
    expect(again.deploymentId).not.toBe(first.deploymentId)
    expect(await current()).toBe(again.deploymentId)
  })

  test('restores functions that were deployed while a move held the workspace', async () => {
    const held = { ws: WS, fileId: 'a-move moving' }
    await place.db.write([holdForMove(held)])
    const first = await deploy(withFunctions('v1', bundledFunction('a', `${key} a1`)))
    await place.db.write([releaseWorkspace(held)])
    await deploy(withFunctions('v2', bundledFunction('a', `${key} a2`)))
    await redeploy(first.deploymentId)
    expect(await functionsNow()).toEqual({ a: `${key} a1` })
  })

  test('is refused while it is current', async () => {
    const { deploymentId } = await deploy(appOf('v1'))
    await expect(redeploy(deploymentId)).rejects.toMatchObject({ code: 'already_current' })
  })

  test('is not found in another workspace', async () => {
    const { deploymentId } = await deploy(appOf('v1'))
    await expect(redeploy(deploymentId, 'other')).rejects.toMatchObject({
      code: 'deployment_not_found',
    })
  })
})

test.each([
  ['bundle of greet.ts', appOf('x'.repeat(5_000_001))],
  [
    'file model.bin',
    { ...appOf('small'), sources: new Map([['model.bin', new Uint8Array(5_000_001)]]) },
  ],
])('a %s that sqld does not take is refused by its name', async (what, app) => {
  const deps = { ...place.deps, db: { ...place.db, backend: 'remote' as const } }
  await expect(deployApps(deps, [app], UPLOAD)).rejects.toMatchObject({
    kind: 'too_large',
    message: expect.stringContaining(`The ${what} is too large for this database.`),
  })
})
