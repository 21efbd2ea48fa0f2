/**
 * `dns.lookup` in a guest without a name server, for clients that look up a name before they connect (nodemailer). The answer is
 * an address that represents the name; a connection to it requests a tunnel to the name, which the host's proxy resolves.
 */
import { importsOf } from './imports.ts'
import { likeNative } from './like-native.ts'
import { isOwnHost, LOOPBACK, mayLeadOut } from './tunnel.ts'

type Options = Readonly<{ all?: boolean; family?: number | string }>
type Answer = Readonly<{ address: string; family: number }>
type Answered = (error: Error | null, found: string | readonly Answer[], family?: number) => void
type DnsModule = {
  lookup: unknown
  readonly promises: { lookup: unknown }
}

const importsNames = importsOf('dns|dns/promises')
/** Half of the network for tests of devices (RFC 2544), in which no server has an address. */
const REPRESENTS_NAME = /^198\.18\.(\d{1,3})\.(\d{1,3})$/
const MAX_NAMES = 65_536
const ADDRESS = /^[\d.]+$|:/

const names: string[] = []

/** Returns the name that an address represents, or else the host itself. */
export const nameOf = (host: string): string => {
  const [, high, low] = REPRESENTS_NAME.exec(host) ?? []
  return names[Number(high) * 256 + Number(low)] ?? host
}

const addressOf = (name: string): string => {
  if (ADDRESS.test(name)) return name
  // only the port of a connection shows whether it leads out
  if (isOwnHost(name, 0) && !mayLeadOut(name)) return LOOPBACK
  const known = names.indexOf(name)
  const at = known === -1 ? names.push(name) - 1 : known
  return `198.18.${at >> 8}.${at & 255}`
}

/** Whether the runtime answers instead: addresses of IPv6, and names beyond those that fit. */
const isNative = (name: string, family: Options['family']): boolean =>
  name.includes(':') || family === 6 || family === 'IPv6' || names.length >= MAX_NAMES

type Native = (...args: readonly unknown[]) => unknown

const lookupWith =
  (native: unknown) =>
  (name: string, ...rest: readonly [Options | number | Answered, Answered?]): unknown => {
    const [given] = rest
    const options = typeof given === 'object' ? given : {}
    const done = rest.at(-1)
    const family = typeof given === 'number' ? given : options.family
    if (typeof done !== 'function' || isNative(name, family)) {
      return Reflect.apply(native as Native, undefined, [name, ...rest])
    }
    const address = addressOf(name)
    queueMicrotask(() =>
      options.all === true ? done(null, [{ address, family: 4 }]) : done(null, address, 4),
    )
    return {}
  }

const lookupLaterWith =
  (native: unknown) =>
  async (name: string, given?: Options | number): Promise<unknown> => {
    const options: Options = typeof given === 'object' ? given : { family: given ?? 0 }
    if (isNative(name, options.family)) {
      return await Reflect.apply(native as Native, undefined, [name, given])
    }
    const answer = { address: addressOf(name), family: 4 }
    return options.all === true ? [answer] : answer
  }

const NO_NAME_SERVER =
  'a job has no name server. Connect to hosts by their names; instead of mongodb+srv://, list the hosts (mongodb://a,b)'

const refusalOf = (query: string, hostname: unknown): Error =>
  Object.assign(
    new Error(`svc does not let this job query ${JSON.stringify(hostname)}: ${NO_NAME_SERVER}.`),
    { code: 'EACCES', syscall: `query${query.slice('resolve'.length)}`, hostname },
  )

/** A query other than `lookup` would fail as `UNKNOWN` where there is no name server. The refusal states what to do instead. */
const refuseQueries = (owner: object, isLater: boolean): void => {
  for (const name of Object.getOwnPropertyNames(owner)) {
    if (!/^(?:resolve|reverse)/.test(name)) continue
    const now = (hostname: unknown, ...rest: readonly unknown[]): void => {
      const done = rest.at(-1)
      const refusal = refusalOf(name, hostname)
      if (typeof done !== 'function') throw refusal
      queueMicrotask(() => done(refusal))
    }
    const later = (hostname: unknown): Promise<never> => Promise.reject(refusalOf(name, hostname))
    Object.defineProperty(owner, name, { value: isLater ? later : now })
  }
}

/** Call it before the code is loaded, and only in a guest without a name server. */
export const prepareQueries = async (code: string): Promise<void> => {
  if (areRefused || !importsNames(code)) return
  areRefused = true
  const { default: dns } = await import('node:dns')
  refuseQueries(dns, false)
  refuseQueries(dns.Resolver.prototype, false)
  refuseQueries(dns.promises, true)
  refuseQueries(dns.promises.Resolver.prototype, true)
}

let isPatched = false
let areRefused = false

/** Call it before the code is loaded, and only where sockets request tunnels. */
export const prepareNames = async (code: string): Promise<void> => {
  if (isPatched || !importsNames(code)) return
  isPatched = true
  const dns: DnsModule = (await import('node:dns')).default
  dns.lookup = likeNative(lookupWith(dns.lookup), dns.lookup)
  dns.promises.lookup = lookupLaterWith(dns.promises.lookup)
}
