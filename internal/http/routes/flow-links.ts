/**
 * GET    /api/w/{ws}/flow-links
 * POST   /api/w/{ws}/flow-links/{app}/{flow}
 * DELETE /api/w/{ws}/flow-links/{link_id}
 */
import { formFieldSchema } from '#core/flow/approval/form-field.ts'
import type { Deps } from '#service/deps.ts'
import type { WithFlows } from '#service/flows/engine.ts'
import {
  issueFlowLink,
  LINK_DEFAULT_DAYS,
  LINK_DEFAULT_USES,
  LINK_MOST_DAYS,
  LINK_MOST_USES,
  revokeFlowLink,
} from '#service/flows/public-link.ts'
import { listFlowLinks } from '#store/flow-links.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { flowLink, flowTarget, toWireFlowLink } from '../schemas/flows.ts'
import { toRowId } from '../schemas/job-id.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { checkKeys } from '../schemas/run.ts'
import { z } from '../schemas/z.ts'

const MOST_FIELDS = 100

const newLink = z.strictObject({
  max_uses: z.int().min(1).max(LINK_MOST_USES).default(LINK_DEFAULT_USES),
  expires_in_days: z.int().min(1).max(LINK_MOST_DAYS).default(LINK_DEFAULT_DAYS),
  public_form: z.array(formFieldSchema).max(MOST_FIELDS).default([]),
})

const createdLink = flowLink
  .extend({
    url: z.url().describe('the page with the form; its token is shown this once'),
  })
  .openapi('CreatedFlowLink')

type LinkDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'> & WithFlows

export const flowLinkRoutes = (deps: LinkDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/flow-links',
    operationId: 'listFlowLinks',
    scope: 'flows:read',
    tag: 'Flows',
    summary: 'Public links, newest first; never their tokens',
    query: pageQuery,
    responses: {
      200: { description: 'A page', schema: pageOf(flowLink) },
      400: problem('Bad cursor'),
    },
    handler: async ({ ws, query: { limit, cursor } }) => {
      const page = { beforeId: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listFlowLinks(deps.db, ws, page)
      return reply(200, toPage(rows, limit, { toItem: toWireFlowLink, keyOf: ({ id }) => id }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/flow-links/{app}/{flow}',
    operationId: 'createFlowLink',
    scope: '*',
    tag: 'Flows',
    summary: 'Make a link by which anybody starts this flow through a form',
    params: flowTarget,
    body: newLink.optional(),
    bodyKind: 'optional_json',
    responses: {
      201: { description: 'Made', schema: createdLink },
      400: problem('Bad form, number of uses or lifetime'),
      404: problem('Unknown app or flow'),
      422: problem('The flow waits for an approval (`flow_has_approval`)'),
    },
    handler: async ({ params, body, actor, baseUrl }) => {
      checkKeys({ app: params.app, action: params.flow })
      const wish = body ?? newLink.parse({})
      const { text, link } = await issueFlowLink(deps, {
        ...params,
        actor,
        maxUses: wish.max_uses,
        expiresInDays: wish.expires_in_days,
        form: wish.public_form,
      })
      return reply(201, {
        ...toWireFlowLink(link),
        url: `${baseUrl()}/api/flow/run?t=${text}`,
      })
    },
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/flow-links/{link_id}',
    operationId: 'revokeFlowLink',
    scope: '*',
    tag: 'Flows',
    summary: 'Revoke a link: it stops working at once',
    params: z.object({ ws: z.string(), link_id: z.string() }),
    responses: { 204: { description: 'Revoked' }, 404: problem('Unknown id') },
    handler: async ({ ws, params, actor }) => {
      await revokeFlowLink(deps, { ws, id: toRowId(params.link_id, 'Flow link'), actor })
      return reply(204)
    },
  }),
]
