/**
 * Fetches from package registries. It reads no more than a limit and ends in time; it sends no token after a redirect to
 * another host. Each kind of failure has its own message, which names the requested package.
 */
import type { IncomingMessage } from 'node:http'
import { MIB } from '#core/byte-units.ts'
import { AppError } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { packageFault } from '#core/packages/package-fault.ts'
import { remedyFor } from '#core/packages/remedies.ts'
import {
  type GuardRules,
  guardUrl,
  hostOf,
  ownAddresses,
  parseFetchUrl,
  type Resolver,
} from './address-guard.ts'
import { orAborted } from './or-aborted.ts'
import { type Connections, openConnections, requestAt } from './request-at.ts'
import { resolveHost } from './resolve-host.ts'

export type RegistryRequest = Readonly<{
  url: string
  /** The package for messages, such as `zod@4.0.0`. */
  what: string
  /** Bearer token of the registry. */
  token: string | null
  /** Whether the operator chose the registry; other registries must have public or granted addresses. */
  isTrusted: boolean
  accept: string
}>

export interface RegistrySession {
  /**
   * Fetches one file.
   * @throws {AppError} bad_gateway `registry_unreachable`; unprocessable `package_not_found`, `package_forbidden`,
   * `bad_package`, `bad_npmrc`
   */
  fetch(request: RegistryRequest): Promise<Uint8Array>
  close(): void
}

export type RegistryOptions = Readonly<{
  /** Milliseconds for one file. @default 30,000 */
  timeoutMs?: number
  /** Bytes of all files of a session together, because several are in memory while they arrive. @default no limit */
  maxBytes?: number
  resolve?: GuardRules['resolve']
  ownAddresses?: GuardRules['ownAddresses']
  isGranted?: GuardRules['isGranted']
}>

const MAX_TARBALL_BYTES = limit(
  'app.package_bytes',
  50 * 1_024 * 1_024,
  'bytes',
  'A package that a deployment fetches, as compressed. More: 422.',
)
const TIMEOUT_MS = limit(
  'app.package_time',
  30_000,
  'ms',
  'Time for the registry to send one package. More: 502.',
)
const MAX_REDIRECTS = 5
type Hop = Readonly<{
  request: RegistryRequest
  rules: GuardRules
  connections: Connections
  signal: AbortSignal
  /** Counts bytes that have arrived. @throws {AppError} too many */
  count: (bytes: number) => void
}>

const unreachable = (message: string, cause?: unknown): AppError =>
  packageFault('registry_unreachable', message, cause)

const NOT_FOUND: ReadonlySet<number> = new Set([404, 410])
const FORBIDDEN: ReadonlySet<number> = new Set([401, 403])

const tokenRemedy = ({ token, isTrusted }: RegistryRequest): string => {
  if (token !== null) return 'Check the token in the variable that .npmrc names.'
  return isTrusted
    ? 'svc sends a token only to a registry that .npmrc sets for a scope, such as @acme:registry.'
    : 'Name the variable with its token in .npmrc.'
}

const statusFault = (status: number, host: string, request: RegistryRequest): AppError => {
  const { what } = request
  if (NOT_FOUND.has(status)) {
    return packageFault('package_not_found', `The registry ${host} has no ${what} (${status}).`)
  }
  if (!FORBIDDEN.has(status)) {
    return unreachable(`The registry ${host} answered ${status} for ${what}. Try again later.`)
  }
  return packageFault(
    'package_forbidden',
    `The registry ${host} refused to send ${what} (${status}). ${tokenRemedy(request)}`,
  )
}

