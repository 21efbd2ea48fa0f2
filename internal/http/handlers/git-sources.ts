import { notFound } from '#core/error.ts'
import { deleteGitSource } from '#service/git-sources/delete-git-source.ts'
import { requireGitSource } from '#service/git-sources/find-git-source.ts'
import {
  createGitSource,
  type GitDeps,
  type GitSourceRequest,
  updateGitSource,
} from '#service/git-sources/save-git-source.ts'
import { syncGitSource } from '#service/git-sources/sync-git-source.ts'
import { takeTurn } from '#service/portions/take-turn.ts'
import { type GitSource, gitSourceContent, listGitSources } from '#store/apps/git-sources.ts'
import { answer, created, noContent, ok } from '../answer.ts'
import type { InputOf } from '../endpoint.ts'
import { gitSourceEndpoints } from '../endpoints/git-sources.ts'
import { handlers } from '../handlers.ts'
import { readContentMatch, readVersion } from '../row-match.ts'
import { pageBefore, paginate } from '../schemas/page.ts'

const toGitSource = (row: GitSource) => ({ ...row, hasAuth: row.authCiphertext !== null })

type Fields = InputOf<typeof gitSourceEndpoints.createGitSource>['body']

/** Contains only fields that were sent: an omitted field stays as it is. */
const toChange = (
  body: Readonly<{ [Name in keyof Fields]?: Fields[Name] | undefined }>,
): Partial<GitSourceRequest> => ({
  ...(body.name === undefined ? {} : { name: body.name }),
  ...(body.url === undefined ? {} : { url: body.url }),
  ...(body.branch === undefined ? {} : { branch: body.branch }),
  ...(body.path === undefined ? {} : { path: body.path }),
  ...(body.auth === undefined ? {} : { auth: body.auth }),
  ...(body.auto_sync_s === undefined ? {} : { autoSyncS: body.auto_sync_s }),
})

export const gitSourceRoutes = handlers(gitSourceEndpoints, (deps: GitDeps) => ({
  listGitSources: async ({ ws, query }) => {
    const rows = await listGitSources(deps.db, ws, pageBefore(query))
    return ok(paginate(rows.map(toGitSource), query.limit, ({ id }) => id))
  },
  createGitSource: async ({ ws, body, actor }) => {
    const none = { branch: null, path: '', auth: null, autoSyncS: null }
    const request = { ...none, name: body.name, url: body.url, ...toChange(body) }
    const made = await createGitSource(deps, { ws, actor, request })
    return created(toGitSource(made))
  },
  probeGitSource: async ({ ws, body }) =>
    ok(await deps.git.probe({ url: body.url, auth: body.auth ?? null, owner: ws }, takeTurn)),
  getGitSource: async ({ ws, params: { id } }) => {
    const version = await readVersion(deps.db, gitSourceContent(ws, id))
    return answer(200, toGitSource(await requireGitSource(deps, ws, id)), version)
  },
  updateGitSource: async ({ ws, params: { id }, body, actor, header }) => {
    const match = readContentMatch(header)
    return ok(
      toGitSource(await updateGitSource(deps, { ws, id, change: toChange(body), actor, match })),
    )
  },
  deleteGitSource: async ({ ws, params: { id }, actor }) => {
    if (!(await deleteGitSource(deps, { ws, id, actor }))) throw notFound('Git source')
    return noContent()
  },
  syncGitSource: async ({ ws, params: { id }, actor, admitLate }) =>
    ok({ deployments: await syncGitSource(deps, { ws, id, actor, admitLate }) }),
}))
