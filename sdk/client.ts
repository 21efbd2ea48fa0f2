/**
 * `@svc/sdk/client`: calls the API of a server, with types from its OpenAPI document. It needs only
 * `fetch`, so it works on Node, on Deno and in browsers.
 *
 *     const client = createClient({ url: 'http://127.0.0.1:3000', token, workspace: 'default' })
 *     const { job_id } = await client.post('/jobs/run/{app}/{action}', {
 *       params: { app: 'hello', action: 'greet' },
 *       body: { name: 'Ada' },
 *     })
 *     const job = await client.get('/jobs/{id}', { params: { id: job_id } })
 *
 * Paths are those in /api/docs. Omit `/api/w/{ws}` from paths of a workspace: the client adds its own workspace.
 */
import type { Operations } from './api.gen.ts'
import { ApiError, type ErrorDetail, readError } from './api-error.ts'
import type { CallOptions } from './call-options.ts'
import { readEvents, type ServerEvent } from './event-stream.ts'
import { ROOT_PATHS } from './root-paths.ts'

export type { Operations, Schemas } from './api.gen.ts'
export { ApiError, type CallOptions, type ErrorDetail, type ServerEvent }

export type ClientOptions = Readonly<{
  /** Address of the server, for example `https://svc.example.com`. */
  url: string
  /** An API token or key. Omit it on a page whose user is signed in with a cookie. */
  token?: string | undefined
  workspace: string
  /** Sends requests. @default the global `fetch` */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}>

type Method = keyof Operations
/** Arguments and response of a route. */
type Shape = { args: readonly unknown[]; answer: unknown }
type Args<Operation> = Operation extends Shape ? Operation['args'] : never
type Answer<Operation> = Operation extends Shape ? Operation['answer'] : never

type Events = AsyncIterable<ServerEvent>
/** An answer without the events that only callers with `EventsHeader` get. */
type Plain<Answer> = [Exclude<Answer, Events>] extends [never] ? Answer : Exclude<Answer, Events>
type EventsHeader = Readonly<{ headers: Readonly<{ accept: 'text/event-stream' }> }>
type EventArgs<Operation> =
  Events extends Answer<Operation>
    ? [options: NonNullable<Args<Operation>[0]> & EventsHeader]
    : never

/** Calls a route. @throws {ApiError} the server refused the request; an error of `fetch` if it was not reached */
export type Call<M extends Method> = {
  /** Follows a route that also sends events. */
  <Path extends keyof Operations[M]>(
    path: Path,
    ...args: EventArgs<Operations[M][Path]>
  ): Promise<Events>
  <Path extends keyof Operations[M]>(
    path: Path,
    ...args: Args<Operations[M][Path]>
  ): Promise<Plain<Answer<Operations[M][Path]>>>
}

export type Client = Readonly<{ [M in Method]: Call<M> }> &
  Readonly<{
    /** Requests any path of the server with the credential, for requests without a typed call. @throws {ApiError} */
    fetch: (path: string, init?: RequestInit) => Promise<Response>
  }>

type AnyOptions = CallOptions &
  Readonly<{
    params?: Readonly<Record<string, string>>
    query?: Readonly<Record<string, string | number | boolean | undefined>>
    body?: unknown
  }>

/** Fills in `{name}` parameters and the query, and prefixes paths of a workspace. */
const toPath = (path: string, workspace: string, { params = {}, query = {} }: AnyOptions) => {
  const isRoot = path.startsWith('/api/') || ROOT_PATHS.includes(path)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new TypeError(`${path} needs params.${name}.`)
    // a URL leaves both out, with the part before "..", and so names another route
    if (value === '.' || value === '..') {
      throw new TypeError(`${path} cannot have "${value}" as params.${name}.`)
    }
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  const head = isRoot ? '' : `/api/w/${encodeURIComponent(workspace)}`
  return `${head}${filled}${search.size === 0 ? '' : `?${search}`}`
}

/** Sends forms, texts and files unchanged, and other bodies as JSON. */
const toInit = (method: Method, options: AnyOptions): RequestInit => {
  const { body, signal, idempotencyKey, headers: more = {} } = options
  const isPlain = typeof body === 'string' || body instanceof FormData || body instanceof Blob
  const isJson = body !== undefined && !isPlain
  const headers = {
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...more,
  }
  return {
    method: method.toUpperCase(),
    headers,
    ...(body === undefined ? {} : { body: isPlain ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }
}

/** Reads a response. It is not validated again: the server has checked it against the route's schema. */
const readAnswer = async (response: Response) => {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream') && response.body !== null) {
    return readEvents(response.body)
  }
  const text = await response.text()
  if (!type.startsWith('application/json')) return text === '' ? undefined : text
  return JSON.parse(text)
}

/** Creates a client for one workspace of a server. It keeps no connection open. */
export const createClient = (options: ClientOptions): Client => {
  const { token, workspace, fetch: sendRequest = (request) => fetch(request) } = options
  const root = options.url.replace(/\/+$/, '')

  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(`${root}${path}`, init)
    if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`)
    const response = await sendRequest(request)
    if (response.ok) return response
    throw await readError(response)
  }

  const verb =
    (method: Method) =>
    async (path: string, given: AnyOptions = {}) =>
      readAnswer(await send(toPath(path, workspace, given), toInit(method, given)))

  return {
    fetch: send,
    get: verb('get'),
    post: verb('post'),
    put: verb('put'),
    patch: verb('patch'),
    delete: verb('delete'),
  }
}