/** Reads the body. @throws {AppError} too long, or shorter than announced */
const readBody = async (
  answer: IncomingMessage,
  { request: { what }, count }: Hop,
  host: string,
): Promise<Uint8Array> => {
  const announced = Number(answer.headers['content-length'] ?? Number.NaN)
  const chunks: Uint8Array[] = []
  let size = 0
  const tooLarge = (): AppError =>
    packageFault(
      'bad_package',
      `${what} has more than ${MAX_TARBALL_BYTES / MIB} MiB. ${remedyFor(what.replace(/@[^@/]*$/, '')) ?? 'Use a smaller package.'}`,
    )
  if (announced > MAX_TARBALL_BYTES) throw tooLarge()
  try {
    for await (const chunk of answer) {
      if (!(chunk instanceof Uint8Array)) throw new Error('The body is text.')
      size += chunk.length
      if (size > MAX_TARBALL_BYTES) throw tooLarge()
      count(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof AppError || !answer.aborted) throw error
    const of = Number.isNaN(announced) ? '' : ` of ${announced}`
    throw unreachable(
      `The registry ${host} ended the transfer of ${what} after ${size}${of} bytes. Try again.`,
      error,
    )
  }
  return Buffer.concat(chunks, size)
}

/** Returns the target of a redirect, or null. */
const redirectOf = ({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | null => {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return null
  return URL.parse(headers.location, from.href)
}

const GRANTS =
  'An operator grants a private one by SVC_EGRESS_ALLOW or by egress_allow of the workspace.'

/** Names the registry that is not public, or the host to which it redirects. */
const explainRefusal = (
  error: unknown,
  { host }: URL,
  { url, what, isTrusted }: RegistryRequest,
): unknown => {
  if (!(error instanceof AppError)) return error
  const registry = new URL(url).host
  return host === registry
    ? packageFault(
        'bad_npmrc',
        `${what} may not be fetched from ${host}: the registry is not at a public address. ${GRANTS}`,
        error,
      )
    : packageFault(
        isTrusted ? 'registry_unreachable' : 'bad_npmrc',
        `The registry ${registry} redirects ${what} to ${host}, which is not a public address. ${GRANTS}`,
        error,
      )
}

/** The operator's registry may have any address; a host to which it redirects is checked like any other. */
const addressOf = async (url: URL, { request, rules }: Hop): Promise<string> => {
  const isOwn = request.isTrusted && url.host === new URL(request.url).host
  try {
    parseFetchUrl(url.href)
    if (!isOwn) return await guardUrl(url, rules)
  } catch (error) {
    throw explainRefusal(error, url, request)
  }
  const [first] = await rules.resolve(hostOf(url))
  if (first === undefined) throw new Error('The name has no address.')
  return first
}

const follow = async (url: URL, hop: Hop, left: number): Promise<Uint8Array> => {
  const { request, connections, signal } = hop
  const address = await addressOf(url, hop)
  signal.throwIfAborted()
  const first = new URL(request.url)
  const keepsToken = request.token !== null && url.origin === first.origin
  const answer = await requestAt(url, address, {
    signal,
    connections,
    headers: {
      accept: request.accept,
      ...(keepsToken ? { authorization: `Bearer ${request.token}` } : {}),
    },
  })
  const next = redirectOf(answer, url)
  if (next === null && answer.statusCode === 200) {
    // after the whole body is read, the connection stays open for the next request
    return await readBody(answer, hop, url.host).catch((error: unknown) => {
      answer.destroy()
      throw error
    })
  }
  answer.destroy()
  if (next === null) throw statusFault(answer.statusCode ?? 0, url.host, request)
  if (left === 0) throw unreachable(`The registry ${first.host} redirects ${request.what} forever.`)
  return await follow(next, hop, left - 1)
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? ` (${error.code})`
    : ''

const toFault = (error: unknown, { url, what }: RegistryRequest, timedOut: boolean): unknown => {
  const { host } = new URL(url)
  if (error instanceof AppError) return error
  if (timedOut) {
    return unreachable(
      `The registry ${host} took too long to send ${what}. Try again later.`,
      error,
    )
  }
  return unreachable(
    `The registry ${host} could not be reached for ${what}${codeOf(error)}.`,
    error,
  )
}

/** Resolves each name once per deployment: name servers drop queries that arrive in bursts, which costs 5 s each. */
const resolveOnce = (resolve: Resolver): Resolver => {
  const known = new Map<string, ReturnType<Resolver>>()
  return (host) => {
    const found = known.get(host) ?? resolve(host)
    known.set(host, found)
    return found
  }
}

const createCount = (maxBytes: number): Hop['count'] => {
  let left = maxBytes
  return (bytes) => {
    left -= bytes
    if (left >= 0) return
    const most = `${maxBytes / MIB} MiB`
    throw packageFault('too_many_packages', `The packages of the app have more than ${most}.`)
  }
}

/** Opens the connections of one deployment. @param stop ends all fetches */
export const openRegistrySession = (
  options: RegistryOptions,
  stop: AbortSignal,
): RegistrySession => {
  const connections = openConnections()
  const count = createCount(options.maxBytes ?? Number.POSITIVE_INFINITY)
  const rules: GuardRules = {
    allow: [],
    resolve: resolveOnce(options.resolve ?? resolveHost),
    ownAddresses: options.ownAddresses ?? ownAddresses,
    ...(options.isGranted === undefined ? {} : { isGranted: options.isGranted }),
  }
  return {
    fetch: async (request) => {
      const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
      const signal = AbortSignal.any([timeout, stop])
      try {
        const hop = { request, rules, connections, signal, count }
        return await orAborted(follow(new URL(request.url), hop, MAX_REDIRECTS), signal)
      } catch (error) {
        throw toFault(error, request, timeout.aborted || stop.aborted)
      }
    },
    close: connections.close,
  }
}
