import { describe, expect, test } from 'vitest'
import { findCurrentAction } from '#store/apps/apps.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { administerWorkspace } from '../workspaces/administer-workspace.ts'
import { createEmptyApp, deleteApp, overrideTag } from './manage-app.ts'

const actor = actorFor(ADMIN)
const place = await workspaceForFile()
await place.deploy({ key: 'greet' })

const create = (key: string) => createEmptyApp(place.deps, { ws: WS, key, name: 'App', actor })
const remove = (key: string, ws = WS) => deleteApp(place.deps, { ws, key, actor })

describe('an app', () => {
  test('is created without a deployment', async () => {
    expect(await create('shop')).toMatchObject({ key: 'shop', deploymentId: null })
  })

  test('is created once', async () => {
    await create('twice')
    await expect(create('twice')).rejects.toMatchObject({ code: 'app_exists' })
  })

  test.each(['', 'Shop', '-shop', 'a_b', 'x'.repeat(64)])(
    'with the key %j is refused',
    async (key) => {
      await expect(create(key)).rejects.toMatchObject({ kind: 'invalid' })
    },
  )

  test('is deleted with its actions, and its key is free again', async () => {
    await remove('hello')
    expect(await findCurrentAction(place.db, WS, 'hello', 'greet')).toBeNull()
    await expect(place.enqueue()).rejects.toMatchObject({ kind: 'not_found' })
    await place.deploy({ key: 'greet' })
    await place.enqueue()
  })

  test('of another workspace is not found', async () => {
    await expect(remove('hello', 'other')).rejects.toMatchObject({ code: 'app_not_found' })
  })
})

describe('the tag of an action', () => {
  const override = (tag: string | null) =>
    overrideTag(place.deps, { ws: WS, app: 'hello', action: 'greet', tag, actor })
  const tagOfNewJob = async () => (await place.row(await place.enqueue())).tag

  test('is overridden for new jobs, until it is taken back', async () => {
    await override('gpu')
    expect(await tagOfNewJob()).toBe('gpu')
    await override(null)
    expect(await tagOfNewJob()).toBe('default')
  })

  test('is one that the workspace allows', async () => {
    const rules = { allowedTags: ['default'] }
    await administerWorkspace(place.deps, { ws: WS, rules, actor })
    await expect(override('gpu')).rejects.toMatchObject({ code: 'tag_not_allowed' })
    await override(null)
  })
})
