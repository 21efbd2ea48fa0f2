import { formFieldSchema } from '#core/flow/approval/form-field.ts'
import {
  LINK_DEFAULT_DAYS,
  LINK_DEFAULT_USES,
  LINK_MOST_DAYS,
  LINK_MOST_USES,
} from '#core/flow/link-limits.ts'
import { empty, json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { flowLink } from '../schemas/flows.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'

const MOST_FIELDS = 100

const newLink = z.strictObject({
  max_uses: z.int().min(1).max(LINK_MOST_USES).default(LINK_DEFAULT_USES),
  expires_in_days: z.int().min(1).max(LINK_MOST_DAYS).default(LINK_DEFAULT_DAYS),
  public_form: z.array(formFieldSchema).max(MOST_FIELDS).default([]),
})

const createdLink = flowLink
  .extend({
    url: z.url().describe('the page with the form; its token is shown only once'),
    warnings: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('what the flow requires and the form does not ask for; absent if there is nothing'),
  })
  .openapi('CreatedFlowLink')

export const flowLinkEndpoints = {
  listFlowLinks: endpoint({
    method: 'get',
    path: '/flow-links',
    in: 'workspace',
    admits: ['flows:read'],
    tag: 'Flows',
    summary: 'Public links, newest first; never their tokens',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(flowLink)), 400: problem('Bad cursor') },
  }),
  createFlowLink: endpoint({
    method: 'post',
    path: '/flow-links/{app}/{flow}',
    in: 'workspace',
    admits: ['*'],
    tag: 'Flows',
    summary: 'Create a public link that starts this flow through a form',
    body: newLink.optional(),
    bodyKind: 'optional_json',
    answers: {
      201: json('Created', createdLink),
      400: problem('Bad form, number of uses or lifetime'),
      404: problem('Unknown app or flow'),
      422: problem('The flow waits for an approval (`flow_has_approval`)'),
    },
  }),
  revokeFlowLink: endpoint({
    method: 'delete',
    path: '/flow-links/{link_id}',
    in: 'workspace',
    admits: ['*'],
    tag: 'Flows',
    summary: 'Revoke a link: it stops working at once',
    answers: { 204: empty('Revoked'), 404: problem('Unknown id') },
  }),
}
