/** The address of a server as its copies need it: the binding that copies knows no streams, and no query such as `?tls=0`. */
import { parseLibsqlUrl } from '@libsql/hrana-client'

type Address = Readonly<{ url: string; authToken?: string | undefined }>

/** @throws {Error} the address is invalid */
export const toSyncAddress = ({ url, authToken = '' }: Address) => {
  const { hranaHttpUrl, hranaWsUrl, authToken: inUrl = authToken } = parseLibsqlUrl(url)
  // sqld replicates only over HTTP
  return { syncUrl: hranaHttpUrl ?? hranaWsUrl?.replace(/^ws/, 'http') ?? url, authToken: inUrl }
}
