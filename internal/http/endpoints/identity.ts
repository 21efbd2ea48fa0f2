import { IDENTITY_KINDS } from '#core/access/principal.ts'
import { ROLES } from '#core/access/scope.ts'
import { SECTIONS } from '#core/sections.ts'
import { json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { z } from '../schemas/z.ts'

const kind = z.enum(IDENTITY_KINDS)

export const identityEndpoints = {
  getIdentity: endpoint({
    method: 'get',
    path: '/api/auth/me',
    admits: ['any', 'customer_key'],
    tag: 'Access',
    summary: 'The identity and permissions of the credential',
    answers: {
      200: json(
        'Own identity',
        z.object({
          kind,
          email: z.string().optional(),
          scopes: z.array(z.string()).optional(),
          workspace: z.string().optional(),
          super_admin: z.boolean(),
        }),
      ),
    },
  }),
  listOwnWorkspaces: endpoint({
    method: 'get',
    path: '/api/auth/workspaces',
    admits: ['any'],
    tag: 'Access',
    summary:
      'The workspaces that the credential may use, as in the response to a sign-in; a token needs workspace:read',
    answers: {
      200: json(
        'All of them',
        z.object({
          items: z.array(z.object({ id: z.string(), role: z.enum(ROLES) })),
        }),
      ),
      403: problem('A token without the scope workspace:read'),
    },
  }),
  getMembership: endpoint({
    method: 'get',
    path: '/whoami',
    in: 'workspace',
    admits: ['workspace:read'],
    tag: 'Access',
    summary: 'Own identity in this workspace',
    answers: {
      200: json(
        'Own identity',
        z.object({
          kind,
          email: z.string(),
          role: z.enum(ROLES).nullable(),
          workspace: z.string(),
          scopes: z.array(z.string()),
          hidden_sections: z
            .array(z.enum(SECTIONS))
            .describe('sections that the console leaves out of its side bar'),
        }),
      ),
    },
  }),
}
