/** What whoever waits for a certificate is answered, over HTTP and over a WebSocket alike. */
import type { RelayEnd } from '#core/relay/session.ts'
import type { Received } from '#service/relay/receive-certificate.ts'
import { sessionEnded } from '#service/relay/relay-session.ts'
import { type Reply, reply } from './route.ts'
import { toTimestamp } from './schemas/time.ts'

/** 410 of the relay has the word `status` beside what every error has. */
export const toEndReply = (end: RelayEnd, requestId: string): Reply => {
  const { message, code } = sessionEnded(end)
  return reply(410, { status: end, error: message, code, request_id: requestId })
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

export const toRelayReply = (received: Received, requestId: string): Reply => {
  if (received.kind === 'ended') return toEndReply(received.end, requestId)
  return reply(received.kind === 'waiting' ? 202 : 200, toRelayMessage(received))
}
