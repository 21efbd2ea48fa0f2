/** Opens a connection to the first of several addresses that accepts. */
import { connect, type Socket } from 'node:net'

const TIMEOUT_MS = 10_000
/** Maximum number of addresses to try, one after another. */
const MOST = 3

const dialOne = (host: string, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    const timer = setTimeout(() => socket.destroy(new Error('timeout')), TIMEOUT_MS)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })

export type Dial = (addresses: readonly string[], port: number) => Promise<Socket | null>

/** @returns null if no address accepts. The caller must listen for errors of the socket. */
export const dialAny: Dial = async (addresses, port) => {
  for (const address of addresses.slice(0, MOST)) {
    const socket = await dialOne(address, port).catch(() => null)
    if (socket !== null) return socket
  }
  return null
}
