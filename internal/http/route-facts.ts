/** The part of an endpoint that the server needs before its handler has loaded. */
import { bodyKindOf, type Endpoint, fullPathOf } from './endpoint.ts'
import type { RouteFacts } from './route.ts'

export const routeFactsOf = (operationId: string, one: Endpoint): RouteFacts => {
  const { method, admits, tag, bodyLimit, rate } = one
  return {
    operationId,
    method,
    path: fullPathOf(one),
    admits,
    tag,
    bodyKind: bodyKindOf(one),
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(rate === undefined ? {} : { rate }),
  }
}
