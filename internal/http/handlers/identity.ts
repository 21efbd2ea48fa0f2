import { isOperator, mayListOwnWorkspaces } from '#core/access/policy.ts'
import { emailOf, scopesOf } from '#core/access/principal.ts'
import { listAllMemberships } from '#service/cells/list-memberships.ts'
import type { Deps } from '#service/deps.ts'
import { findRole } from '#store/people/users.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { missingScope } from '../admission/admit.ts'
import { ok } from '../answer.ts'
import { identityEndpoints } from '../endpoints/identity.ts'
import { handlers } from '../handlers.ts'

export const identityRoutes = handlers(
  identityEndpoints,
  (deps: Pick<Deps, 'db' | 'home' | 'furtherCells'>) => ({
    getIdentity: async ({ principal }) =>
      ok({
        kind: principal.kind,
        email: emailOf(principal),
        scopes: scopesOf(principal),
        workspace: principal.ws,
        superAdmin: isOperator(principal),
      }),
    listOwnWorkspaces: async ({ principal }) => {
      // a session lists all workspaces of the person, whatever the role in each
      if (!mayListOwnWorkspaces(principal)) {
        throw missingScope(principal, 'workspace:read')
      }
      const all = await listAllMemberships(deps, principal.identity)
      // a token belongs to one workspace
      const items = all.filter(({ id }) => principal.ws === null || principal.ws === id)
      return ok({ items })
    },
    getMembership: async ({ ws, principal }) =>
      ok({
        kind: principal.kind,
        email: principal.identity,
        role: await findRole(deps.db, ws, principal.identity),
        workspace: ws,
        scopes: scopesOf(principal),
        hiddenSections: (await findWorkspace(deps.db, ws))?.hiddenSections ?? [],
      }),
  }),
)
