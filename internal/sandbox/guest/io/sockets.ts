/**
 * Sockets of `node:net` and `node:tls` in a guest that reaches the network by a relay (relay.ts, shared-relay.ts): database
 * drivers and mail clients open those. Each asks the relay for a tunnel and reports a connection when there is one.
 * Where the relay is a proxy of the runtime, `node:http` and `fetch` know it by themselves.
 *
 * Kept out of guests that have no use for it: loading `node:net` takes as long as all the rest of their start.
 */
import type { Socket } from 'node:net'
import { isOwnHost, LOCALHOST, ownRefusal, RELAY, refusal, tunnelRequest } from './tunnel.ts'

/** Where sockets ask for a tunnel: at the guest's own loopback, or at a socket of the host. */
export type RelayAddress = Readonly<{ host: string; port: number }> | Readonly<{ path: string }>

type NetModule = typeof import('node:net')
type Normalized = Readonly<{ path?: string; host?: string; port?: number | string }>

/** Members of Node's net that its types do not declare. */
type Inner = Socket &
  Readonly<{
    _writeGeneric(writev: boolean, data: string, encoding: string, done: () => void): void
  }>
/** A TLS socket that was made without a connection. */
type Encrypted = Inner & {
  readonly _handle: { _parentWrap: Socket }
  connecting: boolean
  _init(connection: Socket, wrapped: Socket): void
}
type InnerNet = NetModule &
  Readonly<{ _normalizeArgs(args: readonly unknown[]): [Normalized, (() => void) | null] }>

/** An answer's head is one line and few headers. */
const MAX_HEAD = 4_096
const USES_SOCKETS = /["'](?:node:)?(?:net|tls)["']/
const USES_REQUESTS = /["'](?:node:)?(?:http|https|http2)["']/

const ignore = (): void => undefined

const hasInner = (net: NetModule): net is InnerNet => '_normalizeArgs' in net
const isInner = (socket: Socket): socket is Inner => '_writeGeneric' in socket
const isEncrypted = (socket: Socket): socket is Encrypted =>
  'encrypted' in socket && socket.encrypted === true && '_init' in socket

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
    const passed = isRefused ? [ownRefusal(host, port, error)] : values
    return Boolean(Reflect.apply(emit, socket, [event, ...passed]))
  }
  Object.assign(socket, { emit: explained })
}

/** TLS goes over a connection of its own, which it takes when the tunnel is there, and which ends with it. */
const connectBelow = (socket: Encrypted, below: Socket, to: Normalized): void => {
  socket._handle._parentWrap = below
  socket._init(below, below)
  socket.connecting = true
  below.on('close', () => socket.destroy())
  socket.on('close', () => below.destroy())
  below.connect({ host: to.host ?? LOCALHOST, port: Number(to.port) })
}

let isPatched = false

const patch = (net: NetModule, relay: RelayAddress): void => {
  if (isPatched || !hasInner(net)) return
  isPatched = true
  const native = net.Socket.prototype.connect
  const connect = function (this: Socket, ...args: unknown[]): Socket {
    const normalized: unknown = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args)
    const [options, listener] = normalized as ReturnType<InnerNet['_normalizeArgs']>
    const { path, host = 'localhost', port } = options
    const isOwn = isOwnHost(host, Number(port))
    const isLocal = typeof path === 'string'
    if (isLocal || isOwn || !isInner(this)) {
      if (!isLocal && isOwn) explainOwnRefusal(this, host, Number(port))
      // there is no file of hosts inside that would know the name
      return host === LOCALHOST && !isLocal
        ? Reflect.apply(native, this, [{ ...options, host: RELAY.hostname }, listener])
        : Reflect.apply(native, this, args)
    }
    if (listener !== null) this.once('connect', listener)
    if (isEncrypted(this)) {
      connectBelow(this, new net.Socket(), options)
      return this
    }
    holdUntilTunneled(this, host, Number(port))
    return Reflect.apply(native, this, [relay])
  }
  Object.defineProperty(net.Socket.prototype, 'connect', { value: connect, writable: true })
}

/** From now on sockets ask the relay for a tunnel. */
export const sendSocketsTo = async (relay: RelayAddress): Promise<void> => {
  if (!isPatched) patch(await import('node:net'), relay)
}

/** Before code is loaded. */
export const prepareSockets = async (code: string, relay: RelayAddress): Promise<void> => {
  const uses = USES_SOCKETS.test(code) || ('path' in relay && USES_REQUESTS.test(code))
  if (uses) await sendSocketsTo(relay)
}
