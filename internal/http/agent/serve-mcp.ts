/**
 * Serves a message of the Model Context Protocol over streamable HTTP with its official package [agents 2, 3]. Each message gets a
 * server object of its own and nothing is kept between messages, so any node may take it. The session id is only a name,
 * by which a cancel finds the node that runs the call.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
// @ts-types="../../../node_modules/@modelcontextprotocol/sdk/dist/esm/server/index.d.ts"
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
// @ts-types="../../../node_modules/@modelcontextprotocol/sdk/dist/esm/server/webStandardStreamableHttp.d.ts"
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
// @ts-types="../../../node_modules/@modelcontextprotocol/sdk/dist/esm/shared/protocol.d.ts"
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
// @ts-types="../../../node_modules/@modelcontextprotocol/sdk/dist/esm/types.d.ts"
import type {
  CallToolRequest,
  ServerNotification,
  ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import { customerOf } from '#core/access/principal.ts'
import { toToolSchema } from '#core/agent/tool-schema.ts'
import { isJsonObject, type JsonValue } from '#core/json/value.ts'
import { findExposedTool, listExposedTools } from '#service/agent/exposed-tools.ts'
import { toWireError } from '../error.ts'
import { EVENT_STREAM } from '../event-stream.ts'
import { responseWithText } from '../respond.ts'
import { decodeCursor, encodeCursor } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'
import { callTarget } from './call-target.ts'
import type { McpDeps, McpInput } from './mcp-call.ts'
import type { McpPackage } from './mcp-package.ts'
import { ownToolsFor } from './own-tools.ts'
import { type MessageWithoutArguments, setArgumentsAside } from './tool-arguments.ts'
import { refused, type ToolResult } from './tool-result.ts'

const INSTRUCTIONS =
  'Each tool runs an action or flow of this workspace. A call waits up to 25 s; when it answers an id instead of a ' +
  'result, ask get_job later.'

const SESSION_HEADER = 'mcp-session-id'
const SESSION_ID = /^[\w-]{1,100}$/

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

const readerOf = ({ ws, principal }: McpInput) => ({ ws, customerId: customerOf(principal) })

const listTools = async (deps: McpDeps, input: McpInput, cursor: string | undefined) => {
  const after = cursor === undefined ? '' : (decodeCursor(cursor) ?? '')
  const { tools, nextAfter } = await listExposedTools(deps, readerOf(input), after)
  const own = ownToolsFor(input).map(({ name, description, schema }) => ({
    name,
    description,
    inputSchema: toToolSchema(z.json().parse(z.toJSONSchema(schema, { io: 'input' }))),
  }))
  const exposed = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: toToolSchema(inputSchema),
  }))
  return {
    tools: after === '' ? [...own, ...exposed] : exposed,
    ...(nextAfter === null ? {} : { nextCursor: encodeCursor(nextAfter) }),
  }
}

/** The key by which a cancel finds its call; null without a session, where request ids are not unique. */
const callKeyOf = (
  { header, principal, ws }: McpInput,
  requestId: string | number,
): string | null => {
  const session = header(SESSION_HEADER)
  if (session === undefined || !SESSION_ID.test(session)) return null
  const text = JSON.stringify([principal.credentialId, ws, session, requestId])
  return createHash('sha256').update(text).digest('base64url')
}

const progressOf =
  ({ _meta, sendNotification }: Extra) =>
  async (progress: number, message: string): Promise<void> => {
    const progressToken = _meta?.progressToken
    if (progressToken === undefined) return
    await sendNotification({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    })
  }

type Call = Readonly<{
  mcp: McpPackage
  params: CallToolRequest['params']
  restore: MessageWithoutArguments['restore']
  extra: Extra
  canceled: AbortSignal
}>

const callTool = async (
  deps: McpDeps,
  input: McpInput,
  { mcp, params, restore, extra, canceled }: Call,
): Promise<ToolResult> => {
  const { name } = params
  const given = restore(params.arguments)
  const own = ownToolsFor(input).find((each) => each.name === name)
  if (own !== undefined) return own.call(deps, input, given).catch(refused)
  const tool = await findExposedTool(deps, readerOf(input), name)
  if (tool === null) {
    throw new mcp.McpError(mcp.ErrorCode.InvalidParams, `There is no tool ${name.slice(0, 200)}.`)
  }
  const call = { tool, given, canceled, onProgress: progressOf(extra) }
  return callTarget(deps, input, call).catch(refused)
}

