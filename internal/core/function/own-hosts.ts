/**
 * Host names that belong to svc itself, and those below SVC_APPS_DOMAIN, which svc assigns by the key of an app [functions 8.3].
 * No app may set them, and the resolver checks these rules before any stored row, so that a row of an earlier version cannot
 * take svc's own address either.
 */
export type OwnHosts = Readonly<{
  /** Whether svc itself serves the host: the API, the console. */
  isOwn: (host: string) => boolean
  /** Whether apps may not set the host. */
  isReserved: (host: string) => boolean
  /** The key in `<app>.<SVC_APPS_DOMAIN>`; null for a host that is not below the domain. */
  appKeyOf: (host: string) => string | null
  /** `<app>.<SVC_APPS_DOMAIN>` if people can use it as a separate origin; null at localhost. */
  hostOfApp: (app: string) => string | null
}>

export type OwnHostSettings = Readonly<{
  /** SVC_BASE_URL and SVC_NODE_URL, if they are set. */
  urls: readonly (string | null | undefined)[]
  /** SVC_APPS_DOMAIN. */
  appsDomain: string
}>

/** Returns the name in lower case, without port and without the root's dot: `Shop.Example.:3000` is `shop.example`. */
export const hostNameOf = (host: string): string => {
  const bare = host.trim().toLowerCase()
  const name = bare.startsWith('[') ? bare.replace(/\]:\d+$/, ']') : bare.replace(/:\d*$/, '')
  return name.replace(/\.$/, '')
}

/** Addresses name machines, never apps. */
const isAddress = (host: string): boolean => /^[\d.]+$|^\[|:/.test(host)

/** Whether a host is an address of svc's own machine, such as the default of SVC_BASE_URL. */
const isLoopback = (host: string): boolean => /^127(?:\.\d{1,3}){3}$|^\[?::1\]?$/.test(host)

/** Whether a host means this machine by itself. Any other name may mean it too, as its owner decides. */
export const isLocalHost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopback(host)

const HOST =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/** Whether an app could have the name, apart from whether it may. */
export const isHostName = (host: string): boolean => HOST.test(host) && !isAddress(host)

export const createOwnHosts = ({ urls, appsDomain }: OwnHostSettings): OwnHosts => {
  const domain = hostNameOf(appsDomain)
  const suffix = `.${domain}`
  const own = new Set(
    urls.flatMap((url) => (url === null || url === undefined ? [] : [new URL(url).hostname])),
  )
  const names = new Set([...own].map(hostNameOf))
  const isNamed = (host: string): boolean =>
    host === 'localhost' || host === domain || names.has(host)
  const isBelow = (host: string): boolean => host.endsWith(suffix)
  const isLocal = domain === 'localhost' || domain.endsWith('.localhost')
  return {
    isOwn: (host) => isAddress(host) || isNamed(host),
    isReserved: (host) => isNamed(host) || isBelow(host) || isLoopback(host),
    appKeyOf: (host) => (isBelow(host) ? host.slice(0, -suffix.length) : null),
    hostOfApp: (app) => (isLocal || isNamed(`${app}${suffix}`) ? null : `${app}${suffix}`),
  }
}
