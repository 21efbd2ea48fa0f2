import { LINK_DEFAULT_DAYS, LINK_DEFAULT_USES } from '#core/flow/link-limits.ts'
import type { Deps } from '#service/deps.ts'
import type { WithFlows } from '#service/flows/engine.ts'
import { issueFlowLink, revokeFlowLink } from '#service/flows/public-link.ts'
import { listFlowLinks } from '#store/flows/links.ts'
import { created, noContent, ok } from '../answer.ts'
import { flowLinkEndpoints } from '../endpoints/flow-links.ts'
import { handlers } from '../handlers.ts'
import { toRowId } from '../row-id.ts'
import { checkKeys } from '../run-request.ts'
import { pageBefore, paginate } from '../schemas/page.ts'
import { toFlowLink } from '../views/flows.ts'

type LinkDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'> & WithFlows

export const flowLinkRoutes = handlers(flowLinkEndpoints, (deps: LinkDeps) => ({
  listFlowLinks: async ({ ws, query }) => {
    const rows = await listFlowLinks(deps.db, ws, pageBefore(query))
    return ok(paginate(rows.map(toFlowLink), query.limit, ({ id }) => id))
  },
  createFlowLink: async ({ ws, params, body, actor, baseUrl }) => {
    checkKeys({ app: params.app, action: params.flow })
    const { text, link, gaps } = await issueFlowLink(deps, {
      ws,
      ...params,
      actor,
      maxUses: body?.max_uses ?? LINK_DEFAULT_USES,
      expiresInDays: body?.expires_in_days ?? LINK_DEFAULT_DAYS,
      form: body?.public_form ?? [],
    })
    return created({
      ...toFlowLink(link),
      url: `${baseUrl()}/api/flow/run?t=${text}`,
      ...(gaps.length === 0
        ? {}
        : { warnings: gaps.map((message) => ({ path: 'body.public_form', message })) }),
    })
  },
  revokeFlowLink: async ({ ws, params, actor }) => {
    await revokeFlowLink(deps, { ws, id: toRowId(params.link_id, 'Flow link'), actor })
    return noContent()
  },
}))
