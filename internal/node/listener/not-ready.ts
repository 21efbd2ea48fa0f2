/** What a node answers until its database does. */
import { v7 } from 'uuid'
import type { NodeRole } from '#core/node-role.ts'
import { VERSION } from '../version.ts'
import type { Handler } from './listen.ts'

const DEFAULT_REASON = 'Its database does not answer yet.'

/**
 * The response to all requests until the database works.
 * @param findReason why the node waits, if it is known
 */
export const notReady =
  (role: NodeRole, findReason: () => string | undefined): Handler =>
  (request) => {
    const requestId = v7()
    const reason = findReason()
    const body =
      new URL(request.url).pathname === '/healthz'
        ? { status: 'unavailable', version: VERSION, role, database: 'unavailable', reason }
        : {
            error: `The node is starting. ${reason ?? DEFAULT_REASON} Try again shortly.`,
            code: 'unavailable',
            request_id: requestId,
          }
    const headers = { 'retry-after': '2', 'x-request-id': requestId }
    return Response.json(body, { status: 503, headers })
  }
