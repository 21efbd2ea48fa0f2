/** The addresses of this machine, which jobs must not reach. */
import { networkInterfaces } from 'node:os'

/** Addresses of all interfaces, also public ones. Interfaces come and go, so call it for each use. */
export const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((found) =>
    (found ?? []).map(({ address }) => address.replace(/%.*$/, '')),
  )
