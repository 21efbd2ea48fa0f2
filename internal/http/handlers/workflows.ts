import { type ParseByUrlDeps, parseByUrl } from '#service/parse-by-url.ts'
import { ok } from '../answer.ts'
import { WORKFLOW_PATH, workflowEndpoints } from '../endpoints/workflows.ts'
import { handlers } from '../handlers.ts'

export const workflowRoutes = handlers(workflowEndpoints, (deps: ParseByUrlDeps) => ({
  runWorkflow: async ({ principal, requestId, signal, body: { params } }) => {
    const { ws, credentialId: apiKeyId } = principal
    if (ws === null) throw new Error('An API key without a workspace.')
    const { imageUrl: url, documentType, accuracy } = params
    const call = {
      ws,
      apiKeyId,
      route: WORKFLOW_PATH,
      requestId,
      signal,
      url,
      documentType,
      accuracy,
    }
    return ok(await parseByUrl(deps, call))
  },
}))
