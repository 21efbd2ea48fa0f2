/**
 * Follows redirects of http remotes, because git would follow them to any host. All hops stay on one host, so the checked
 * address is valid for all of them, and credentials reach no other host.
 */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { type GitAddress, parseAddress, refuseAddress } from './address.ts'
import { unreachable } from './failure.ts'
import { basicAuthorization, type GitAuth } from './session.ts'

const MAX_REDIRECTS = 5
const TIMEOUT_MS = 15_000
/** Interim responses (1xx) before a response. A remote that sends them without end would take all the time of the node. */
const MOST_INTERIM = 10
const SERVICE = '/info/refs?service=git-upload-pack'

/**
 * Returns the address of a redirect: the same host and port over the same scheme, or an upgrade from http to https.
 * @throws {AppError} invalid `url_not_allowed`
 */
export const redirectTarget = (from: GitAddress, location: string): GitAddress => {
  const target = URL.parse(location, from.text)
  const at = target?.href.indexOf(SERVICE) ?? -1
  if (target === null || at < 0) {
    throw refuseAddress('The remote redirects to an address that is not a git repository.')
  }
  const address = parseAddress(target.href.slice(0, at))
  const isUpgrade = from.scheme === 'http' && address.scheme === 'https'
  const samePort = isUpgrade ? address.port === null : address.port === from.port
  if (address.host !== from.host || !(isUpgrade || address.scheme === from.scheme) || !samePort) {
    throw refuseAddress(
      `The remote redirects to another host or port (${address.host}). Use that address instead.`,
    )
  }
  return address
}

export type RedirectRequest = Readonly<{
  address: GitAddress
  auth: GitAuth | null
  /** The checked IP address of the host. Every hop connects to it; the name is not resolved again. */
  pin: string
  signal?: AbortSignal | undefined
}>

type Answer = Readonly<{ status: number; location: string | null }>

/** Returns `host:port` for the Host header, with brackets around IPv6. */
const hostHeader = ({ text }: GitAddress): string => new URL(text).host

/** Requests the refs from the pinned address, and reads only the head of the response. */
const requestRefs = ({ address, auth, pin, signal }: RedirectRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const isSecure = address.scheme === 'https'
    const send = isSecure ? requestHttps : requestHttp
    const { host, text } = address
    const path = `${new URL(text).pathname.replace(/\/$/, '')}${SERVICE}`
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const request = send({
      host: pin,
      port: address.port ?? (isSecure ? 443 : 80),
      path,
      agent: false,
      // the certificate is issued for the name, not for the pinned address
      ...(isSecure && host !== null && isIP(host) === 0 ? { servername: host } : {}),
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      headers: {
        host: hostHeader(address),
        ...(auth?.type === 'token' ? { authorization: basicAuthorization(auth) } : {}),
      },
    })
    request.once('response', (response) => {
      resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? null })
      response.destroy()
    })
    const fail = (cause?: unknown): void =>
      reject(unreachable('it redirects to an address that does not answer', cause))
    request.on('error', fail)
    let interim = 0
    request.on('information', () => {
      interim += 1
      if (interim > MOST_INTERIM) request.destroy(new Error('The remote sends no response.'))
    })
    // a response 101 to a request without an upgrade ends the connection, and Node reports neither response nor error
    request.on('close', () => fail())
    request.end()
  })

/**
 * Returns the address after all redirects; the address itself if there are none.
 * @throws {AppError} invalid `url_not_allowed`; bad_gateway `git_unreachable`
 */
export const followRedirects = async (request: RedirectRequest): Promise<GitAddress> => {
  let current = request.address
  for (let hops = 0; hops < MAX_REDIRECTS; hops += 1) {
    const { status, location } = await requestRefs({ ...request, address: current })
    if (status < 300 || status > 399 || location === null) return current
    current = redirectTarget(current, location)
  }
  throw refuseAddress(`The remote redirects more than ${MAX_REDIRECTS} times.`)
}
