import type { Server } from 'node:net'

/** @throws {Error} the server does not listen on a port */
export const portOf = (server: Pick<Server, 'address'>): number => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('The server does not listen on a port.')
}
