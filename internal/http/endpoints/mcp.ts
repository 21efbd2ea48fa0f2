import { empty, jsonOrEvents, media, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { z } from '../schemas/z.ts'

const message = z
  .looseObject({ jsonrpc: z.literal('2.0'), method: z.string().optional() })
  .openapi('McpMessage')
/** Old versions of the protocol allow several. */
const messages = z.union([message, z.array(message).min(1).max(10)])

export const mcpEndpoints = {
  callMcp: endpoint({
    method: 'post',
    path: '/mcp/{ws}',
    admits: ['any', 'customer_key'],
    tag: 'Agents',
    summary:
      'Model Context Protocol over streamable HTTP: tools are the actions and flows that apps expose',
    bodyKind: 'raw',
    rawBody: { contentType: 'application/json', schema: messages },
    answers: {
      200: jsonOrEvents('The answer of a request', messages),
      202: empty('A notification was taken'),
      400: media('application/json', 'Not a message of JSON-RPC'),
      403: problem('A foreign Origin, or a credential of another workspace'),
      413: problem('Body over the limit'),
      415: media('application/json', 'Not application/json'),
    },
  }),
}
