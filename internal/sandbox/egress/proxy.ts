/**
 * The egress proxy for guests that have no network of their own: an HTTP proxy with one unix socket per guest, so
 * that it knows which guest it serves. It accepts CONNECT for any TCP connection, and plain http URLs.
 *
 * It dials only addresses that are public or granted (resolve.ts), for destinations that the action's `network` lists. It
 * limits the connections and bytes of each guest, and closes all connections of a guest when the guest ends.
 */
import { chmodSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type EgressGrant, parseEgressGrants } from '#core/network/egress-grant.ts'
import { REFUSED_HEADER } from '../protocol/messages.ts'
import { type Destination, isNamed, parseDestination } from './destination.ts'
import { type Dial, dialAny } from './dial.ts'
import { forwardRequest, forwardUpgrade } from './forward-request.ts'
import type { GuestEgress } from './guest-egress.ts'
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
}>

const BOUNDS: TrafficBounds = { connections: 64, bytes: 1_073_741_824 }
const HEADERS_MS = 10_000

type ParsedRules = Readonly<{
  network: readonly string[] | null
  granted: readonly EgressGrant[] | null
}>
type Refusal = Readonly<{ status: number; reason: string }>
type Dialed = Readonly<{ socket: Socket }> | Refusal

const refuseTunnel = (socket: Duplex, { status, reason }: Refusal): void => {
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
}

const refuseRequest = (response: ServerResponse, { status, reason }: Refusal): void => {
  response.writeHead(status, { 'content-type': 'text/plain', [REFUSED_HEADER]: reason })
  response.end(`svc does not let this job reach that address: ${reason}.\n`)
}

/** Copies bytes both ways; the end of either socket ends both. */
const joinSockets = (inner: Duplex, outer: Socket): void => {
  const cut = (): void => {
    inner.destroy()
    outer.destroy()
  }
  for (const socket of [inner, outer]) socket.on('error', cut).on('close', cut)
  inner.pipe(outer)
  outer.pipe(inner)
}

type GuestServerParts = Readonly<{
  reach: (destination: Destination | null) => Promise<Dialed>
  traffic: Traffic
}>

/**
 * Returns a function that closes a connection on which a request arrives before the response to an earlier one, and returns
 * whether it did. Each request dials, so a guest would exceed the number of connections, and Node does not report the end of
 * such a response. No client of the runtimes sends requests in this way.
 */
const createOneAtATime = () => {
  const busy = new WeakSet<Socket>()
  return (inner: Socket, response: ServerResponse | null): boolean => {
    if (busy.has(inner)) {
      inner.destroy()
      return true
    }
    busy.add(inner)
    response?.on('close', () => busy.delete(inner))
    return false
  }
}

const createGuestServer = ({ reach, traffic }: GuestServerParts): Server => {
  const isEarly = createOneAtATime()
  const server = createServer((incoming, response) => {
    if (isEarly(incoming.socket, response)) return
    const destination = parseDestination(incoming.url ?? '')
    void reach(destination).then((dialed) => {
      if (!('socket' in dialed) || destination === null) {
        refuseRequest(response, 'socket' in dialed ? BAD_ADDRESS : dialed)
      } else if (response.closed) dialed.socket.destroy()
      else forwardRequest(incoming, response, { destination, socket: dialed.socket })
    })
  })
  server.headersTimeout = HEADERS_MS
  // an upload may take as long as its job
  server.requestTimeout = 0
  server.on('connect', (incoming, inner, head) => {
    inner.on('error', () => inner.destroy())
    if (isEarly(incoming.socket, null)) return
    void reach(parseDestination(incoming.url ?? '')).then((dialed) => {
      if (!('socket' in dialed)) {
        refuseTunnel(inner, dialed)
        return
      }
      if (inner.destroyed) {
        dialed.socket.destroy()
        return
      }
      joinSockets(inner, dialed.socket)
      inner.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) dialed.socket.write(head)
    })
  })
  server.on('upgrade', (incoming, inner, head) => {
    inner.on('error', () => inner.destroy())
    if (isEarly(incoming.socket, null)) return
    const destination = parseDestination(incoming.url ?? '')
    void reach(destination).then((dialed) => {
      if (!('socket' in dialed) || destination === null) {
        refuseTunnel(inner, 'socket' in dialed ? BAD_ADDRESS : dialed)
      } else if (inner.destroyed) dialed.socket.destroy()
      else {
        if (head.length > 0) inner.unshift(head)
        forwardUpgrade(incoming, inner, { destination, socket: dialed.socket, join: joinSockets })
      }
    })
  })
  server.on('connection', (socket) => {
    if (!traffic.add(socket)) socket.destroy()
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  // the folder is gone: nothing can connect any more, and the guest process reports its own end
  server.on('error', () => undefined)
  return server
}

const BAD_ADDRESS: Refusal = { status: 400, reason: 'It is not an address of the form host:port' }

/** Opens one listener for each guest; `totals` counts all of them. */
export const createEgressProxy = (options: EgressOptions): EgressProxy => {
  const { resolve = resolveName, isOpen = isOpenAddress, dial = dialAny } = options
  const { isReserved = async () => false } = options
  const totals = createTotals()

  const refuse = (status: number, reason: string): Refusal => {
    totals.refused += 1
    return { status, reason }
  }

  const reach = async (
    destination: Destination | null,
    { network, granted }: ParsedRules,
  ): Promise<Dialed> => {
    if (destination === null) return refuse(BAD_ADDRESS.status, BAD_ADDRESS.reason)
    if (!isNamed(network, destination)) {
      return refuse(403, 'The network of its action does not name it')
    }
    const judged = await judgeHost(destination, { resolve, isOpen, granted, isReserved })
    if (judged.kind === 'closed') return refuse(403, judged.reason)
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
      if (underWay >= maxDialing) return refuse(429, 'It opens too many connections at once')
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
      const server = createGuestServer({ traffic, reach: createGate(rules, bounds.connections) })
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
