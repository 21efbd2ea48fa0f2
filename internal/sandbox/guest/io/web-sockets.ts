/**
 * WebSockets that the host's proxy refuses. Deno reports only the status of the proxy, so the event of the error gets the reason,
 * as with `fetch` (relay.ts). Compiled into the guest only.
 */

/** Deno's messages for a refusal of the proxy. A server may also answer 403. */
const MAY_BE_REFUSED = /Invalid status code: 403|unsuccessful tunnel/
const PORTS: Readonly<Record<string, number>> = { 'ws:': 80, 'wss:': 443 }

type Failure = Event & Readonly<{ message: string; error: unknown }>
/** Deno has this class, but the types of Node, which check this file, do not declare it. */
declare const ErrorEvent: new (type: string, facts: Pick<Failure, 'message' | 'error'>) => Failure

const isFailure = (event: Event): event is Failure => 'message' in event

type Tunnel = (host: string, port: number) => Promise<{ close(): void }>

/** Asks for a tunnel to the same address, because the answer has the reason. @returns null if there is no refusal */
const refusalOf = async (address: string, tunnel: Tunnel): Promise<Error | null> => {
  const url = new URL(address)
  const port = url.port === '' ? (PORTS[url.protocol] ?? 0) : Number(url.port)
  try {
    const connection = await tunnel(url.hostname.replace(/^\[|\]$/g, ''), port)
    connection.close()
    return null
  } catch (error) {
    return error instanceof Error ? error : null
  }
}

/** Holds the error and the close until the reason is known. Call it before other listeners exist. */
const explainRefusal = (socket: WebSocket, tunnel: Tunnel): void => {
  let refused: Promise<Error | null> | null = null
  const hold = (event: Event, again: (reason: Error | null) => Event): void => {
    if (refused === null) return
    event.stopImmediatePropagation()
    void refused.then((reason) => socket.dispatchEvent(again(reason)))
  }
  const holdError = (event: Event): void => {
    if (!isFailure(event) || !MAY_BE_REFUSED.test(event.message)) return
    refused = refusalOf(socket.url, tunnel)
    hold(event, (reason) => {
      const { message, error } =
        reason === null ? event : { message: reason.message, error: reason }
      return new ErrorEvent('error', { message, error })
    })
  }
  const holdClose = (event: CloseEvent): void => {
    const { code, reason, wasClean } = event
    hold(event, () => new CloseEvent('close', { code, reason, wasClean }))
  }
  socket.addEventListener('error', holdError, { once: true })
  socket.addEventListener('close', holdClose, { once: true })
}

/** Replaces the global class when the script first uses it, because loading it takes milliseconds. Call it before code is loaded. */
export const explainWebSockets = (tunnel: Tunnel): void => {
  const native = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket')
  if (native === undefined) return
  const set = (value: typeof WebSocket): void => {
    Object.defineProperty(globalThis, 'WebSocket', native)
    globalThis.WebSocket = value
  }
  const get = (): typeof WebSocket => {
    Object.defineProperty(globalThis, 'WebSocket', native)
    const Native = globalThis.WebSocket
    globalThis.WebSocket = class WebSocket extends Native {
      constructor(...options: ConstructorParameters<typeof Native>) {
        super(...options)
        explainRefusal(this, tunnel)
      }
    }
    return globalThis.WebSocket
  }
  Object.defineProperty(globalThis, 'WebSocket', { ...native, get, set })
}
