/**
 * Wraps the SDK package of the Model Context Protocol, which loads with the first request of an agent. It must not import
 * modules of svc: the bundler would move modules that two chunks share out of the program's own chunk.
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
