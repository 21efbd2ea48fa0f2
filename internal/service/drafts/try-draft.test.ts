import { expect, test } from 'vitest'
import { listPreviews } from '#store/apps/apps.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { deleteDraft, saveDraft } from './manage-draft.ts'
import { tryDraft } from './try-draft.ts'

const place = await workspaceForFile()

const filesOf = (app: string) => [['app.yaml', `key: ${app}\n`]] as const
const actOn = (app: string) => ({ ws: WS, app, actor: actorFor(ADMIN), match: null })
const saved = (app: string) => saveDraft(place.deps, actOn(app), filesOf(app))
const tryIt = (app: string, deps = place.deps) =>
  tryDraft(deps, { ...actOn(app), admitLate: async () => undefined }, filesOf(app))
const discard = (app: string, deps = place.deps) => deleteDraft(deps, actOn(app))

test('a trial of a draft that is deleted meanwhile is not deployed', async () => {
  await saved('late')
  const lost = tryIt(
    'late',
    overtakenBy(place.deps, () => discard('late')),
  )
  await expect(lost).rejects.toMatchObject({ code: 'draft_not_found' })
  expect(await listPreviews(place.db, WS, 'late')).toEqual([])
})

test('a trial that is deployed while its draft is deleted goes with the draft', async () => {
  await saved('early')
  await discard(
    'early',
    overtakenBy(place.deps, () => tryIt('early')),
  )
  expect(await listPreviews(place.db, WS, 'early')).toEqual([])
})
