/** TXT records of a name, from the machine's name servers or those that SVC_DNS_SERVERS lists. */
import { Resolver } from 'node:dns/promises'

export type TxtAnswer =
  /** `records` is empty where the name has none, or is not there at all. */
  | Readonly<{ kind: 'answered'; records: readonly string[] }>
  /** No name server gave an answer in time. */
  | Readonly<{ kind: 'silent' }>

export type LookUpTxt = (name: string) => Promise<TxtAnswer>

export type TxtOptions = Readonly<{
  /** `address` or `address:port`; empty: those of the machine. */
  servers: readonly string[]
  /** Until a server is asked again. @default 2,000 */
  timeoutMs?: number
}>

const TIMEOUT_MS = 2_000
const TRIES = 2
/** What a server says of a name that has no such record. */
const NONE = ['ENOTFOUND', 'ENODATA']

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** @throws {Error} one of the servers is no address */
export const createLookUpTxt = ({ servers, timeoutMs = TIMEOUT_MS }: TxtOptions): LookUpTxt => {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
  if (servers.length > 0) {
    try {
      resolver.setServers([...servers])
    } catch (cause) {
      throw new Error(
        'SVC_DNS_SERVERS: each entry is an IP address, perhaps with a port, such as 192.0.2.53:53.',
        { cause },
      )
    }
  }
  return async (name) => {
    try {
      const records = await resolver.resolveTxt(name)
      // one record may come in several strings of 255 bytes
      return { kind: 'answered', records: records.map((parts) => parts.join('')) }
    } catch (error) {
      return NONE.includes(codeOf(error)) ? { kind: 'answered', records: [] } : { kind: 'silent' }
    }
  }
}
