/**
 * Connections to the bus that have not yet proved the instance key. Their number is limited in total and per network, and a
 * new one replaces the oldest: a node proves the key within milliseconds, so the oldest ones are unlikely to be nodes.
 */
export interface Strangers<T> {
  /** Adds a connection. When there are too many, terminates the oldest of its network, or the oldest of all. */
  enter(network: string, connection: T): void
  /** Removes a connection that has proved the key or has closed. */
  leave(connection: T): void
  readonly count: number
}

/** Creates the set. @param limits connections in total and from one network */
export const createStrangers = <T extends Readonly<{ terminate: () => void }>>({
  total,
  perNetwork,
}: Readonly<{ total: number; perNetwork: number }>): Strangers<T> => {
  /** Network by connection, oldest first. */
  const networks = new Map<T, string>()

  const cutOldest = (of: (network: string) => boolean): void => {
    for (const [connection, network] of networks) {
      if (!of(network)) continue
      networks.delete(connection)
      connection.terminate()
      return
    }
  }
  const countOf = (network: string): number =>
    [...networks.values()].filter((one) => one === network).length

  return {
    enter: (network, connection) => {
      if (countOf(network) >= perNetwork) cutOldest((one) => one === network)
      else if (networks.size >= total) cutOldest(() => true)
      networks.set(connection, network)
    },
    leave: (connection) => void networks.delete(connection),
    get count() {
      return networks.size
    },
  }
}
