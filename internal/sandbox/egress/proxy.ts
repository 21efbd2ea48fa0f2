/**
 * The egress proxy for guests that have no network of their own: an HTTP proxy with one unix socket per guest, so
 * that it knows which guest it serves. It accepts CONNECT for any TCP connection, and plain http URLs. It reads the heads of
 * requests and responses alone (read-head.ts), and one request from each connection.
 *
 * It dials only addresses that are public or granted (resolve.ts), for destinations that the action's `network` lists. It
 * limits the connections and bytes of each guest, and closes all connections of a guest when the guest ends.
 */
import { chmodSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { type EgressGrant, parseEgressGrants } from '#core/network/egress-grant.ts'
import { REFUSED_HEADER } from '../protocol/messages.ts'
import { type Destination, isNamed, parseDestination } from './destination.ts'
import { type Dial, dialAny } from './dial.ts'
import { forwardRequest } from './forward-request.ts'
import type { GuestEgress } from './guest-egress.ts'
import { endSoon, HALF_OPEN_MS, joinSockets } from './join-sockets.ts'
import { parseRequestHead, type RequestHead, writeHead } from './message-head.ts'
import { readHead } from './read-head.ts'
import {
  type IsReserved,
  isOpenAddress,
  judgeHost,
  type NameResolver,
  resolveName,
} from './resolve.ts'
import {
  createTotals,
  createTraffic,
  type EgressTotals,
  type Traffic,
  type TrafficBounds,
} from './traffic.ts'

export type EgressRules = Readonly<{
  network: readonly string[] | null
  granted?: readonly string[]
}>

export interface EgressProxy {
  /**
   * Listens at `path`.
   * @param rules `network`: null allows any public address, a list allows its hosts;
   * `granted`: private destinations that are open if `network` lists them too
   */
  open(path: string, rules: EgressRules): GuestEgress
  readonly totals: Readonly<EgressTotals>
}

export type EgressOptions = Readonly<{
  bounds?: Partial<TrafficBounds>
  /** Places that no grant opens. @default only link-local addresses and the like */
  isReserved?: IsReserved
  /** Tests replace the next three. @default the network of this machine */
  resolve?: NameResolver
  isOpen?: (address: string) => boolean
  dial?: Dial
  /** @default HALF_OPEN_MS */
  halfOpenMs?: number
}>

const BOUNDS: TrafficBounds = { connections: 64, bytes: 1_073_741_824 }
const HEADERS_MS = 10_000

type ParsedRules = Readonly<{
  network: readonly string[] | null
  granted: readonly EgressGrant[] | null
}>
type Refusal = Readonly<{ status: number; reason: string }>
type Dialed = Readonly<{ socket: Socket }> | Refusal

const REASON_FIELD = /[^\x20-\x7e]/g

const refuse = (inner: Socket, request: RequestHead | null, { status, reason }: Refusal): void => {
  const text = reason.replaceAll(REASON_FIELD, '?')
  const body =
    request?.method === 'CONNECT' ? '' : `svc does not let this job reach that address: ${text}.\n`
  const fields = [
    ...(body === ''
      ? []
      : [
          { name: 'Content-Type', value: 'text/plain' },
          { name: REFUSED_HEADER, value: text },
        ]),
    { name: 'Content-Length', value: String(body.length) },
    { name: 'Connection', value: 'close' },
  ]
  inner.write(`${writeHead(`HTTP/1.1 ${status} ${text}`, fields)}${body}`, 'latin1')
  endSoon(inner)
}

type GuestServerParts = Readonly<{
  reach: (destination: Destination | null) => Promise<Dialed>
  traffic: Traffic
  halfOpenMs: number
}>

/** Serves the request of a connection. */
const serve = async (
  inner: Socket,
  { reach, halfOpenMs }: Pick<GuestServerParts, 'reach' | 'halfOpenMs'>,
): Promise<void> => {
  const late = setTimeout(() => inner.destroy(), HEADERS_MS)
  const head = await readHead(inner)
  clearTimeout(late)
  if (inner.destroyed) return
  const request = head === null ? null : parseRequestHead(head)
  const destination = request === null ? null : parseDestination(request.target)
  const dialed = await reach(destination)
  if (!('socket' in dialed)) return refuse(inner, request, dialed)
  const { socket: outer } = dialed
  if (request === null || destination === null || inner.destroyed) return void outer.destroy()
  if (request.method !== 'CONNECT') {
    await forwardRequest(inner, { request, destination, outer, halfOpenMs })
    return
  }
  inner.write('HTTP/1.1 200 Connection established\r\n\r\n')
  joinSockets(inner, outer, halfOpenMs)
}

const createGuestServer = ({ traffic, ...parts }: GuestServerParts): Server => {
  // a guest that has sent everything still receives the response
  const server = createServer({ allowHalfOpen: true }, (inner) => {
    inner.on('error', () => inner.destroy())
    if (traffic.add(inner)) void serve(inner, parts)
    else inner.destroy()
  })
  // the folder is gone: nothing can connect any more, and the guest process reports its own end
  server.on('error', () => undefined)
  return server
}

const BAD_ADDRESS: Refusal = { status: 400, reason: 'It is not an address of the form host:port' }

/** Opens one listener for each guest; `totals` counts all of them. */
export const createEgressProxy = (options: EgressOptions): EgressProxy => {
  const { resolve = resolveName, isOpen = isOpenAddress, dial = dialAny } = options
  const { isReserved = async () => false, halfOpenMs = HALF_OPEN_MS } = options
  const totals = createTotals()

  const refused = (status: number, reason: string): Refusal => {
    totals.refused += 1
    return { status, reason }
  }

  const reach = async (
    destination: Destination | null,
    { network, granted }: ParsedRules,
  ): Promise<Dialed> => {
    if (destination === null) return refused(BAD_ADDRESS.status, BAD_ADDRESS.reason)
    if (!isNamed(network, destination)) {
      return refused(403, 'The network of its action does not name it')
    }
    const judged = await judgeHost(destination, { resolve, isOpen, granted, isReserved })
    if (judged.kind === 'closed') return refused(403, judged.reason)
    const socket = await dial(judged.addresses, destination.port)
    if (socket === null) {
      totals.failed += 1
      return { status: 502, reason: 'It does not answer' }
    }
    totals.opened += 1
    return { socket }
  }

  /** Limits how many connections a guest dials at once. Connections that the guest abandons while they are dialed still count. */
  const createGate = (rules: ParsedRules, maxDialing: number): GuestServerParts['reach'] => {
    let underWay = 0
    return async (destination) => {
      if (underWay >= maxDialing) return refused(429, 'It opens too many connections at once')
      underWay += 1
      try {
        return await reach(destination, rules)
      } finally {
        underWay -= 1
      }
    }
  }

  return {
    totals,
    open: (path, { network, granted = [] }) => {
      // a grant opens only what `network` lists
      const rules = { network, granted: network === null ? null : parseEgressGrants(granted) }
      const bounds = { ...BOUNDS, ...options.bounds }
      const traffic = createTraffic(bounds, totals)
      const reach = createGate(rules, bounds.connections)
      const server = createGuestServer({ traffic, reach, halfOpenMs })
      server.listen(path)
      // guests run as another user; the folder around the socket excludes all others
      chmodSync(path, 0o666)
      return {
        beginJob: traffic.reset,
        close: () => {
          server.close()
          traffic.close()
        },
      }
    },
  }
}
