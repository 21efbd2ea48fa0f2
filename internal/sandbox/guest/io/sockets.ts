/**
 * Sockets of `node:net` in a guest whose only network is the relay (relay.ts): database drivers and mail clients
 * open those. Each asks the relay for a tunnel and reports a connection when there is one. `node:http` and `fetch`
 * know proxies by themselves.
 *
 * Kept out of guests that have no use for it: loading `node:net` takes as long as all the rest of their start.
 */
import type { Socket } from 'node:net'
import { isOwnHost, LOCALHOST, ownRefusal, RELAY, refusal, tunnelRequest } from './tunnel.ts'

type NetModule = typeof import('node:net')
type Normalized = Readonly<{ path?: string; host?: string; port?: number | string }>

/** Members of Node's net that its types do not declare. */
type Inner = Socket &
  Readonly<{
    encrypted?: boolean
    _writeGeneric(writev: boolean, data: string, encoding: string, done: () => void): void
  }>
type InnerNet = NetModule &
  Readonly<{ _normalizeArgs(args: readonly unknown[]): [Normalized, (() => void) | null] }>

/** An answer's head is one line and few headers. */
const MAX_HEAD = 4_096
const USES_SOCKETS = /["'](?:node:)?(?:net|tls)["']/

const ignore = (): void => undefined

const hasInner = (net: NetModule): net is InnerNet => '_normalizeArgs' in net
const isInner = (socket: Socket): socket is Inner => '_writeGeneric' in socket

/** Lets nothing of the socket be seen until the relay has answered. */
const holdUntilTunneled = (socket: Inner, host: string, port: number): void => {
  let head = ''
  const release = (): void => {
    Reflect.deleteProperty(socket, 'emit')
    Reflect.deleteProperty(socket, 'push')
  }
  const { emit } = socket
  const ask = (): void => {
    socket._writeGeneric(false, tunnelRequest(host, port), 'latin1', ignore)
    // not read(): a listener for data has already requested it, and waits for the event that is held
    socket._read(0)
  }
  const held = (event: string | symbol, ...values: unknown[]): boolean => {
    if (event === 'connect') ask()
    return event === 'connect' || event === 'ready'
      ? true
      : Boolean(Reflect.apply(emit, socket, [event, ...values]))
  }
  const take = (chunk: Uint8Array | null): boolean => {
    for (const byte of chunk ?? []) head += String.fromCharCode(byte)
    const end = head.indexOf('\r\n\r\n')
    if (chunk !== null && end === -1 && head.length < MAX_HEAD) return true
    release()
    if (!/^HTTP\/1\.1 2/.test(head)) {
      socket.destroy(refusal(host, port, head))
      return false
    }
    socket.emit('connect')
    socket.emit('ready')
    const rest = head.slice(end + 4)
    return rest === '' ? true : socket.push(Uint8Array.from(rest, (char) => char.charCodeAt(0)))
  }
  Object.assign(socket, { emit: held, push: take })
}

const isRefusedConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'

/** The error of a job that connects to its own loopback, where nothing listens. */
const explainOwnRefusal = (socket: Socket, host: string, port: number): void => {
  const { emit } = socket
  const explained = (event: string | symbol, ...values: unknown[]): boolean => {
    const [error] = values
    const isRefused = event === 'error' && isRefusedConnection(error)
    if (event === 'connect' || event === 'close') Reflect.deleteProperty(socket, 'emit')
    const told = isRefused ? [ownRefusal(host, port, error)] : values
    return Boolean(Reflect.apply(emit, socket, [event, ...told]))
  }
  Object.assign(socket, { emit: explained })
}

let isPatched = false

const patch = (net: NetModule): void => {
  if (isPatched || !hasInner(net)) return
  isPatched = true
  const native = net.Socket.prototype.connect
  const connect = function (this: Socket, ...args: unknown[]): Socket {
    const normalized: unknown = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args)
    const [options, listener] = normalized as ReturnType<InnerNet['_normalizeArgs']>
    const { path, host = 'localhost', port } = options
    const isOwn = isOwnHost(host, Number(port))
    // TLS begins at once on a socket of its own: over one that is there already it goes through the tunnel
    if (path !== undefined || isOwn || !isInner(this) || this.encrypted === true) {
      if (path === undefined && isOwn) explainOwnRefusal(this, host, Number(port))
      // there is no file of hosts inside that would know the name
      return host === LOCALHOST && path === undefined
        ? Reflect.apply(native, this, [{ ...options, host: RELAY.hostname }, listener])
        : Reflect.apply(native, this, args)
    }
    if (listener !== null) this.once('connect', listener)
    holdUntilTunneled(this, host, Number(port))
    return Reflect.apply(native, this, [{ host: RELAY.hostname, port: RELAY.port }])
  }
  Object.defineProperty(net.Socket.prototype, 'connect', { value: connect, writable: true })
}

/** Before code is loaded. */
export const prepareSockets = async (code: string): Promise<void> => {
  if (!isPatched && USES_SOCKETS.test(code)) patch(await import('node:net'))
}
