/** Addresses that belong to svc itself, which no grant opens. */
import type { Config } from '#config/config.ts'
import type { Reserved } from '#sandbox/egress/reserved.ts'

/** @returns the server of a database address; empty for a file */
const serverOf = (address: string | undefined): Reserved['servers'] => {
  const url = address === undefined ? null : URL.parse(address)
  if (url === null || url.hostname === '') return []
  const usual = url.protocol === 'http:' || url.protocol === 'ws:' ? 80 : 443
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return [{ host, port: url.port === '' ? usual : Number(url.port) }]
}

export type ReservedConfig = Pick<
  Config,
  'port' | 'healthPort' | 'databaseUrl' | 'sqldAdminUrl' | 'cells'
>

const listening: number[] = []
let neighbors: readonly number[] = []

/** Reserves the port of a listener, which the settings do not name if it is 0. @returns ends it */
export const reservePort = (port: number): (() => void) => {
  listening.push(port)
  return () => void listening.splice(listening.indexOf(port), 1)
}

/** Reserves the ports of the other servers on this machine. @param addresses of all of them, as they registered */
export const reserveNeighbors = (addresses: readonly string[]): void => {
  neighbors = addresses.flatMap(serverOf).map(({ port }) => port)
}

/** Addresses that belong to svc itself: its own listeners, and the servers that hold its data. */
export const reservedOf = (config: ReservedConfig): Reserved => ({
  get ports() {
    return [config.port, config.healthPort ?? 0, ...listening, ...neighbors]
  },
  servers: [config.databaseUrl, config.sqldAdminUrl, ...config.cells.map(({ url }) => url)].flatMap(
    serverOf,
  ),
})
