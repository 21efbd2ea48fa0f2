/** Which servers a node joins, so that each two that have something to say to each other are joined once. */
export type NodePlace = Readonly<{
  id: string
  /** The machine's name. */
  host: string
  /** Null if it listens to no other node. */
  address: string | null
}>

const LOOPBACK = /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/

/**
 * A worker or scheduler joins every server, a server those that registered before it: it has seen them, while they may have
 * looked before it was there. An address of the machine itself is of use on that machine alone.
 * @param servers in the order in which they registered, this node among them
 */
export const serversToJoin = (
  self: NodePlace,
  servers: readonly Readonly<{ id: string; host: string; address: string }>[],
): readonly string[] => {
  const own = servers.findIndex(({ id }) => id === self.id)
  // a server whose row was swept is seen by no other
  const before = own === -1 ? servers : servers.slice(0, own)
  const wanted = before.filter(({ host, address }) => {
    const isSelf = address === self.address && host === self.host
    return !isSelf && (host === self.host || !LOOPBACK.test(address))
  })
  return [...new Set(wanted.map(({ address }) => address))].toSorted()
}