type Transport = WebStandardStreamableHTTPServerTransport

/** Logs faults of svc itself; the agent gets the same general message as other callers. */
const orInternal = async <T>(
  { log }: McpDeps,
  { mcp, input }: Readonly<{ mcp: McpPackage; input: McpInput }>,
  run: () => Promise<T>,
): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof mcp.McpError) throw error
    const { isOurs, message } = toWireError(error)
    if (isOurs) log.error('A call of a tool failed.', { request_id: input.requestId, error })
    // biome-ignore lint/style/useErrorCause: the protocol's error has no cause, and the log contains it
    throw new mcp.McpError(
      isOurs ? mcp.ErrorCode.InternalError : mcp.ErrorCode.InvalidParams,
      message,
    )
  }
}

/** @param streams whether the response is an event stream, which may end without a result for a canceled call */
const createServer = (
  deps: McpDeps,
  input: McpInput,
  {
    mcp,
    transport,
    streams,
    restore,
  }: Readonly<{
    mcp: McpPackage
    transport: Transport
    streams: boolean
    restore: MessageWithoutArguments['restore']
  }>,
): Server => {
  const server = new mcp.Server(
    { name: 'svc', version: deps.version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      // svc sends clients no requests whose answers need validation, and the default validator loads a schema compiler
      jsonSchemaValidator: {
        getValidator: () => () => ({
          valid: false,
          data: undefined,
          errorMessage: 'not supported',
        }),
      },
    },
  )
  server.setRequestHandler(mcp.ListToolsRequestSchema, ({ params }) =>
    orInternal(deps, { mcp, input }, () => listTools(deps, input, params?.cursor)),
  )
  server.setRequestHandler(mcp.CallToolRequestSchema, async ({ params }, extra) => {
    const canceled = new AbortController()
    const key = callKeyOf(input, extra.requestId)
    const unsubscribe =
      key === null
        ? () => undefined
        : deps.hints.agentCallCanceled.subscribe(key, () => canceled.abort())
    try {
      const result = await orInternal(deps, { mcp, input }, () =>
        callTool(deps, input, { mcp, params, restore, extra, canceled: canceled.signal }),
      )
      // a canceled request gets no response [agents 3.5]
      if (canceled.signal.aborted && streams) transport.closeSSEStream(extra.requestId)
      return result
    } finally {
      unsubscribe()
    }
  })
  return server
}

const canceledMessage = z.looseObject({
  method: z.literal('notifications/cancelled'),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
})

/** Publishes the cancel to all nodes, since any of them may run the call. */
const forwardCancel = ({ hints }: McpDeps, input: McpInput, message: unknown): void => {
  const { data } = canceledMessage.safeParse(message)
  const key = data === undefined ? null : callKeyOf(input, data.params.requestId)
  if (key !== null) hints.agentCallCanceled.emit(key)
}

const PASSED_HEADERS = ['content-type', 'mcp-protocol-version'] as const

const toRequest = ({ ws, header }: McpInput, body: string): Request => {
  const headers = new Headers({ accept: 'application/json, text/event-stream' })
  for (const name of PASSED_HEADERS) {
    const value = header(name)
    if (value !== undefined) headers.set(name, value)
  }
  return new Request(`http://svc/mcp/${ws}`, { method: 'POST', headers, body })
}

/** Answers one message. @param streams whether the answer may be an event stream */
export const serveMessage = async (
  deps: McpDeps,
  input: McpInput,
  { text, message, streams }: Readonly<{ text: string; message: JsonValue; streams: boolean }>,
): Promise<Response> => {
  const { message: reduced, restore } = setArgumentsAside(message)
  forwardCancel(deps, input, message)
  // loaded by the first request, so that a node without agents starts faster
  const { openMcpPackage } = await import('./mcp-package.ts')
  const mcp = openMcpPackage()
  const body = message === null ? text : JSON.stringify(reduced)
  const transport = new mcp.Transport({
    enableJsonResponse: !streams,
    maxRequestBodySize: Buffer.byteLength(body) + 1,
  })
  const server = createServer(deps, input, { mcp, transport, streams, restore })
  await server.connect(transport)
  const response = await transport.handleRequest(toRequest(input, body))
  const isStart = isJsonObject(message) && message.method === 'initialize'
  if (isStart && response.ok) response.headers.set(SESSION_HEADER, deps.newId())
  if (response.headers.get('content-type') === EVENT_STREAM) return response
  return responseWithText(await response.text(), response.status, response.headers)
}
