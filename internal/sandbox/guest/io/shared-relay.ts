/**
 * The network connection to private destinations for a Deno guest that shares the network of the host (level runtime). Deno's
 * flags close private addresses to it. Besides public addresses, they open only one unix socket, at which the host's proxy
 * checks each destination. Raw connections go there, and so do requests of fetch that may lead to a private address.
 *
 * Nothing here confines the job: Deno's flags apply to code that goes another way.
 */
import type { NetworkEntry } from '../../protocol/messages.ts'
import { askForTunnel, type Connection, type DenoNetwork, type Fetch } from './relay.ts'
import { sendSocketsTo } from './sockets.ts'
import { isAmong, isOwnHost, NOT_GRANTED } from './tunnel.ts'
import { createTunnelFetch, type Destination, destinationOf } from './tunnel-fetch.ts'

const addressOf = (input: Parameters<Fetch>[0]): string =>
  input instanceof Request ? input.url : String(input)

const isNotGranted = (error: unknown): boolean =>
  error instanceof Error && error.name === NOT_GRANTED

/** Call it before code is loaded. @param entries destinations of fetch that may lead to a private address */
export const openSharedRelay = (
  deno: DenoNetwork,
  egress: string,
  entries: readonly NetworkEntry[],
): void => {
  const { connect } = deno
  const native = globalThis.fetch

  const tunnel = async ({ host, port }: Destination): Promise<Connection> =>
    await askForTunnel(await connect({ transport: 'unix', path: egress }), { host, port })

  /** Deno does not report that a name leads to a private address, so this asks the proxy. */
  const explain = async (to: Destination | null, failure: unknown): Promise<unknown> => {
    if (to === null || isOwnHost(to.host, to.port)) return failure
    try {
      const connection = await tunnel(to)
      connection.close()
      return failure
    } catch (error) {
      return isNotGranted(error) ? error : failure
    }
  }

  const fetchDirectly: Fetch = async (input, init) => {
    try {
      return await native(input, init)
    } catch (error) {
      throw await explain(destinationOf(addressOf(input)), error)
    }
  }

  const mayBePrivate = ({ host, port }: Destination): boolean => isAmong(entries, host, port)
  const fetchByTunnel = createTunnelFetch(fetchDirectly, mayBePrivate)
  const fetchPrivate = async (request: Request): Promise<Response> => {
    await sendSocketsTo({ path: egress })
    return await fetchByTunnel(request)
  }
  globalThis.fetch = async (input, init) => {
    const to = destinationOf(addressOf(input))
    return to !== null && mayBePrivate(to)
      ? await fetchPrivate(new Request(input, init))
      : await fetchDirectly(input, init)
  }
  deno.connect = async (options) => {
    const { transport = 'tcp', hostname = '127.0.0.1', port = 0 } = options
    const isOutside = transport === 'tcp' && !isOwnHost(hostname, port)
    return isOutside ? await tunnel({ host: hostname, port }) : await connect(options)
  }
}
