/** Which servers a node joins, so that each two that have something to say to each other are joined once. */
export type NodePlace = Readonly<{
  /** UUIDv7: older nodes have smaller ones. */
  id: string
  /** The machine's name. */
  host: string
  /** Null if it listens to no other node. */
  address: string | null
}>

const LOOPBACK = /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/

/**
 * A worker or scheduler joins every server, a server those that are older than itself. An address of the machine itself
 * is of use on that machine alone.
 */
export const serversToJoin = (
  self: NodePlace,
  servers: readonly Readonly<{ id: string; host: string; address: string }>[],
): readonly string[] => {
  const wanted = servers.filter(({ id, host, address }) => {
    const isSelf = id === self.id || (address === self.address && host === self.host)
    const isReachable = host === self.host || !LOOPBACK.test(address)
    return !isSelf && isReachable && (self.address === null || id < self.id)
  })
  return [...new Set(wanted.map(({ address }) => address))].toSorted()
}
