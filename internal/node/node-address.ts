/** The address of a node, under which other nodes and people reach it. */
import { networkInterfaces } from 'node:os'
import type { Config } from '#config/config.ts'
import { type NodeRole, runsServer, runsWorker } from '#core/node-role.ts'
import type { Listener } from './listener/listen.ts'

const WILDCARDS = ['0.0.0.0', '::', '']

/** The first address of this machine that other machines may reach. */
const outerAddress = (): string | null => {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const outer = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
  const chosen = outer.find(({ family }) => family === 'IPv4') ?? outer[0]
  if (chosen === undefined) return null
  return chosen.family === 'IPv6' ? `[${chosen.address}]` : chosen.address
}

/** `SVC_NODE_URL`, else the listener's address; for a listener on all addresses, the first outer address of this machine. */
export const nodeAddress = (config: Config, listener: Listener): string => {
  if (config.nodeUrl !== undefined) return config.nodeUrl.replace(/\/$/, '')
  if (!WILDCARDS.includes(listener.host)) return listener.url
  const host = outerAddress()
  return host === null ? listener.url : `http://${host}:${listener.port}`
}

/**
 * The base of links that svc creates without a request, such as those of approvals that a job requests. It depends on the
 * settings alone, so no caller can put its own host into a link that another person receives.
 */
export const linkAddress = (config: Config, listener: Listener | null): string => {
  if (config.baseUrl !== undefined) return config.baseUrl.replace(/\/+$/, '')
  return listener === null ? `http://${config.host}:${config.port}` : nodeAddress(config, listener)
}

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|::1|\[::1\])$/i.test(host)

/** A warning at the start if links may not work for people; null if svc finds no fault. */
export const linkWarning = (
  config: Config,
  { role, listener }: Readonly<{ role: NodeRole; listener: Listener | null }>,
): string | null => {
  if (config.baseUrl !== undefined) return null
  if (runsServer(role)) {
    if (listener === null || isLoopback(listener.host)) return null
    return 'SVC_BASE_URL is not set. Links in answers have the host of their request; links that jobs ask for lead to this node. Set it to the address that people use.'
  }
  const isElsewhere = config.databaseUrl !== undefined && !config.databaseUrl.startsWith('file:')
  return runsWorker(role) && isElsewhere
    ? 'SVC_BASE_URL is not set. Links that jobs ask for lead to this worker’s own host. Set it to the address that people use.'
    : null
}
