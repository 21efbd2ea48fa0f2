/** A real Redis for tests: without TLS at `port`, with TLS at `tlsPort`. */
import { accepts, freePort, makePlace, type Server, startServer } from './server-process.ts'

export const startRedis = async (): Promise<Server & Readonly<{ tlsPort: number }>> => {
  const port = await freePort()
  const tlsPort = await freePort()
  const { folder, cert, key } = makePlace('redis', {})
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    'tls-port': String(tlsPort),
    'tls-cert-file': cert,
    'tls-key-file': key,
    'tls-auth-clients': 'no',
    save: '',
    dir: folder,
  }
  const server = await startServer({
    command: 'redis-server',
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    port,
    folder,
    user: {},
    isReady: () => accepts(tlsPort),
  })
  return { ...server, tlsPort }
}
