/** POST /v2/workflows */
import { type ParseByUrlDeps, parseByUrl } from '#service/parse-by-url.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { workflowAnswer, workflowBody } from '../schemas/workflows.ts'

const PATH = '/v2/workflows'

export const workflowRoutes = (deps: ParseByUrlDeps): readonly Route[] => [
  route({
    method: 'post',
    path: PATH,
    operationId: 'runWorkflow',
    scope: 'api_key',
    keyHeader: true,
    tag: 'Document parser',
    summary: 'Read the registry certificate behind a URL',
    body: workflowBody,
    responses: {
      200: {
        description: 'SUCCEEDED, charged; or FAILED with advice, free of charge',
        schema: workflowAnswer,
      },
      400: problem('A broken request, or an address that may not be fetched: `url_not_allowed`'),
      403: problem('`insufficient_balance` or `suspended`'),
      503: problem('Too many documents at once: `parser_busy`'),
    },
    handler: async ({ principal, requestId, signal, body: { params } }) => {
      const { ws, credentialId: apiKeyId } = principal
      if (ws === null) throw new Error('An API key without a workspace.')
      const { imageUrl: url, documentType, accuracy } = params
      const call = { ws, apiKeyId, route: PATH, requestId, signal, url, documentType, accuracy }
      return reply(200, await parseByUrl(deps, call))
    },
  }),
]
