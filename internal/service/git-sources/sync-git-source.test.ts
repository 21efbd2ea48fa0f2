import { expect, test } from 'vitest'
import type { Snapshot } from '#git/fetch-branch.ts'
import type { Git } from '#git/git.ts'
import { findApp } from '#store/apps/apps.ts'
import { findGitSource } from '#store/apps/git-sources.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { createGitSource, updateGitSource } from './save-git-source.ts'
import { syncGitSource } from './sync-git-source.ts'

const actor = actorFor(ADMIN)

const place = await workspaceForFile()

/** Returns a remote with one app, whose newest commit is the next of `commits` at each fetch. */
const remoteOf = (app: string, commits: readonly string[], onFetched: () => Promise<void>): Git => {
  const left = [...commits]
  const unused = () => Promise.reject(new Error('No remote is probed.'))
  const snapshotOf = (commit: string): Snapshot => {
    const text = new TextEncoder().encode(`key: ${app}\nname: ${commit}\n`)
    return {
      commit,
      list: async () => [{ path: 'app.yaml', oid: commit, size: text.length }],
      read: async () => [text],
      dispose: () => undefined,
    }
  }
  return {
    check: () => undefined,
    probe: unused,
    fetch: async () => {
      const snapshot = snapshotOf(left.shift() ?? '')
      await onFetched()
      return snapshot
    },
  }
}
/** Returns a remote with many apps, none of which may be read. */
const remoteWith = (apps: number): Git => ({
  ...remoteOf('', [], async () => undefined),
  fetch: async () => ({
    commit: 'many',
    list: async () =>
      Array.from({ length: apps }, (_, n) => ({ path: `app-${n}/app.yaml`, oid: 'o', size: 9 })),
    read: () => Promise.reject(new Error('No app is read.')),
    dispose: () => undefined,
  }),
})
const addSource = async (app: string): Promise<string> => {
  const rest = { branch: null, path: '', auth: null, autoSyncS: null }
  const request = { name: app, url: `https://git.example.com/${app}`, ...rest }
  const git = remoteOf(app, [], async () => undefined)
  return (await createGitSource({ ...place.deps, git }, { ws: WS, actor, request })).id
}
const once = (act: () => Promise<unknown>): (() => Promise<void>) => {
  let isFirst = true
  return async () => {
    if (!isFirst) return
    isFirst = false
    await act()
  }
}

test('a sync that a later one overtakes does not bring its older commit back', async () => {
  const id = await addSource('slow')
  const sync = () => syncGitSource({ ...place.deps, git }, { ws: WS, id, actor })
  const git = remoteOf(
    'slow',
    ['old', 'new', 'new'],
    once(() => sync()),
  )
  const [deployed] = await sync()
  expect(deployed).toMatchObject({ commit: 'new' })
  expect(await findApp(place.db, WS, 'slow')).toMatchObject({ commit: 'new' })
  expect(await findGitSource(place.db, WS, id)).toMatchObject({
    lastCommit: 'new',
    lastError: null,
  })
})

test('a sync of a source that is changed meanwhile deploys what the source has now', async () => {
  const id = await addSource('moved')
  const change = { branch: 'next' }
  const git = remoteOf(
    'moved',
    ['of main', 'of next'],
    once(() => updateGitSource({ ...place.deps, git }, { ws: WS, id, actor, change })),
  )
  const [deployed] = await syncGitSource({ ...place.deps, git }, { ws: WS, id, actor })
  expect(deployed).toMatchObject({ commit: 'of next' })
})

test('a source with more apps than a sync may deploy is refused before any of them is read', async () => {
  const id = await addSource('many')
  const sync = syncGitSource({ ...place.deps, git: remoteWith(201) }, { ws: WS, id, actor })
  await expect(sync).rejects.toMatchObject({ code: 'too_many_apps', kind: 'unprocessable' })
  expect(await findGitSource(place.db, WS, id)).toMatchObject({
    lastError: expect.stringContaining('There are more than 200 apps in the repository'),
  })
})
