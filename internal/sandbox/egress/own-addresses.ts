/** The addresses of this machine, which jobs must not reach. */
import { networkInterfaces } from 'node:os'

/** Addresses of all interfaces, including public ones. Interfaces come and go, so callers don't keep the result. */
export const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((found) =>
    (found ?? []).map(({ address }) => address.replace(/%.*$/, '')),
  )
