/**
 * Where functions are served (contract, Functions): at an app's host names under every path, and always at
 * `/fn/{ws}/{app}/<name>`. It stands before the API's routes, since an app's host belongs to the app alone.
 */
import { AppError } from '#core/error.ts'
import { type FunctionCaller, unknownFunction } from '#service/functions/call-function.ts'
import type { HostResolver } from '#service/functions/resolve-host.ts'
import type { HostedApp } from '#store/functions.ts'
import { readBody } from './request-body.ts'

export type SurfaceDeps = Readonly<{
  hosts: HostResolver
  functions: FunctionCaller
  maxBodyBytes: number
}>

export type SurfaceFacts = Readonly<{
  request: Request
  /** As the caller wrote them: names in any case, repeated ones apart. */
  headers: readonly (readonly [string, string])[]
  host: string | undefined
  /** Absolute, as the caller knows it. */
  url: string
  address: string | null
  requestId: string
}>

export interface FunctionSurface {
  /** Null: the request is for svc itself. @throws {AppError} */
  handle(facts: SurfaceFacts): Promise<Response | null>
}

type Target = HostedApp & Readonly<{ name: string }>

const PREFIX = '/fn/'

/** Of a `Host` header. */
const hostName = (host: string): string => host.replace(/:\d+$/, '').toLowerCase()

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** `/echo` and `/echo/` name one function; what is deeper names none. */
const nameOf = (path: string): string | null => {
  const parts = path.replace(/^\/+|\/+$/g, '').split('/')
  const [name = ''] = parts
  return parts.length === 1 && name !== '' ? decode(name) : null
}

const byPath = (path: string): Target | null => {
  const [ws = '', app = '', ...rest] = path.slice(PREFIX.length).split('/')
  const name = nameOf(rest.join('/'))
  return name === null ? null : { ws: decode(ws), app: decode(app), name }
}

export const createFunctionSurface = (deps: SurfaceDeps): FunctionSurface => {
  const find = async (facts: SurfaceFacts): Promise<Target | null> => {
    const { pathname } = new URL(facts.url)
    const hosted = facts.host === undefined ? null : await deps.hosts.resolve(hostName(facts.host))
    if (hosted === 'unknown_app') throw unknownFunction()
    if (hosted !== null) {
      const name = nameOf(pathname)
      if (name === null) throw unknownFunction()
      return { ...hosted, name }
    }
    if (!pathname.startsWith(PREFIX)) return null
    const target = byPath(pathname)
    if (target === null) throw unknownFunction()
    return target
  }

  return {
    handle: async (facts) => {
      const target = await find(facts)
      if (target === null) return null
      const { request, headers, url, address: ip, requestId } = facts
      const { method } = request
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const { bytes } = await readBody(request, hasBody ? 'raw' : 'none', deps.maxBodyBytes)
      const incoming = { method, url, headers, body: bytes, ip, requestId }
      const { signal } = request
      return deps.functions.call(target, { request: incoming, signal })
    },
  }
}

/** What `Allow` says of a method that a function does not take. */
export const allowOf = (error: unknown): string | null =>
  error instanceof AppError && error.kind === 'method_not_allowed'
    ? (error.details ?? []).map(({ message }) => message).join(', ')
    : null
