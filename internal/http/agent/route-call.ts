/** Tools call the routes of the API, so that scopes, rate limits and responses are those of the API [agents 3.1]. */

import { JsonText, jsonTextOf } from '#core/json/text.ts'
import type { JsonObject } from '#core/json/value.ts'
import { requireAdmitted } from '../admission/admit.ts'
import type { Reply, Route } from '../route.ts'
import type { McpDeps, McpInput } from './mcp-call.ts'

export type RouteCall = Readonly<{
  operationId: string
  params: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: JsonObject
}>

const routeOf = ({ routes }: McpDeps, operationId: string): Route => {
  const route = routes.get(operationId)
  if (route === undefined) throw new Error(`There is no route ${operationId} for a tool to call.`)
  return route
}

/** @throws {AppError} any refusal of the route */
export const callRoute = async (
  deps: McpDeps,
  input: McpInput,
  { operationId, params, query = {}, body }: RouteCall,
): Promise<Reply> => {
  const route = routeOf(deps, operationId)
  const { principal, ws } = input
  requireAdmitted(principal, route)
  if (route.rate === 'run') input.takeRate('run', principal.credentialId)
  const bodyText = body === undefined ? '' : JSON.stringify(body)
  const bodyBytes = new TextEncoder().encode(bodyText)
  return route.run({
    ...input,
    // headers belong to the protocol message, not to the call within it
    header: () => undefined,
    receivedHeaders: () => [],
    isHead: false,
    bodyText,
    bodyBytes,
    bodyStream: null,
    readBody: async () => bodyBytes,
    principal,
    params: { ws, ...params },
    query,
    repeated: [],
    json: body,
  })
}

/** Returns the response's JSON as text. @throws {Error} the route answered something else */
export const textOf = (reply: Reply): string => {
  if (reply instanceof Response) throw new Error('A tool expected JSON of its route.')
  return jsonTextOf(reply.body)
}

/** The response's JSON in wire form. @throws {Error} the route answered something else */
export const bodyOf = (reply: Reply): unknown => {
  if (reply instanceof Response) throw new Error('A tool expected JSON of its route.')
  return reply.body instanceof JsonText ? reply.body.toJSON() : reply.body
}
