import { holdsScope } from '#core/access/policy.ts'
import type { Deps } from '#service/deps.ts'
import { compareDraftFiles } from '#service/drafts/compare-draft-files.ts'
import { draftFromDeployed } from '#service/drafts/draft-from-deployed.ts'
import {
  checkDraft,
  deleteDraft,
  deployDraft,
  filesByPath,
  requireDraft,
  saveDraft,
} from '#service/drafts/manage-draft.ts'
import { tryDraft } from '#service/drafts/try-draft.ts'
import { listDrafts } from '#store/apps/drafts.ts'
import { answer, created, noContent, ok } from '../answer.ts'
import { draftEndpoints } from '../endpoints/drafts.ts'
import { handlers } from '../handlers.ts'
import { etagOf, readMatch } from '../row-match.ts'
import { pageAfter, paginate } from '../schemas/page.ts'

export const draftRoutes = handlers(
  draftEndpoints,
  (
    deps: Pick<
      Deps,
      'db' | 'newId' | 'limits' | 'storage' | 'keyring' | 'manifests' | 'fetchPackages'
    >,
  ) => ({
    listDrafts: async ({ ws, query }) => {
      const rows = await listDrafts(deps.db, ws, pageAfter(query))
      return ok(paginate(rows, query.limit, ({ app }) => app))
    },
    getDraft: async ({ ws, params: { app } }) => {
      const row = await requireDraft(deps, ws, app)
      const files = await filesByPath(row.files)
      const whole = { ...row, files, carried: [...row.carried.keys()].sort() }
      return answer(200, whole, etagOf(row))
    },
    saveDraft: async ({ ws, params: { app }, body, actor, header }) => {
      const match = readMatch(header)
      const saved = await saveDraft(deps, { ws, app, actor, match }, body.files)
      return answer(200, saved, etagOf(saved))
    },
    deleteDraft: async ({ ws, params: { app }, actor, header }) => {
      await deleteDraft(deps, { ws, app, actor, match: readMatch(header) })
      return noContent()
    },
    createDraftFromDeployed: async ({ ws, params: { app }, actor }) =>
      created(await draftFromDeployed(deps, { ws, app, actor })),
    checkDraft: async ({ ws, params: { app }, principal }) => {
      const mayDeploy = holdsScope(principal, 'deployments:write')
      return ok(await checkDraft(deps, { ws, app, mayDeploy }))
    },
    compareDraftFiles: async ({ ws, params: { app } }) =>
      ok({ items: await compareDraftFiles(deps, { ws, app }) }),
    tryDraft: async ({ ws, params: { app }, body, actor, admitLate }) => {
      const trial = await tryDraft(deps, { ws, app, actor, admitLate }, body.files)
      return created({ app: trial.app, deploymentId: trial.deploymentId, actions: trial.actions })
    },
    deployDraft: async ({ ws, params: { app }, body, actor, header, admitLate }) => {
      const act = { ws, app, actor, match: readMatch(header), admitLate }
      return created(await deployDraft(deps, act, body?.message ?? null))
    },
  }),
)
