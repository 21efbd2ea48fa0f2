import { requireReadableJob } from '#core/access/policy.ts'
import { VIEW_TOKEN_DEFAULT_S } from '#core/access/view-token.ts'
import type { Deps } from '#service/deps.ts'
import { issueViewToken, revokeAllViewTokens, revokeViewToken } from '#service/share-job.ts'
import { listViewTokens, type ViewToken } from '#store/credentials/view-tokens.ts'
import { findJobHead } from '#store/jobs/read.ts'
import { created, noContent, ok } from '../answer.ts'
import type { Caller } from '../endpoint.ts'
import { viewTokenEndpoints } from '../endpoints/view-tokens.ts'
import { handlers } from '../handlers.ts'
import { readableJobId } from '../readable-job.ts'
import { pageBefore, paginate } from '../schemas/page.ts'

type ViewTokenDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'>

const toViewToken = (row: ViewToken) => ({ ...row, tokenPrefix: row.prefix })

type JobRequest = Caller & Readonly<{ ws: string; params: Readonly<{ id: string }> }>

/** Only callers who can read a job may share it. @throws {AppError} not_found, forbidden */
const toShareAct = async (deps: ViewTokenDeps, { ws, params, principal, actor }: JobRequest) => {
  const jobId = readableJobId(principal, params.id)
  requireReadableJob(principal, await findJobHead(deps.db, ws, jobId))
  return { ws, jobId, actor }
}

export const viewTokenRoutes = handlers(viewTokenEndpoints, (deps: ViewTokenDeps) => ({
  listJobViewTokens: async (input) => {
    const rows = await listViewTokens(
      deps.db,
      await toShareAct(deps, input),
      pageBefore(input.query),
    )
    return ok(paginate(rows.map(toViewToken), input.query.limit, ({ id }) => id))
  },
  createJobViewToken: async (input) => {
    const act = await toShareAct(deps, input)
    const lifetimeS = input.body?.expires_in_s ?? VIEW_TOKEN_DEFAULT_S
    const { id, text, expiresAt } = await issueViewToken(deps, act, lifetimeS)
    return created({
      id,
      token: text,
      url: `${input.baseUrl()}/api/public/jobs/${text}`,
      expiresAt,
    })
  },
  revokeJobViewTokens: async (input) => {
    await revokeAllViewTokens(deps, await toShareAct(deps, input))
    return noContent()
  },
  revokeJobViewToken: async (input) => {
    await revokeViewToken(deps, await toShareAct(deps, input), input.params.tid)
    return noContent()
  },
}))
