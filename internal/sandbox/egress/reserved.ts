/** Places that no job may reach, even with a grant: the listeners of svc on this machine, and the database that svc uses. */
import { isIP } from 'node:net'
import { isInNetwork } from '#core/network/public-address.ts'
import { type IsReserved, isOwnAddress, type NameResolver } from './resolve.ts'

export type Reserved = Readonly<{
  /** Ports on which svc listens on this machine. It is read at each connection. */
  ports: readonly number[]
  /** Servers that hold the data of svc. */
  servers: readonly Readonly<{ host: string; port: number }>[]
}>

/** Every address of the loopback network leads to this machine. */
const isHere = (address: string): boolean =>
  isInNetwork(address, '127.0.0.0/8') || isOwnAddress(address)

type Place = Readonly<{ addresses: readonly string[]; isOwn: boolean }>

/** @param theirs addresses of a server of svc; null if its name cannot be resolved, so that any place may be that server */
const isAt = ({ addresses, isOwn }: Place, theirs: readonly string[] | null): boolean =>
  theirs === null ||
  (isOwn && theirs.some(isHere)) ||
  theirs.some((address) => addresses.includes(address))

/** @param lookUp resolves host names from the settings of svc, in the same way as the rest of svc */
export const createIsReserved = (reserved: Reserved, lookUp: NameResolver): IsReserved => {
  const find = async (host: string): Promise<readonly string[] | null> =>
    isIP(host) === 0 ? await lookUp(host).catch(() => null) : [host]

  return async (addresses, port) => {
    const place = { addresses, isOwn: addresses.some(isHere) }
    if (place.isOwn && reserved.ports.includes(port)) return true
    const there = reserved.servers.filter((server) => server.port === port)
    const found = await Promise.all(there.map(({ host }) => find(host)))
    return found.some((theirs) => isAt(place, theirs))
  }
}
