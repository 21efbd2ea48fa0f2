/** What a node answers until its database does. */
import { v7 } from 'uuid'
import type { Role } from '../roles.ts'
import { VERSION } from '../version.ts'
import type { Handler } from './listen.ts'

/** The response to all requests until the database answers. */
export const notReady =
  (role: Role): Handler =>
  (request) => {
    const requestId = v7()
    const body =
      new URL(request.url).pathname === '/healthz'
        ? { status: 'unavailable', version: VERSION, role, database: 'unavailable' }
        : {
            error: 'The node is starting: its database does not answer yet. Try again shortly.',
            code: 'unavailable',
            request_id: requestId,
          }
    const headers = { 'retry-after': '2', 'x-request-id': requestId }
    return Response.json(body, { status: 503, headers })
  }
