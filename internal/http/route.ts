/** What the server needs to call a route: its address, who is admitted, and the code that answers. */
import type { AnswerHeaders } from './answer.ts'
import type { BodyKind, Endpoint } from './endpoint.ts'
import type { RawInput } from './request.ts'

/** A status with a JSON body in wire form, or a finished Response (text, streams, pages). */
export type Reply = Response | Readonly<{ status: number; body?: unknown; headers?: AnswerHeaders }>

/**
 * What the server knows of an endpoint before its handler has loaded: everything but its schemas. The path begins at the
 * root. cmd/build/generate-route-table.ts writes the facts of all endpoints.
 */
export type RouteFacts = Pick<
  Endpoint,
  'method' | 'path' | 'admits' | 'tag' | 'bodyLimit' | 'rate'
> &
  Readonly<{ operationId: string; bodyKind: BodyKind }>

export type Route = RouteFacts & Readonly<{ run: (request: RawInput) => Promise<Reply> }>
