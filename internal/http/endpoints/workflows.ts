import { jsonOrEvents, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { workflowAnswer, workflowBody } from '../schemas/workflows.ts'

export const WORKFLOW_PATH = '/v2/workflows'

export const workflowEndpoints = {
  runWorkflow: endpoint({
    method: 'post',
    path: WORKFLOW_PATH,
    admits: ['api_key', 'x-api-key'],
    tag: 'Document parser',
    summary: 'Read the registry certificate behind a URL',
    body: workflowBody,
    answers: {
      200: jsonOrEvents(
        'SUCCEEDED, charged; or FAILED with advice, free of charge. As text/event-stream: `progress` for each page of a scan, then `result` or `error`',
        workflowAnswer,
      ),
      400: problem('A broken request, or an address that may not be fetched: `url_not_allowed`'),
      403: problem('`insufficient_balance` or `suspended`'),
      503: problem('Too many documents at once: `parser_busy`'),
    },
  }),
}
