/**
 * `fetch` over the sockets of node:net, which go through a tunnel in a guest that shares the
 * host's network (sockets.ts). Deno's own fetch would check its flags, which close private
 * addresses. The body of a request is sent as a whole, not as a stream.
 */
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Fetch } from './relay.ts'
import { NOT_GRANTED } from './tunnel.ts'

export type Destination = Readonly<{ host: string; port: number }>

type Call = Readonly<{
  url: URL
  method: string
  headers: Headers
  body: Uint8Array<ArrayBuffer> | null
  redirect: Request['redirect']
  signal: AbortSignal
}>

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304])
const MAX_REDIRECTS = 20
/** Headers that must not go to another origin. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'] as const
const OF_BODY = ['content-type', 'content-length', 'content-encoding', 'content-language'] as const

/** @returns null for protocols other than HTTP */
export const destinationOf = (address: string): Destination | null => {
  const url = URL.parse(address)
  const usual = url === null ? undefined : PORTS[url.protocol]
  if (url === null || usual === undefined) return null
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return { host, port: url.port === '' ? usual : Number(url.port) }
}

const toCall = async (request: Request): Promise<Call> => {
  const { method, headers, redirect, signal } = request
  const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
  return {
    url: new URL(request.url),
    method,
    headers: new Headers(headers),
    body,
    redirect,
    signal,
  }
}

/** The call that follows a redirect, as the Fetch standard defines it. */
const follow = (call: Call, status: number, location: string): Call => {
  const url = new URL(location, call.url)
  const headers = new Headers(call.headers)
  if (url.origin !== call.url.origin) for (const name of CREDENTIALS) headers.delete(name)
  const isGet =
    (status === 303 && call.method !== 'HEAD') || (status <= 302 && call.method === 'POST')
  if (!isGet) return { ...call, url, headers }
  for (const name of OF_BODY) headers.delete(name)
  return { ...call, url, headers, method: 'GET', body: null }
}

const bodyOf = (answer: IncomingMessage): ReadableStream<Uint8Array> => {
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = []
  /** Returns the controller once; later calls return undefined. */
  const settle = (): ReadableStreamDefaultController<Uint8Array> | undefined => controllers.pop()
  answer.on('data', (chunk: Uint8Array) => {
    controllers[0]?.enqueue(new Uint8Array(chunk))
    if ((controllers[0]?.desiredSize ?? 1) <= 0) answer.pause()
  })
  answer.on('end', () => settle()?.close())
  answer.on('error', (error) => settle()?.error(error))
  answer.on('close', () => settle()?.error(new TypeError('The connection ended early.')))
  return new ReadableStream({
    start: (controller) => void controllers.push(controller),
    pull: () => void answer.resume(),
    cancel: () => {
      settle()
      answer.destroy()
    },
  })
}

const toResponse = (answer: IncomingMessage, { url, method }: Call): Response => {
  const status = answer.statusCode ?? 0
  const isEmpty = method === 'HEAD' || BODILESS.has(status)
  const headers = new Headers()
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    headers.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '')
  }
  const response = new Response(isEmpty ? null : bodyOf(answer), {
    status,
    statusText: answer.statusMessage ?? '',
    headers,
  })
  if (isEmpty) answer.resume()
  return Object.defineProperty(response, 'url', { value: url.href })
}

/** A refusal by svc is thrown unchanged, any other error as fetch throws it. */
const toFailure = (error: Error): Error =>
  error.name === NOT_GRANTED
    ? error
    : new TypeError(`fetch failed: ${error.message}`, { cause: error })

const optionsOf = ({ url, method, headers, body }: Call): RequestOptions => ({
  host: url.hostname.replace(/^\[|\]$/g, ''),
  port: url.port === '' ? PORTS[url.protocol] : url.port,
  path: `${url.pathname}${url.search}`,
  method,
  agent: false,
  headers: {
    accept: '*/*',
    ...Object.fromEntries(headers),
    host: url.host,
    ...(body === null ? {} : { 'content-length': String(body.length) }),
  },
})

const send = async (call: Call): Promise<Response> => {
  const { request } =
    call.url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  call.signal.throwIfAborted()
  return await new Promise((resolve, reject) => {
    const outgoing: ClientRequest = request(optionsOf(call))
    const abort = (): void => {
      reject(call.signal.reason)
      outgoing.destroy()
    }
    call.signal.addEventListener('abort', abort)
    outgoing.on('error', (error) => reject(toFailure(error)))
    outgoing.on('close', () => call.signal.removeEventListener('abort', abort))
    outgoing.on('response', (answer) => resolve(toResponse(answer, call)))
    outgoing.end(call.body ?? undefined)
  })
}

/**
 * @param direct fetches a public address after a redirect
 * @param isTunneled whether a destination goes through the tunnel
 */
export const createTunnelFetch =
  (direct: Fetch, isTunneled: (to: Destination) => boolean) =>
  async (request: Request): Promise<Response> => {
    let call = await toCall(request)
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const to = destinationOf(call.url.href)
      const { url, method, headers, body, signal } = call
      const answer =
        to !== null && isTunneled(to)
          ? await send(call)
          : await direct(url, { method, headers, body, signal, redirect: 'manual' })
      const location = answer.headers.get('location')
      if (location === null || !REDIRECTS.has(answer.status) || call.redirect === 'manual') {
        return hops === 0 ? answer : Object.defineProperty(answer, 'redirected', { value: true })
      }
      await answer.body?.cancel()
      if (call.redirect === 'error') throw new TypeError(`${url.href} redirects elsewhere.`)
      call = follow(call, answer.status, location)
    }
    throw new TypeError(`${request.url} redirects more than ${MAX_REDIRECTS} times.`)
  }
