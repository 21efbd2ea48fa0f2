/** How a guest asks the host's proxy for a connection: HTTP's CONNECT. */
import { RELAY_PORT } from '../../protocol/messages.ts'

export const RELAY = { hostname: '127.0.0.1', port: RELAY_PORT } as const

export const LOCALHOST = 'localhost'

const OWN = /^(?:localhost|127(?:\.\d+){3}|::1|0\.0\.0\.0|::)$/

/** Whether a host is the guest itself: its namespace has a loopback of its own. */
export const isOwnHost = (host: string): boolean => OWN.test(host)

const authorityOf = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** The head of a CONNECT request for one destination. */
export const tunnelRequest = (host: string, port: number): string => {
  const authority = authorityOf(host, port)
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`
}

/** @param head of the proxy's answer */
export const refusal = (host: string, port: number, head: string): Error => {
  const [, reason = 'the connection was cut'] = /^HTTP\/1\.1 \d+ (.*)/.exec(head) ?? []
  return Object.assign(
    new Error(`svc does not let this job reach ${authorityOf(host, port)}: ${reason}.`),
    { name: 'PermissionDenied', code: 'EACCES' },
  )
}

/** The message for a job that finds nothing on its own loopback: it may have meant a server of the machine. */
export const ownRefusal = (host: string, port: number, cause: unknown): Error =>
  Object.assign(
    new Error(
      `svc does not let this job reach ${authorityOf(host, port)}: a job's loopback is its own, and nothing in this job listens there.`,
      { cause },
    ),
    { name: 'ConnectionRefused', code: 'ECONNREFUSED' },
  )
