/**
 * Connections to the bus that have not proved the instance key yet. They are bounded in all and for each network, and a
 * newcomer takes the place of the oldest: a node proves itself within milliseconds, so the oldest are those that never will.
 */
export interface Strangers<T> {
  /** Cuts the oldest connection of the network, or of all, when there are too many. */
  enter(network: string, connection: T): void
  /** It has proved itself, or has ended. */
  leave(connection: T): void
  readonly count: number
}

export const createStrangers = <T extends Readonly<{ terminate: () => void }>>({
  total,
  perNetwork,
}: Readonly<{ total: number; perNetwork: number }>): Strangers<T> => {
  /** Oldest first. */
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
