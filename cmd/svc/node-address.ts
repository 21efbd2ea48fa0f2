/** Where a node is: its machine, and the address under which other nodes reach it. */
import { networkInterfaces } from 'node:os'
import type { Config } from '#config/config.ts'
import type { Listener } from './listen.ts'

const WILDCARDS = ['0.0.0.0', '::', '']

/** The first address of this machine that others may know. */
const outerAddress = (): string | null => {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const outer = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
  const chosen = outer.find(({ family }) => family === 'IPv4') ?? outer[0]
  if (chosen === undefined) return null
  return chosen.family === 'IPv6' ? `[${chosen.address}]` : chosen.address
}

/** Under which people reach a server: `SVC_BASE_URL`, else this node's own, else where a server of these settings is. */
export const publicAddress = (config: Config, listener: Listener | null): string =>
  config.baseUrl?.replace(/\/+$/, '') ?? listener?.url ?? `http://${config.host}:${config.port}`

/** `SVC_NODE_URL`, else where the listener is: of a listener on all addresses the first outer one. */
export const nodeAddress = (config: Config, listener: Listener): string => {
  if (config.nodeUrl !== undefined) return config.nodeUrl.replace(/\/$/, '')
  if (!WILDCARDS.includes(listener.host)) return listener.url
  const host = outerAddress()
  return host === null ? listener.url : `http://${host}:${listener.port}`
}
