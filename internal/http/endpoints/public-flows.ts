import { RUN_STATUSES } from '#core/flow/run.ts'
import { empty, jsonOrPage, media, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { jsonValue, z } from '../schemas/z.ts'

const query = z.object({ t: z.string().max(2_000).default('') })

const ends = {
  404: problem('No such link'),
  410: problem('Used up, expired or revoked'),
}

const startedAnswer = z.object({ status_url: z.url() })

export const publicFlowEndpoints = {
  getFlowFormPage: endpoint({
    method: 'get',
    path: '/api/flow/run',
    admits: ['public'],
    tag: 'Public pages',
    summary: 'The form of a public link',
    query,
    answers: { 200: media('text/html', 'A form'), ...ends },
  }),
  startFlowRunByLink: endpoint({
    method: 'post',
    path: '/api/flow/run',
    admits: ['public'],
    tag: 'Public pages',
    summary: 'Start the flow of a public link: a form with a field for each key, or JSON',
    query,
    bodyKind: 'raw',
    rawBody: {
      contentType: 'application/x-www-form-urlencoded',
      otherContentTypes: ['application/json'],
      schema: z.record(z.string(), jsonValue),
    },
    answers: {
      201: jsonOrPage('Started, for JSON', startedAnswer),
      303: empty('Started, for a form: to the page that shows its status'),
      400: problem('A field is missing or not valid'),
      415: problem('Neither a form nor JSON'),
      ...ends,
    },
  }),
  getFlowStatusPage: endpoint({
    method: 'get',
    path: '/api/flow/status',
    admits: ['public'],
    tag: 'Public pages',
    summary: 'Get the status of a run that a public link started, as a page or as JSON',
    query,
    answers: {
      200: jsonOrPage('A page, or `{status}`', z.object({ status: z.enum(RUN_STATUSES) })),
      403: problem('Not one of our links'),
      ...ends,
    },
  }),
}
