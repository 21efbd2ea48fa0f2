/**
 * Where functions are served [functions 7]: at an app's host names under every path, and always at
 * `/fn/{ws}/{app}/<name>`. It precedes the API's routes, because an app's host belongs to the app alone. Below
 * `/fn/`, functions share svc's own origin: app.ts confines their responses (core/function/shared-origin.ts),
 * and pages move to the app's own host if it has one.
 */
import type { AppAddress } from '#core/app-address.ts'
import { AppError } from '#core/error.ts'
import { takesBody } from '#core/function/definition.ts'
import { functionNameIn } from '#core/function/path-name.ts'
import { wantsPage } from '#core/function/shared-origin.ts'
import { type FunctionCaller, unknownFunction } from '#service/functions/call-function.ts'
import type { HostResolver } from '#service/functions/resolve-host.ts'
import type { RateState } from '../admission/rate-limit.ts'
import { readBody } from '../bodies/request-body.ts'

export type SurfaceDeps = Readonly<{
  hosts: HostResolver
  functions: FunctionCaller
  maxBodyBytes: number
  /** Counts a call of this address. @throws {AppError} rate_limited */
  countCall: (address: string | null, onTaken: (state: RateState) => void) => void
  /** SVC_BASE_URL; null if the address that the caller used is the base. */
  baseUrl: string | null
}>

export type SurfaceFacts = Readonly<{
  request: Request
  /** As the caller sent them: names in any case, repeated ones as separate entries. */
  headers: readonly (readonly [string, string])[]
  /** Absolute, as the caller sent it. */
  url: string
  address: string | null
  requestId: string
  onTaken: (state: RateState) => void
}>

export type FunctionTarget = AppAddress & Readonly<{ name: string; isOwnOrigin: boolean }>

export interface FunctionSurface {
  /**
   * The function that a request is for; null if it is for svc itself.
   * @param host value of the `Host` header
   * @param url absolute
   * @throws {AppError} not_found
   */
  find(host: string | undefined, url: string): Promise<FunctionTarget | null>
  /** @throws {AppError} */
  handle(target: FunctionTarget, facts: SurfaceFacts): Promise<Response>
}

type Target = AppAddress & Readonly<{ name: string }>

const PREFIX = '/fn/'

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** Returns null if the path names no function. */
const nameOf = (path: string): string | null => functionNameIn(path) || null

const byPath = (path: string): Target | null => {
  const [ws = '', app = '', ...rest] = path.slice(PREFIX.length).split('/')
  const name = nameOf(rest.join('/'))
  return name === null ? null : { ws: decode(ws), app: decode(app), name }
}

/** Whether a function under this path answers on svc's own origin. */
export const isOnOwnOrigin = (path: string): boolean => path.startsWith(PREFIX)

/**
 * A cheap test before the URL is parsed, which would cost more than the rest of the look-up:
 * no other path can begin with PREFIX.
 */
const MAY_HAVE_PREFIX = /[/\\]fn[/\\]/

const findTarget = async (
  { hosts }: SurfaceDeps,
  host: string | undefined,
  url: string,
): Promise<FunctionTarget | null> => {
  const hosted = host === undefined ? null : await hosts.resolve(host)
  if (hosted === 'unknown_app') throw unknownFunction()
  if (hosted !== null) {
    const name = nameOf(new URL(url).pathname)
    if (name === null) throw unknownFunction()
    return { ...hosted, name, isOwnOrigin: false }
  }
  if (!MAY_HAVE_PREFIX.test(url)) return null
  const { pathname } = new URL(url)
  if (!isOnOwnOrigin(pathname)) return null
  const target = byPath(pathname)
  if (target === null) throw unknownFunction()
  return { ...target, isOwnOrigin: true }
}

/** If the app has a host of its own, a page is redirected there, where it has its own origin. Null if it stays here. */
const pageElsewhere = async (
  { hosts, baseUrl }: SurfaceDeps,
  { request, url }: SurfaceFacts,
  target: FunctionTarget,
): Promise<Response | null> => {
  const { method, headers } = request
  if (!target.isOwnOrigin || !wantsPage(method, (name) => headers.get(name))) return null
  const host = await hosts.hostOf(target)
  if (host === null) return null
  const { protocol, port } = new URL(baseUrl ?? url)
  const { search } = new URL(url)
  const address = `${protocol}//${host}${port === '' ? '' : `:${port}`}`
  return new Response(null, {
    status: 307,
    headers: {
      location: `${address}/${encodeURIComponent(target.name)}${search}`,
      'cache-control': 'no-store',
      vary: 'accept, sec-fetch-mode',
    },
  })
}

export const createFunctionSurface = (deps: SurfaceDeps): FunctionSurface => ({
  find: (host, url) => findTarget(deps, host, url),
  handle: async (target, facts) => {
    const { request, headers, url, address: ip, requestId } = facts
    deps.countCall(ip, facts.onTaken)
    const elsewhere = await pageElsewhere(deps, facts, target)
    if (elsewhere !== null) return elsewhere
    const { method, signal } = request
    const limits = { limit: deps.maxBodyBytes, isKnown: false }
    const { bytes } = await readBody(request, takesBody(method) ? 'raw' : 'none', limits)
    const incoming = { method, url, headers, body: bytes, ip, requestId }
    return deps.functions.call(target, { request: incoming, signal })
  },
})

/** The value of `Allow` for a method that a function or repository does not take. */
export const allowOf = (error: unknown): string | null =>
  error instanceof AppError && error.kind === 'method_not_allowed'
    ? (error.details ?? []).map(({ message }) => message).join(', ')
    : null
