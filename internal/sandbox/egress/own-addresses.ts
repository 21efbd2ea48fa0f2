import { networkInterfaces } from 'node:os'

/** Of every interface of this machine, the public ones as well. Interfaces come and go: ask anew each time. */
export const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((found) =>
    (found ?? []).map(({ address }) => address.replace(/%.*$/, '')),
  )
