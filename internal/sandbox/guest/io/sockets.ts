/**
 * Sockets of `node:net` and `node:tls` in a guest that reaches the network through a relay (relay.ts, shared-relay.ts).
 * Database drivers and mail clients use them. Each socket requests a tunnel from the relay, and reports a connection once it
 * has one. If the relay is a proxy of the runtime, `node:http` and `fetch` use it on their own.
 *
 * Loaded only by guests that use it, because loading `node:net` takes as long as the rest of their start.
 */
import type { Socket } from 'node:net'
import { importsOf } from './imports.ts'
import { nameOf, prepareNames, prepareQueries } from './names.ts'
import { isOwnHost, LOCALHOST, LOOPBACK, ownRefusal, refusal, tunnelRequest } from './tunnel.ts'

/** Where sockets request a tunnel: on the guest's own loopback, or at a socket of the host. */
export type RelayAddress = Readonly<{ host: string; port: number }> | Readonly<{ path: string }>

type NetModule = typeof import('node:net')
type Normalized = Readonly<{ path?: string; host?: string; port?: number | string }>

/** Members of Node's sockets that its types do not declare. */
type Inner = Socket &
  Readonly<{
    _writeGeneric(writev: boolean, data: string, encoding: string, done: () => void): void
  }>
/** A TLS socket that was created without a connection. */
type Encrypted = Inner & {
  readonly _handle: { _parentWrap: Socket }
  connecting: boolean
  _init(connection: Socket, wrapped: Socket): void
}
type InnerNet = NetModule &
  Readonly<{ _normalizeArgs(args: readonly unknown[]): [Normalized, (() => void) | null] }>

/** The head of a response is one line and few headers. */
const MAX_HEAD = 4_096
const importsSockets = importsOf('net|tls')
const importsRequests = importsOf('https?|http2')

const ignore = (): void => undefined

const hasInner = (net: NetModule): net is InnerNet => '_normalizeArgs' in net
const isInner = (socket: Socket): socket is Inner => '_writeGeneric' in socket
const isEncrypted = (socket: Socket): socket is Encrypted =>
  'encrypted' in socket && socket.encrypted === true && '_init' in socket

/** Hides the events and data of the socket until the relay has answered. */
const holdUntilTunneled = (socket: Inner, host: string, port: number): void => {
  let head = ''
  const release = (): void => {
    Reflect.deleteProperty(socket, 'emit')
    Reflect.deleteProperty(socket, 'push')
  }
  const { emit } = socket
  const ask = (): void => {
    socket._writeGeneric(false, tunnelRequest(host, port), 'latin1', ignore)
    // not read(): a listener for data has already called it, and waits for the held event
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

/** Explains the error of a job that connects to its own loopback where nothing listens. */
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

/** TLS runs over a separate connection, which it takes once the tunnel is open. Each of the two ends with the other. */
const connectBelow = (socket: Encrypted, below: Socket, to: Normalized): void => {
  socket._handle._parentWrap = below
  socket._init(below, below)
  socket.connecting = true
  below.on('close', () => socket.destroy())
  socket.on('close', () => below.destroy())
  below.connect({ host: to.host ?? LOCALHOST, port: Number(to.port) })
}

/** `node:http` connects to its proxy by `node:net`, even if the action's `network` opens all ports of the machine. */
const isRelay = (relay: RelayAddress, host: string, port: number): boolean =>
  'host' in relay && relay.host === host && relay.port === port

let isPatched = false

const patch = (net: NetModule, relay: RelayAddress): void => {
  if (isPatched || !hasInner(net)) return
  isPatched = true
  const native = net.Socket.prototype.connect
  const connect = function (this: Socket, ...args: unknown[]): Socket {
    const normalized: unknown = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args)
    const [options, listener] = normalized as ReturnType<InnerNet['_normalizeArgs']>
    const { path, host: given = LOCALHOST, port } = options
    const host = nameOf(given)
    const isOwn = isOwnHost(host, Number(port)) || isRelay(relay, host, Number(port))
    const isLocal = typeof path === 'string'
    if (isLocal || isOwn || !isInner(this)) {
      if (!isLocal && isOwn) explainOwnRefusal(this, host, Number(port))
      // there is no hosts file inside that would define the name
      return host === LOCALHOST && !isLocal
        ? Reflect.apply(native, this, [{ ...options, host: LOOPBACK }, listener])
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

/** Makes sockets request a tunnel from the relay. */
export const sendSocketsTo = async (relay: RelayAddress): Promise<void> => {
  if (!isPatched) patch(await import('node:net'), relay)
}

/** Call it before the code is loaded. */
export const prepareSockets = async (code: string, relay: RelayAddress): Promise<void> => {
  const isShared = 'path' in relay
  const uses = importsSockets(code) || (isShared && importsRequests(code))
  if (uses) await sendSocketsTo(relay)
  if (uses || !isShared) await prepareNames(code)
  if (!isShared) await prepareQueries(code)
}
