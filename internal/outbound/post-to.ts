/**
 * Sends a POST to an address that a workspace configures. The name is resolved once and every address must be public or
 * granted. The connection goes to the checked address. Redirects are not followed.
 */
import { isIP } from 'node:net'
import {
  isGranted,
  isNeverOpen,
  notGranted,
  parseEgressGrants,
} from '#core/network/egress-grant.ts'
import { isPublicAddress } from '#core/network/public-address.ts'
import { hostOf, ownAddresses, parseFetchUrl, portOf, type Resolver } from './address-guard.ts'
import { orAborted } from './or-aborted.ts'
import { requestAt } from './request-at.ts'

export type Post = Readonly<{
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Private destinations that the workspace may reach. */
  grants: readonly string[]
}>

/** @returns the HTTP status @throws {Error} there was no response, or the address is not allowed */
export type PostTo = (post: Post) => Promise<number>

export type PostOptions = Readonly<{
  resolve: Resolver
  /** Whether svc itself listens at the address; no grant opens those. */
  isReserved: (addresses: readonly string[], port: number) => Promise<boolean>
  /** Milliseconds for an attempt, with the resolution of the name. @default 10,000 */
  timeoutMs?: number
}>

const TIMEOUT_MS = 10_000

const checkedAddress = async (
  url: URL,
  grants: readonly string[],
  { resolve, isReserved }: PostOptions,
): Promise<string> => {
  const host = hostOf(url).toLowerCase()
  const port = Number(portOf(url))
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  const [first] = addresses
  if (first === undefined) throw new Error(`The name ${host} has no address.`)
  const own = new Set(ownAddresses())
  const open = parseEgressGrants(grants)
  const isOpen = (address: string): boolean =>
    (isPublicAddress(address) && !own.has(address)) || isGranted(open, { host, port, address })
  if (!addresses.every(isOpen)) throw new Error(`${notGranted(`${host}:${port}`)}.`)
  if (addresses.some(isNeverOpen) || (await isReserved(addresses, port))) {
    throw new Error(`${host}:${port} belongs to svc itself or to its machine and is never open.`)
  }
  return first
}

/** Creates the sender. */
export const createPostTo =
  (options: PostOptions): PostTo =>
  async ({ url: text, headers, body, grants }) => {
    const url = parseFetchUrl(text)
    const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
    const address = await orAborted(checkedAddress(url, grants, options), signal)
    const answer = await requestAt(url, address, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      signal,
    })
    answer.destroy()
    return answer.statusCode ?? 0
  }
