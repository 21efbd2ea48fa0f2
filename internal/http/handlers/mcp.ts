import { forbidden } from '#core/error.ts'
import { originsOf } from '../admission/same-origin.ts'
import type { McpDeps, McpInput } from '../agent/mcp-call.ts'
import { serveMcp } from '../agent/serve-mcp-request.ts'
import { mcpEndpoints } from '../endpoints/mcp.ts'
import { handlers } from '../handlers.ts'

/** A page of another site must not call tools through a browser, whatever credential it has. */
const refuseForeignOrigin = ({ header, baseUrl }: McpInput): void => {
  const origin = header('origin')
  if (origin === undefined) return
  if ([new URL(baseUrl()).origin, ...originsOf(header('host'))].includes(origin)) return
  throw forbidden('This page may not call tools of svc: its origin is another site.', {
    code: 'foreign_origin',
  })
}

export const mcpRoutes = handlers(mcpEndpoints, (deps: McpDeps) => ({
  callMcp: async (input) => {
    refuseForeignOrigin(input)
    return serveMcp(deps, input)
  },
}))
