/** What a request of the Model Context Protocol gives its tools. */
import type { Logger } from '#log/logger.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import type { InputOf } from '../endpoint.ts'
import type { mcpEndpoints } from '../endpoints/mcp.ts'
import type { Route } from '../route.ts'

export type McpDeps = AllDeps &
  Readonly<{
    version: string
    log: Pick<Logger, 'error'>
    /** How long a tool waits for its job, in milliseconds. @default the limit job.tool_wait */
    toolWaitMs?: number
    /** The routes that tools call, by operationId. */
    routes: ReadonlyMap<string, Route>
  }>

export type McpInput = InputOf<typeof mcpEndpoints.callMcp>
