/** How a guest requests a connection from the host's proxy, by HTTP's CONNECT. */
import type { NetworkEntry } from '../../protocol/messages.ts'

export const LOCALHOST = 'localhost'
/** The address of that name, and the default of a connection. */
export const LOOPBACK = '127.0.0.1'

const OWN = /^(?:localhost|127(?:\.\d+){3}|::1|0\.0\.0\.0|::)$/

let outside: readonly NetworkEntry[] = []

/** Sets the destinations that lead to the loopback of the machine, because the action's `network` lists them. */
export const sendOut = (entries: readonly NetworkEntry[]): void => {
  outside = entries
}

/** Whether an entry matches a destination. @param host in lower case, without brackets */
export const isAmong = (entries: readonly NetworkEntry[], host: string, port: number): boolean =>
  entries.some(
    (entry) =>
      (entry.port === null || entry.port === port) &&
      (entry.host.startsWith('*.') ? host.endsWith(entry.host.slice(1)) : entry.host === host),
  )

/** Whether a destination is the guest itself, whose namespace has its own loopback. */
export const isOwnHost = (host: string, port: number): boolean =>
  OWN.test(host) && !isAmong(outside, host.toLowerCase(), port)

/** Whether the action's `network` names a host, at any port. @param host of the guest itself */
export const mayLeadOut = (host: string): boolean => outside.some((entry) => entry.host === host)

const authorityOf = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** The head of a CONNECT request for one destination. */
export const tunnelRequest = (host: string, port: number): string => {
  const authority = authorityOf(host, port)
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`
}

/** The error name for a private destination without a grant. */
export const NOT_GRANTED = 'NetworkNotGranted'
const NOT_GRANTED_REASON = new RegExp(`^(${NOT_GRANTED}): (.*)`)

type Explained = Readonly<{ name: string; code: string; message: string }>

/** Reasons that are no refusals. Packages try again after these codes. */
const NOT_REACHED: ReadonlyMap<string, (place: string) => Explained> = new Map([
  [
    'It does not answer',
    (place) => ({
      name: 'ConnectionRefused',
      code: 'ECONNREFUSED',
      message: `${place} does not answer.`,
    }),
  ],
  [
    'The name is not known',
    (place) => ({
      name: 'NotFound',
      code: 'ENOTFOUND',
      message: `The name of ${place} is not known.`,
    }),
  ],
])

/** @param reason as the proxy sends it */
export const explain = (place: string, reason: string): Explained => {
  const notReached = NOT_REACHED.get(reason)
  if (notReached !== undefined) return notReached(place)
  const [, name = 'PermissionDenied', destination] = NOT_GRANTED_REASON.exec(reason) ?? []
  const why =
    destination === undefined
      ? reason
      : `${destination} is in a private network and not granted: an operator grants it by SVC_EGRESS_ALLOW or by egress_allow of the workspace`
  return { name, code: 'EACCES', message: `svc does not let this job reach ${place}: ${why}.` }
}

/** Writes a refusal to the job's log, because some packages replace the error by one of their own (mssql, resend). */
export const logRefusal = (message: string): string => {
  // biome-ignore lint/suspicious/noConsole: in a guest, this is the log of the job
  console.warn(message)
  return message
}

/** @param reason as the proxy sends it */
export const refusalOf = (place: string, reason: string): Error => {
  const { message, ...facts } = explain(place, reason)
  return Object.assign(new Error(logRefusal(message)), facts)
}

/** @param head of the proxy's response */
export const refusal = (host: string, port: number, head: string): Error => {
  const [, reason = 'the connection was cut'] = /^HTTP\/1\.1 \d+ (.*)/.exec(head) ?? []
  return refusalOf(authorityOf(host, port), reason)
}

/** The error of a job that finds nothing on its own loopback. Its author may have meant a server of the machine. */
export const ownRefusal = (host: string, port: number, cause: unknown): Error =>
  Object.assign(
    new Error(
      `svc does not let this job reach ${authorityOf(host, port)}: a job's loopback is its own, and nothing in this job listens there.`,
      { cause },
    ),
    { name: 'ConnectionRefused', code: 'ECONNREFUSED' },
  )
