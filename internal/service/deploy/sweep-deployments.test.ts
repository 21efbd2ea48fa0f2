/** Former deployments are deleted when they are no longer needed, with what only they referred to. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findBundle } from '#store/apps/bundles.ts'
import { expireDeployments } from '#store/apps/former-deployments.ts'
import { raw, sql } from '#store/sql.ts'
import { bundledApp, bundledFunction, UPLOAD } from '../../../test/support/bundled-app.ts'
import { WS } from '../../../test/support/open-queue.ts'
import {
  ADMIN,
  actorFor,
  openTestWorkspace,
  type TestWorkspace,
} from '../../../test/support/test-workspace.ts'
import { deleteApp, overrideTag } from '../apps/manage-app.ts'
import { deployApps } from './deploy-app.ts'
import { keepBundles } from './keep-bundles.ts'
import { readDeployments } from './list-deployments.ts'
import { redeployApp } from './redeploy-app.ts'
import { sweepDeployments } from './sweep-deployments.ts'

const APP = 'shop'
const DAY_MS = 86_400_000
const { signal } = new AbortController()

let place: TestWorkspace
beforeEach(async () => {
  place = await openTestWorkspace()
})
afterEach(() => place.close())

const deploy = async (code: string, functionHash?: string): Promise<string> => {
  const app = bundledApp(APP, code)
  const sources = new Map([['main.ts', new TextEncoder().encode(code)]])
  const functions = functionHash === undefined ? null : [bundledFunction('hello', functionHash)]
  const [deployed] = await deployApps(place.deps, [{ ...app, sources, functions }], UPLOAD)
  return deployed?.deploymentId ?? ''
}
/** Lets days pass for deployments, deleted apps and notes. */
const pass = (days: number) =>
  place.db.write([
    sql`UPDATE deployments SET created_at = created_at - ${days * DAY_MS}`,
    sql`UPDATE deleted_apps SET since = since - ${days * DAY_MS}`,
    sql`UPDATE unused_bundles SET since = since - ${days * DAY_MS}`,
  ])
const sweep = (keep = 1) =>
  sweepDeployments(place.deps, { keep, retentionDays: 30, signal, mayDelete: async () => true })
const left = async () =>
  (await readDeployments(place.deps, WS, { app: APP, beforeId: null, limit: 100 })).map(
    ({ id }) => id,
  )
const hasBundle = async (code: string) => (await findBundle(place.db, `hash of ${code}`)) !== null

