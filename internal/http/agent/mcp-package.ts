/**
 * The package of the protocol, which the first request of an agent loads. It imports nothing of svc: what the chunk of the
 * binary shared with others would be moved out of the program's own chunk.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'

export const openMcpPackage = () => ({
  Server,
  Transport: WebStandardStreamableHTTPServerTransport,
  CallToolRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ErrorCode,
})
export type McpPackage = ReturnType<typeof openMcpPackage>
