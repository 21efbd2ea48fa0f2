/** Serves bytes under paths, like a caller's own host, and counts connections. */
import { createServer } from 'node:http'
import { portOf } from './port-of.ts'

export type FileServer = Readonly<{
  /** `127.0.0.1:<port>` */
  host: string
  /** Stores the bytes. @returns their URL */
  put: (path: string, bytes: Uint8Array) => string
  connections: () => number
  close: () => Promise<void>
}>

export const openFileServer = async (): Promise<FileServer> => {
  const files = new Map<string, Uint8Array>()
  let connections = 0
  const server = createServer(({ url = '' }, response) => {
    const bytes = files.get(url)
    if (bytes === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes)
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${portOf(server)}`
  return {
    host,
    put: (path, bytes) => {
      files.set(path, bytes)
      return `http://${host}${path}`
    },
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
