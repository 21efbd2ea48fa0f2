import { type ParseByUrlDeps, parseByUrl } from '#service/registry/parse-by-url.ts'
import { ok } from '../answer.ts'
import { WORKFLOW_PATH, workflowEndpoints } from '../endpoints/workflows.ts'
import { acceptsEvents } from '../event-stream.ts'
import { handlers } from '../handlers.ts'
import { workspaceOfKey } from '../key-workspace.ts'
import { followScan, type OnPage } from './follow-scan.ts'

export const workflowRoutes = handlers(workflowEndpoints, (deps: ParseByUrlDeps) => ({
  runWorkflow: async ({ principal, requestId, signal, header, body: { params } }) => {
    const { credentialId: apiKeyId } = principal
    const ws = workspaceOfKey(principal)
    const { imageUrl: url, documentType, accuracy } = params
    const call = {
      ws,
      apiKeyId,
      route: WORKFLOW_PATH,
      requestId,
      url,
      documentType,
      accuracy,
    }
    if (!acceptsEvents({ header })) {
      return ok(await parseByUrl(deps, { ...call, signal }))
    }
    const start = (until: AbortSignal, onPage: OnPage) =>
      parseByUrl(deps, { ...call, signal: until, onPage })
    return followScan({ start, signal, requestId })
  },
}))
