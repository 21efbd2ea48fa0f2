/**
 * `@svc/sdk/client`: calls the API of a server, typed by its OpenAPI document. It needs `fetch` and nothing else, so it
 * works on Node, on Deno and in the browser.
 *
 *     const client = createClient({ url: 'http://127.0.0.1:3000', token, workspace: 'default' })
 *     const { job_id } = await client.post('/jobs/run/{app}/{action}', {
 *       params: { app: 'hello', action: 'greet' },
 *       body: { name: 'Ada' },
 *     })
 *     const job = await client.get('/jobs/{id}', { params: { id: job_id } })
 *
 * Paths are those of /api/docs, without `/api/w/{ws}` where they begin with it: that is the client's workspace.
 */
import type { Operations } from './api.gen.ts'
import { ApiError, type ErrorDetail, readError } from './api-error.ts'
import type { CallOptions } from './call-options.ts'
import { readEvents, type ServerEvent } from './event-stream.ts'
import { ROOT_PATHS } from './root-paths.ts'

export type { Operations, Schemas } from './api.gen.ts'
export { ApiError, type CallOptions, type ErrorDetail, type ServerEvent }

export type ClientOptions = Readonly<{
  /** Where the server is, for example `https://svc.example.com`. */
  url: string
  /** An API token or key. Left out on a page whose reader has signed in. */
  token?: string | undefined
  workspace: string
  /** What sends requests. @default the global `fetch` */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}>

type Method = keyof Operations
/** What a route takes, and what it answers. */
type Shape = { args: readonly unknown[]; answer: unknown }
type Args<Operation> = Operation extends Shape ? Operation['args'] : never
type Answer<Operation> = Operation extends Shape ? Operation['answer'] : never

/** @throws {ApiError} the server refused; what `fetch` throws where none was reached */
export type Call<M extends Method> = <Path extends keyof Operations[M]>(
  path: Path,
  ...args: Args<Operations[M][Path]>
) => Promise<Answer<Operations[M][Path]>>

export type Client = Readonly<{ [M in Method]: Call<M> }> &
  Readonly<{
    /** Any address of the server, with the credential; for what the typed calls cannot say. @throws {ApiError} */
    fetch: (path: string, init?: RequestInit) => Promise<Response>
  }>

type AnyOptions = CallOptions &
  Readonly<{
    params?: Readonly<Record<string, string>>
    query?: Readonly<Record<string, string | number | boolean | undefined>>
    body?: unknown
  }>

/** `{id}` as the caller gave it; a workspace's path without its head. */
const toPath = (path: string, workspace: string, { params = {}, query = {} }: AnyOptions) => {
  const isRoot = path.startsWith('/api/') || ROOT_PATHS.includes(path)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new TypeError(`${path} needs params.${name}.`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  const head = isRoot ? '' : `/api/w/${encodeURIComponent(workspace)}`
  return `${head}${filled}${search.size === 0 ? '' : `?${search}`}`
}

/** Forms, texts and files go as they are, anything else as JSON. */
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

/** Its type is the route's word: what the server has checked is not checked a second time. */
const readAnswer = async (response: Response) => {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream') && response.body !== null) {
    return readEvents(response.body)
  }
  const text = await response.text()
  if (!type.startsWith('application/json')) return text === '' ? undefined : text
  return JSON.parse(text)
}

export const createClient = (options: ClientOptions): Client => {
  const { token, workspace, fetch: give = (request) => fetch(request) } = options
  const root = options.url.replace(/\/+$/, '')

  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(`${root}${path}`, init)
    if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`)
    const response = await give(request)
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
