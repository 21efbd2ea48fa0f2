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

/** Addresses that belong to svc itself: its own listeners, and the server that holds its data. */
export const reservedOf = (
  config: Pick<Config, 'port' | 'healthPort' | 'databaseUrl' | 'sqldAdminUrl'>,
): Reserved => ({
  ports: [config.port, ...(config.healthPort === undefined ? [] : [config.healthPort])],
  servers: [...serverOf(config.databaseUrl), ...serverOf(config.sqldAdminUrl)],
})
