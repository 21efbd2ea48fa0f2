/** The pages behind the links of an approval. A GET never decides, because mail scanners and link previews open links. */
import { jsonOrPage, media, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { jsonValue, z } from '../schemas/z.ts'

const refusals = {
  403: problem('Changed on its way, the requester’s own run, or a disabled account'),
  409: problem('The run has not reached this step yet'),
  410: problem('Used, expired, or the step is over'),
}

const shown = {
  method: 'get',
  admits: ['public'],
  tag: 'Public pages',
  summary: 'The page on which an approval link is answered; it decides nothing by itself',
  query: z.object({ t: z.string().max(2_000).default('') }),
  answers: { 200: media('text/html', 'A form'), ...refusals },
} as const

const sent = {
  method: 'post',
  admits: ['public'],
  tag: 'Public pages',
  query: shown.query,
  bodyKind: 'raw',
  rawBody: {
    contentType: 'application/x-www-form-urlencoded',
    otherContentTypes: ['application/json'],
    schema: z.record(z.string(), jsonValue),
  },
  answers: {
    200: jsonOrPage(
      'On record; as a page for a form',
      z.object({ decision: z.enum(['approved', 'rejected']) }),
    ),
    400: problem('A field is missing or not valid'),
    415: problem('Neither a form nor JSON'),
    ...refusals,
  },
} as const

export const approvalPageEndpoints = {
  getApprovalPage: endpoint({ ...shown, path: '/api/flow/approval' }),
  getApprovePage: endpoint({ ...shown, path: '/api/flow/approve' }),
  getRejectPage: endpoint({ ...shown, path: '/api/flow/reject' }),
  approveByLink: endpoint({
    ...sent,
    path: '/api/flow/approve',
    summary: 'Answer an approval link: approve; a form with a field for each key, or JSON',
  }),
  rejectByLink: endpoint({
    ...sent,
    path: '/api/flow/reject',
    summary: 'Answer an approval link: reject; a form with a field for each key, or JSON',
  }),
}
