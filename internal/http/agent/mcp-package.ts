/**
 * The package of the protocol, which the first request of an agent loads. It imports nothing of svc: what the chunk of the
 * binary shared with others would be moved out of the program's own chunk.
 */
// @ts-types="../../../node_modules/@modelcontextprotocol/sdk/dist/esm/server/index.d.ts"
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
// @ts-types="../../../node_modules/@modelcontextprotocol/sdk/dist/esm/server/webStandardStreamableHttp.d.ts"
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
// @ts-types="../../../node_modules/@modelcontextprotocol/sdk/dist/esm/types.d.ts"
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
