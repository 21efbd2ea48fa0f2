import { describe, expect, test } from 'vitest'
import type { Git } from '#git/git.ts'
import { listAuditEntries } from '#store/audit-log.ts'
import { losingAnswers } from '../../../test/support/lost-answers.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { deleteGitSource } from './delete-git-source.ts'
import { openRemote } from './git-credentials.ts'
import { createGitSource, type GitSourceRequest, updateGitSource } from './save-git-source.ts'

const actor = actorFor(ADMIN)
const unused = () => Promise.reject(new Error('No remote is reached.'))
const git: Git = { check: () => undefined, probe: unused, fetch: unused }

const place = await workspaceForFile()

const create = async () => {
  const auth = { type: 'token', token: 'first' } as const
  const rest = { branch: null, path: '', autoSyncS: null }
  const request = { name: 'shop', url: 'https://git.example.com/shop', auth, ...rest }
  return (await createGitSource({ ...place.deps, git }, { ws: WS, actor, request })).id
}
const change = (id: string, wanted: Partial<GitSourceRequest>, deps = place.deps) =>
  updateGitSource({ ...deps, git }, { ws: WS, id, actor, change: wanted })

describe('a change of a git source', () => {
  test('keeps what another request changes meanwhile, its credentials included', async () => {
    const id = await create()
    const auth = { type: 'token', token: 'second' } as const
    const made = await change(
      id,
      { name: 'new' },
      overtakenBy(place.deps, () => change(id, { auth, autoSyncS: 60 })),
    )
    expect(made).toMatchObject({ name: 'new', autoSyncS: 60 })
    expect(await openRemote(place.deps, made)).toMatchObject({ auth })
  })

  test('does not restore a source that is deleted meanwhile', async () => {
    const id = await create()
    const deps = overtakenBy(place.deps, () => deleteGitSource(place.deps, { ws: WS, id, actor }))
    await expect(change(id, { name: 'new' }, deps)).rejects.toMatchObject({ kind: 'not_found' })
  })
  test('whose answer was lost is made and recorded once', async () => {
    const id = await create()
    const auth = { type: 'token', token: 'second' } as const
    const db = losingAnswers(place.db)
    const made = await change(id, { name: 'new', auth }, { ...place.deps, db })
    expect(made).toMatchObject({ id, name: 'new' })
    const page = { identity: null, since: null, until: null, beforeId: null, limit: 10 }
    const entries = await listAuditEntries(place.db, WS, { ...page, action: 'git_source.updated' })
    expect(entries.filter(({ target }) => target === id)).toHaveLength(1)
  })
})
