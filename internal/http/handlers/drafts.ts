import { compareDraftFiles } from '#service/compare-draft-files.ts'
import type { Deps } from '#service/deps.ts'
import { draftFromDeployed } from '#service/draft-from-deployed.ts'
import {
  checkDraft,
  deleteDraft,
  deployDraft,
  requireDraft,
  saveDraft,
} from '#service/manage-draft.ts'
import { tryDraft } from '#service/try-draft.ts'
import { listDrafts } from '#store/drafts.ts'
import { created, noContent, ok } from '../answer.ts'
import { draftEndpoints } from '../endpoints/drafts.ts'
import { handlers } from '../handlers.ts'
import { decodeCursor, paginate } from '../schemas/page.ts'

export const draftRoutes = handlers(
  draftEndpoints,
  (deps: Pick<Deps, 'db' | 'newId' | 'limits' | 'keyring' | 'manifests' | 'fetchPackages'>) => ({
    listDrafts: async ({ ws, query: { limit, cursor } }) => {
      const page = { afterApp: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listDrafts(deps.db, ws, page)
      return ok(paginate(rows, limit, ({ app }) => app))
    },
    getDraft: async ({ ws, params: { app } }) => {
      const row = await requireDraft(deps, ws, app)
      return ok({
        ...row,
        files: Object.fromEntries(row.files),
        carried: [...row.carried.keys()].sort(),
      })
    },
    saveDraft: async ({ ws, params: { app }, body, actor }) =>
      ok(await saveDraft(deps, { ws, app, actor }, body.files)),
    deleteDraft: async ({ ws, params: { app }, actor }) => {
      await deleteDraft(deps, { ws, app, actor })
      return noContent()
    },
    createDraftFromDeployed: async ({ ws, params: { app }, actor }) =>
      created(await draftFromDeployed(deps, { ws, app, actor })),
    checkDraft: async ({ ws, params: { app } }) => ok(await checkDraft(deps, { ws, app })),
    compareDraftFiles: async ({ ws, params: { app } }) =>
      ok({ items: await compareDraftFiles(deps, { ws, app }) }),
    tryDraft: async ({ ws, params: { app }, body, actor }) => {
      const trial = await tryDraft(deps, { ws, app, actor }, body.files)
      return created({ app: trial.app, deploymentId: trial.deploymentId, actions: trial.actions })
    },
    deployDraft: async ({ ws, params: { app }, body, actor }) =>
      created(await deployDraft(deps, { ws, app, actor }, body?.message ?? null)),
  }),
)
