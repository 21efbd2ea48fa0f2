/** Decides which servers a node joins, so that any two nodes that communicate are connected once. */
export type NodePlace = Readonly<{
  id: string
  /** The machine's name. */
  host: string
  /** Null if other nodes cannot connect to it. */
  address: string | null
}>

const LOOPBACK = /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/

/**
 * A worker or scheduler joins every server. A server joins those that registered before it: it sees them, while they may have
 * read the list before it was there. A loopback address is of use only on its own machine.
 * @param servers in the order in which they registered, this node among them
 */
export const serversToJoin = (
  self: NodePlace,
  servers: readonly Readonly<{ id: string; host: string; address: string }>[],
): readonly string[] => {
  const own = servers.findIndex(({ id }) => id === self.id)
  // no other server sees one whose row was swept
  const before = own === -1 ? servers : servers.slice(0, own)
  const wanted = before.filter(({ host, address }) => {
    const isSelf = address === self.address && host === self.host
    return !isSelf && (host === self.host || !LOOPBACK.test(address))
  })
  return [...new Set(wanted.map(({ address }) => address))].toSorted()
}
