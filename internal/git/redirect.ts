/**
 * Redirects of http remotes, followed by hand: git would carry on to any host. All hops stay on one host, so the address
 * that the network guard judged serves all of them, and credentials go nowhere else.
 */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { type GitAddress, parseAddress, refuseAddress } from './address.ts'
import { unreachable } from './failure.ts'
import { basicAuthorization, type GitAuth } from './session.ts'

const MAX_REDIRECTS = 5
const TIMEOUT_MS = 15_000
const SERVICE = '/info/refs?service=git-upload-pack'

/**
 * Where a redirect leads: the same host and port over the same scheme, or from http up to https on its own port.
 * @throws {AppError} invalid `url_not_allowed`
 */
export const redirectTarget = (from: GitAddress, location: string): GitAddress => {
  const target = URL.parse(location, from.text)
  const at = target?.href.indexOf(SERVICE) ?? -1
  if (target === null || at < 0) {
    throw refuseAddress('The remote redirects to something that is no git repository.')
  }
  const address = parseAddress(target.href.slice(0, at))
  const isUpgrade = from.scheme === 'http' && address.scheme === 'https'
  const samePort = isUpgrade ? address.port === null : address.port === from.port
  if (address.host !== from.host || !(isUpgrade || address.scheme === from.scheme) || !samePort) {
    throw refuseAddress(
      `The remote redirects to another host or port (${address.host}). Use the address that it leads to.`,
    )
  }
  return address
}

export type RedirectRequest = Readonly<{
  address: GitAddress
  auth: GitAuth | null
  /** The judged address of the host. Every hop dials it: the name is not resolved again. */
  pin: string
  signal?: AbortSignal | undefined
}>

type Answer = Readonly<{ status: number; location: string | null }>

/** `host:port` as the Host header has it, brackets around IPv6 included. */
const hostHeader = ({ text }: GitAddress): string => new URL(text).host

/** Asks the pinned address for the refs, and reads the head of the answer only. */
const ask = ({ address, auth, pin, signal }: RedirectRequest): Promise<Answer> =>
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
      // the certificate is that of the name, not of the pinned address
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
    request.on('error', (cause) =>
      reject(unreachable('it redirects to what does not answer', cause)),
    )
    request.end()
  })

/**
 * The address behind all redirects; the address itself when there are none or the remote does not say.
 * @throws {AppError} invalid `url_not_allowed`; bad_gateway `git_unreachable`
 */
export const followRedirects = async (request: RedirectRequest): Promise<GitAddress> => {
  let current = request.address
  for (let hops = 0; hops < MAX_REDIRECTS; hops += 1) {
    const { status, location } = await ask({ ...request, address: current })
    if (status < 300 || status > 399 || location === null) return current
    current = redirectTarget(current, location)
  }
  throw refuseAddress(`The remote redirects more than ${MAX_REDIRECTS} times.`)
}
