import { expect, test } from 'vitest'
import { WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { changeWorkspace, type WorkspaceChange } from './change-workspace.ts'

const place = await workspaceForFile()

const change = (wanted: WorkspaceChange, deps = place.deps) =>
  changeWorkspace(deps, WS, { actor: actorFor(ADMIN), change: wanted })

test('a change keeps the settings that another request changes meanwhile', async () => {
  const deps = overtakenBy(place.deps, () => change({ defaultTag: 'gpu' }))
  expect(await change({ name: 'Main' }, deps)).toMatchObject({ name: 'Main', defaultTag: 'gpu' })
})
