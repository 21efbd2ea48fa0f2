/**
 * GET /api/auth/me
 * GET /api/auth/workspaces
 * GET /api/w/{ws}/whoami
 */
import { isOperator, mayListOwnWorkspaces } from '#core/access/policy.ts'
import { emailOf, IDENTITY_KINDS, scopesOf } from '#core/access/principal.ts'
import type { Deps } from '#service/deps.ts'
import { findRole, listMemberships } from '#store/users.ts'
import { missingScope } from '../admit.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { z } from '../schemas/z.ts'

const kind = z.enum(IDENTITY_KINDS)

export const identityRoutes = (deps: Pick<Deps, 'db'>): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/auth/me',
    operationId: 'getIdentity',
    scope: 'any',
    customers: true,
    tag: 'Access',
    summary: 'Who the credential stands for',
    responses: {
      200: {
        description: 'Own identity',
        schema: z.object({
          kind,
          email: z.string().optional(),
          scopes: z.array(z.string()).optional(),
          workspace: z.string().optional(),
          super_admin: z.boolean(),
        }),
      },
    },
    handler: async ({ principal }) =>
      reply(200, {
        kind: principal.kind,
        ...(emailOf(principal) === null ? {} : { email: principal.identity }),
        scopes: scopesOf(principal),
        ...(principal.ws === null ? {} : { workspace: principal.ws }),
        super_admin: isOperator(principal),
      }),
  }),
  route({
    method: 'get',
    path: '/api/auth/workspaces',
    operationId: 'listOwnWorkspaces',
    scope: 'any',
    tag: 'Access',
    summary:
      'The workspaces that the credential opens, as sign-in answers them; a token needs workspace:read',
    responses: {
      200: {
        description: 'All of them',
        schema: z.object({
          items: z.array(z.object({ id: z.string(), role: z.enum(['member', 'admin']) })),
        }),
      },
      403: problem('A token without the scope workspace:read'),
    },
    handler: async ({ principal }) => {
      // a session lists all workspaces of the person, whatever the role in each
      if (!mayListOwnWorkspaces(principal)) {
        throw missingScope(principal, 'workspace:read')
      }
      const all = await listMemberships(deps.db, principal.identity)
      // a token opens one of them
      const items = all.filter(({ id }) => principal.ws === null || principal.ws === id)
      return reply(200, { items })
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/whoami',
    operationId: 'getMembership',
    scope: 'workspace:read',
    tag: 'Access',
    summary: 'Own identity in this workspace',
    responses: {
      200: {
        description: 'Own identity',
        schema: z.object({
          kind,
          email: z.string(),
          role: z.enum(['member', 'admin']).nullable(),
          workspace: z.string(),
          scopes: z.array(z.string()),
        }),
      },
    },
    handler: async ({ ws, principal }) =>
      reply(200, {
        kind: principal.kind,
        email: principal.identity,
        role: await findRole(deps.db, ws, principal.identity),
        workspace: ws,
        scopes: scopesOf(principal),
      }),
  }),
]
