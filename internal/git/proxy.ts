/** Which addresses git reaches through the operator's proxy, by the rules of curl. Pure. */
import type { GitAddress } from './address.ts'

type Environment = Readonly<Record<string, string>>

/** curl does not read HTTP_PROXY, because callers of CGI programs can set it. ssh and git's own protocol use no proxy. */
const PROXIES: Readonly<Partial<Record<GitAddress['scheme'], readonly string[]>>> = {
  http: ['http_proxy', 'all_proxy', 'ALL_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
}
const EXCEPTIONS: readonly string[] = ['no_proxy', 'NO_PROXY']

/** Whether git uses a proxy for the address, unless its host is an exception. */
export const isProxied = ({ scheme }: GitAddress, environment: Environment): boolean =>
  PROXIES[scheme]?.some((name) => environment[name] !== undefined) === true

/** Whether there are hosts that git reaches directly although a proxy is set. */
export const hasExceptions = (environment: Environment): boolean =>
  EXCEPTIONS.some((name) => environment[name] !== undefined)

/** Returns the environment with which git reaches every host through the proxy. */
export const withoutExceptions = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !EXCEPTIONS.includes(name)))
