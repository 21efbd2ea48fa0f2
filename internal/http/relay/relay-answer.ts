/** Responses to a client that waits for a certificate, the same over HTTP and over a WebSocket. */
import type { RelayEnd } from '#core/relay/session.ts'
import type { Received } from '#service/relay/receive-certificate.ts'
import { sessionEnded } from '#service/relay/relay-session.ts'
import { answer, ok } from '../answer.ts'
import { toTimestamp } from '../schemas/time.ts'

/** The relay's 410 has the field `status` in addition to the fields of every error. */
export const toEndReply = (end: RelayEnd, requestId: string) => {
  const { message, code } = sessionEnded(end)
  return answer(410, { status: end, error: message, code, requestId })
}

/** As one message of a WebSocket. */
export const toRelayMessage = (received: Received): Readonly<Record<string, string>> => {
  switch (received.kind) {
    case 'waiting':
      return { status: 'waiting', expiresAt: toTimestamp(received.expiresAt) }
    case 'received': {
      const { certId, certDer, certKey } = received
      return { status: 'delivered', certId, certDer, certKey }
    }
    case 'ended':
      return { status: received.end }
  }
}

export const toRelayReply = (received: Received, requestId: string) => {
  switch (received.kind) {
    case 'waiting':
      return answer(202, { status: 'waiting', expiresAt: toTimestamp(received.expiresAt) })
    case 'received': {
      const { certId, certDer, certKey } = received
      return ok({ status: 'delivered', certId, certDer, certKey })
    }
    case 'ended':
      return toEndReply(received.end, requestId)
  }
}
