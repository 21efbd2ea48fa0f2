/** Sends a request to an address that was checked before. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { hostOf, portOf } from './address-guard.ts'
import { readInTurns } from './read-in-turns.ts'

/** Keeps connections open for further requests. */
export type Connections = Readonly<{ http: HttpAgent; https: HttpsAgent; close: () => void }>

/** Opens a pool of connections. The caller limits how many requests run at once. */
export const openConnections = (): Connections => {
  const http = new HttpAgent({ keepAlive: true })
  const https = new HttpsAgent({ keepAlive: true })
  return {
    http,
    https,
    close: () => {
      http.destroy()
      https.destroy()
    },
  }
}

export type RequestOptions = Readonly<{
  signal: AbortSignal
  headers: Readonly<Record<string, string>>
  /** @default GET */
  method?: 'GET' | 'POST'
  /** @default none */
  body?: string
  /** @default a new connection */
  connections?: Connections
}>

/** Connects to the address; the Host header and TLS use the name in the URL. @throws {Error} there was no response */
export const requestAt = (
  url: URL,
  address: string,
  { signal, headers, connections, method = 'GET', body }: RequestOptions,
): Promise<IncomingMessage> => {
  const host = hostOf(url)
  const options = {
    method,
    host: address,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    headers: {
      host: url.host,
      'accept-encoding': 'identity',
      'user-agent': 'svc',
      ...headers,
    },
    signal,
  }
  const sent =
    url.protocol === 'http:'
      ? httpRequest({ ...options, agent: connections?.http ?? false })
      : httpsRequest({
          ...options,
          agent: connections?.https ?? false,
          servername: isIP(host) === 0 ? host : '',
        })
  readInTurns(sent)
  return new Promise((resolve, reject) => {
    sent.on('response', resolve)
    sent.on('error', reject)
    // a response 101 to a request without an upgrade ends the connection, and Node reports neither response nor error
    sent.on('close', () => reject(new Error('The connection was closed without a response.')))
    sent.end(body)
  })
}