describe('a sweep', () => {
  test('deletes deployments beyond the newest, 30 days after they were replaced', async () => {
    const first = await deploy('v1')
    const second = await deploy('v2')
    expect(await sweep()).toBe(0)
    await pass(29)
    expect(await sweep()).toBe(0)
    await pass(2)
    expect(await sweep(2)).toBe(0)
    expect(await left()).toEqual([second, first])
    expect(await sweep()).toBe(1)
    expect(await left()).toEqual([second])
    for (const table of ['deployment_files', 'deployment_actions', 'deployment_apps']) {
      const rows = await place.db.all(sql`SELECT DISTINCT deployment_id AS id FROM ${raw(table)}`)
      expect(rows).toEqual([{ id: second }])
    }
    expect(await place.db.all(sql`SELECT * FROM expired_deployments`)).toEqual([])
  })

  test('deletes bundles and files that only these had, a day later', async () => {
    await deploy('v1')
    await deploy('v2')
    await pass(31)
    await sweep(0)
    await sweep()
    expect(await hasBundle('v1')).toBe(true)
    await pass(2)
    await sweep()
    expect(await hasBundle('v1')).toBe(false)
    expect(await hasBundle('v2')).toBe(true)
    expect(await place.db.all(sql`SELECT hash FROM unused_bundles`)).toEqual([])
    expect(await place.db.all(sql`SELECT hash FROM unused_sources`)).toHaveLength(1)
  })

  test('leaves a bundle that a deployment is about to use again', async () => {
    await deploy('v1')
    await deploy('v2')
    await pass(31)
    await sweep()
    await pass(2)
    await keepBundles(place.deps, bundledApp(APP, 'v1').entries)
    await sweep()
    expect(await hasBundle('v1')).toBe(true)
  })

  test('leaves a deployment that a job pins until the job is deleted', async () => {
    const first = await deploy('v1')
    const job = await place.enqueue({ app: APP, action: 'greet' })
    await deploy('v2')
    await pass(31)
    expect(await sweep()).toBe(0)
    expect(await left()).toContain(first)
    await place.db.write([sql`DELETE FROM job_inputs WHERE job_id = ${job}`])
    await place.db.write([sql`DELETE FROM jobs WHERE id = ${job}`])
    expect(await sweep()).toBe(1)
  })

  test('keeps all if `keep` is 0, and none while it may not delete', async () => {
    await deploy('v1')
    await deploy('v2')
    await pass(31)
    expect(await sweep(0)).toBe(0)
    const refused = { keep: 1, retentionDays: 30, signal, mayDelete: async () => false }
    expect(await sweepDeployments(place.deps, refused)).toBe(0)
    expect(await left()).toHaveLength(2)
  })

  test('deletes those of a deleted app 7 days after the app, unless it was made again', async () => {
    const only = await deploy('v1')
    await pass(31)
    const deleted = { ws: WS, key: APP, actor: actorFor(ADMIN) }
    await deleteApp(place.deps, deleted)
    expect(await sweep()).toBe(0)
    const again = await redeployApp(place.deps, {
      ws: WS,
      id: only,
      message: null,
      actor: actorFor(ADMIN),
    })
    await pass(31)
    expect(await sweep(2)).toBe(0)
    await deleteApp(place.deps, deleted)
    await sweep(2)
    await pass(31)
    expect(await left()).toEqual([again.deploymentId, only])
    expect(await sweep(2)).toBe(2)
    await sweep(2)
    expect(await place.db.all(sql`SELECT app FROM deleted_apps`)).toEqual([])
  })

  test('deletes versions of functions that neither runs nor could be restored', async () => {
    await deploy('v1', 'one')
    await deploy('v2', 'two')
    await deploy('v3', 'three')
    const versions = async (table: string) =>
      (await place.db.all(sql`SELECT hash FROM ${raw(table)} ORDER BY hash`)).map(
        ({ hash }) => hash,
      )
    await sweep()
    expect(await versions('app_function_versions')).toEqual(['one', 'three', 'two'])
    await pass(31)
    await sweep(2)
    expect(await versions('app_function_versions')).toEqual(['three', 'two'])
    expect(await versions('function_versions')).toEqual(['three', 'two'])
    await pass(2)
    await sweep(2)
    expect(await hasBundle('one')).toBe(false)
    expect(await hasBundle('two')).toBe(true)
  })
})

test('an expired deployment is not shown, and cannot be made current again', async () => {
  const first = await deploy('v1')
  const second = await deploy('v2')
  await place.db.write([expireDeployments(WS, [first, second])])
  expect(await left()).toEqual([second])
  const again = redeployApp(place.deps, {
    ws: WS,
    id: first,
    message: null,
    actor: actorFor(ADMIN),
  })
  await expect(again).rejects.toMatchObject({ code: 'deployment_not_found' })
})

test('a sweep that was stopped is continued', async () => {
  await deploy('v1')
  const second = await deploy('v2')
  await pass(31)
  let writes = 0
  const mayDelete = async () => {
    writes += 1
    return writes <= 2
  }
  await sweepDeployments(place.deps, { keep: 1, retentionDays: 30, signal, mayDelete })
  expect(await place.db.all(sql`SELECT * FROM expired_deployments`)).toHaveLength(1)
  expect(await sweep()).toBe(1)
  expect(await left()).toEqual([second])
})

test('a sweep ends overrides of tags with the last deployment that has their action', async () => {
  const overrides = async () =>
    (await place.db.all(sql`SELECT action FROM action_overrides ORDER BY action`)).map(
      ({ action }) => action,
    )
  const deployAction = (code: string, action: string) =>
    deployApps(
      place.deps,
      [{ ...bundledApp(APP, code, action), sources: new Map(), functions: null }],
      UPLOAD,
    )
  const override = (action: string) =>
    overrideTag(place.deps, { ws: WS, app: APP, action, tag: 'gpu', actor: UPLOAD.actor })
  await deployAction('v1', 'first')
  await override('first')
  await deployAction('v2', 'second')
  await override('second')
  await sweep()
  // the first deployment may be made current again
  expect(await overrides()).toEqual(['first', 'second'])
  await pass(31)
  await sweep()
  expect(await overrides()).toEqual(['second'])
})
