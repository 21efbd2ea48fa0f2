/** Looks up TXT records at the machine's name servers, or at those in SVC_DNS_SERVERS. */
import { Resolver } from 'node:dns/promises'

export type TxtAnswer =
  /** `records` is empty when the name has none or does not exist. */
  | Readonly<{ kind: 'answered'; records: readonly string[] }>
  /** No name server answered in time. */
  | Readonly<{ kind: 'silent' }>

export type LookUpTxt = (name: string) => Promise<TxtAnswer>

export type TxtOptions = Readonly<{
  /** `address` or `address:port`; empty for those of the machine. */
  servers: readonly string[]
  /** Milliseconds until the query is sent again. @default 2,000 */
  timeoutMs?: number
}>

const TIMEOUT_MS = 2_000
const TRIES = 2
/** Errors by which a server reports that there is no such record. */
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
      // a record consists of strings of at most 255 bytes
      return { kind: 'answered', records: records.map((parts) => parts.join('')) }
    } catch (error) {
      return NONE.includes(codeOf(error)) ? { kind: 'answered', records: [] } : { kind: 'silent' }
    }
  }
}
