/** Looks up TXT records with the machine's name servers, or those in SVC_DNS_SERVERS. */
import { Resolver } from 'node:dns/promises'

export type TxtAnswer =
  /** `records` is empty if the name has none or does not exist. */
  | Readonly<{ kind: 'answered'; records: readonly string[] }>
  /** No name server answered in time. */
  | Readonly<{ kind: 'silent' }>

export type LookUpTxt = (name: string) => Promise<TxtAnswer>

export type TxtOptions = Readonly<{
  /** `address` or `address:port`; if empty, the name servers of the machine. */
  servers: readonly string[]
  /** Milliseconds until the query is sent again. @default 2,000 */
  timeoutMs?: number
}>

const TIMEOUT_MS = 2_000
const TRIES = 2
/** Error codes that mean that there is no such record. */
const NONE = ['ENOTFOUND', 'ENODATA']

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Creates the lookup. @throws {Error} an entry of `servers` is not an address */
export const createLookUpTxt = ({ servers, timeoutMs = TIMEOUT_MS }: TxtOptions): LookUpTxt => {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
  if (servers.length > 0) {
    try {
      resolver.setServers([...servers])
    } catch (cause) {
      throw new Error(
        'SVC_DNS_SERVERS: each entry must be an IP address, optionally with a port, such as 192.0.2.53:53.',
        { cause },
      )
    }
  }
  return async (name) => {
    try {
      const records = await resolver.resolveTxt(name)
      // a record consists of strings of at most 255 bytes, so join them
      return { kind: 'answered', records: records.map((parts) => parts.join('')) }
    } catch (error) {
      return NONE.includes(codeOf(error)) ? { kind: 'answered', records: [] } : { kind: 'silent' }
    }
  }
}
