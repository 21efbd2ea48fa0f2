/** What an action's `network` may list: `host` or `host:port`. Pure, so that a deploy and a run decide alike. */
import { isNeverOpen, MAX_PORT } from './egress-grant.ts'

/** A name, perhaps with `*.` before it, or an IPv4 address; perhaps a port. */
const ENTRY = /^(\*\.)?([a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?)(?::(\d{1,5}))?$/i
const LOCALHOST = /\.localhost$/i

/** Returns an address in four decimal parts, however it is written (`127.1`, `0x7f000001`); null for a name. */
const ipv4Of = (host: string): string | null => {
  const parsed = URL.parse(`http://${host}`)?.hostname ?? ''
  return /^[\d.]+$/.test(parsed) ? parsed : null
}

const hostFault = (host: string, isWildcard: boolean): string | null => {
  const address = ipv4Of(host)
  if (address === null) {
    if (LOCALHOST.test(host) || (isWildcard && host === 'localhost')) {
      return 'names the machine itself, which is not a public address: write localhost'
    }
    return /(?:^|\.)\d+$/.test(host) ? 'is neither an IPv4 address nor a host name' : null
  }
  if (isNeverOpen(address)) return 'is not a public address, and no grant opens it to jobs'
  if (isWildcard) return 'has a wildcard before an address; wildcards are for names'
  return address === host ? null : `must be written as ${address}`
}

/** Returns why no job could ever reach what the entry names, to be read after the entry; null if there is no such reason. */
export const networkEntryFault = (entry: string): string | null => {
  const [, wildcard, host, port] = ENTRY.exec(entry) ?? []
  if (host === undefined) {
    return 'is not a host: write host names or IPv4 addresses, each optionally with a port'
  }
  if (port !== undefined && (Number(port) === 0 || Number(port) > MAX_PORT)) {
    return `has no port from 1 to ${MAX_PORT}`
  }
  return hostFault(host, wildcard !== undefined)
}
