/** Redirects of http remotes, followed by hand: git would carry on to any host. */
import { type GitAddress, parseAddress, refuseAddress } from './address.ts'
import { basicAuthorization, type GitAuth } from './session.ts'

const MAX_REDIRECTS = 5
const TIMEOUT_MS = 15_000
const SERVICE = '/info/refs?service=git-upload-pack'

/**
 * Where a redirect leads: the same host over the same scheme, or from http up to https.
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
  const samePort = address.port === from.port || isUpgrade
  if (address.host !== from.host || !(isUpgrade || address.scheme === from.scheme) || !samePort) {
    throw refuseAddress(
      `The remote redirects to another host (${address.host}). Use the address that it leads to.`,
    )
  }
  return address
}

/** The address behind all redirects; the address itself when there are none or the remote does not say. */
export const followRedirects = async (
  address: GitAddress,
  auth: GitAuth | null,
): Promise<GitAddress> => {
  let current = address
  for (let hops = 0; hops < MAX_REDIRECTS; hops += 1) {
    const response = await fetch(`${current.text.replace(/\/$/, '')}${SERVICE}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: auth?.type === 'token' ? { authorization: basicAuthorization(auth) } : {},
    })
    await response.body?.cancel()
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return current
    current = redirectTarget(current, location)
  }
  throw refuseAddress(`The remote redirects more than ${MAX_REDIRECTS} times.`)
}
