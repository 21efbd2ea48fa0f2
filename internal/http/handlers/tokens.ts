import { ALL_SCOPES, isScope, SCOPES } from '#core/access/scope.ts'
import { issueOwnToken, revokeToken } from '#service/access/issue-token.ts'
import type { Deps } from '#service/deps.ts'
import { listTokens, type Token } from '#store/credentials/tokens.ts'
import { created, ok } from '../answer.ts'
import { tokenEndpoints } from '../endpoints/tokens.ts'
import { handlers } from '../handlers.ts'
import { pageBefore, paginate } from '../schemas/page.ts'

const toToken = (row: Token) => ({ ...row, tokenPrefix: row.prefix, admin: row.isAdmin })

const describeScope = (scope: string) => ({
  scope,
  description: isScope(scope)
    ? SCOPES[scope]
    : 'all workspace routes; instance routes for super admins',
})

export const tokenRoutes = handlers(
  tokenEndpoints,
  (deps: Pick<Deps, 'db' | 'home' | 'newId' | 'randomBytes'>) => ({
    listScopes: async () => ok({ items: ALL_SCOPES.map(describeScope) }),
    listTokens: async ({ ws, query }) => {
      const rows = await listTokens(deps.db, ws, pageBefore(query))
      return ok(paginate(rows.map(toToken), query.limit, ({ id }) => id))
    },
    createToken: async ({ ws, body, principal, actor }) => {
      const issued = await issueOwnToken(deps, principal, {
        ws,
        label: body.label,
        scopes: body.scopes,
        isAdmin: body.admin,
        expiresInDays: body.expires_in_days ?? null,
        actor,
      })
      return created({ ...toToken(issued.token), token: issued.text })
    },
    revokeToken: async ({ ws, params, actor, principal: caller }) =>
      ok(toToken(await revokeToken(deps, { ws, id: params.id, actor, caller }))),
  }),
)
