/** Parses the destination of a request and decides whether the action's `network` lists it. Pure. */
import { isIPv6 } from 'node:net'

export type Destination = Readonly<{
  /** A lower-case host name, or an address without brackets. */
  host: string
  port: number
}>

const HTTP_PORT = 80

/**
 * Parses the target of CONNECT, or an absolute http URL. The URL parser knows every
 * spelling of an address (`127.1`, `0x7f000001`), so no address passes as a name.
 * @returns null if the text is neither
 */
export const parseDestination = (text: string): Destination | null => {
  if (text.startsWith('/')) return null
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (url === null || url.protocol !== 'http:' || url.username !== '' || url.password !== '') {
    return null
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return host === '' ? null : { host, port: url.port === '' ? HTTP_PORT : Number(url.port) }
}

/** For messages and headers: `host:port`. */
export const describeDestination = ({ host, port }: Destination): string =>
  `${isIPv6(host) ? `[${host}]` : host}:${port}`

const matches = (entry: string, { host, port }: Destination): boolean => {
  const [, name = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
  if (wantedPort !== undefined && Number(wantedPort) !== port) return false
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name
}

/** @param network an action's `network`: null allows any host, a list allows its hosts, each with an optional port */
export const isNamed = (network: readonly string[] | null, destination: Destination): boolean =>
  network === null || network.some((entry) => matches(entry, destination))
