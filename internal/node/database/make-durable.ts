/**
 * Makes sqld write each commit to its disk before it answers (SVC_SQLD_ADMIN_URL), through its admin API. sqld forgets the
 * mode when it ends. So the node sets it whenever a connection that it opens is relaxed, before it sends anything over it;
 * other configuration of the database stays unchanged.
 */
import { z } from 'zod'
import { decodePassword } from '#config/decode-password.ts'
import type { Logger } from '#log/logger.ts'
import type { MakeDurable } from '#store/durability.ts'

/** As in sqld's admin API; fields that this code does not know stay unchanged. */
const namespaceConfig = z.looseObject({
  block_reads: z.boolean().default(false),
  block_writes: z.boolean().default(false),
})

const WITHIN_MS = 5_000
/** The namespace of the database on a server without namespaces. */
const NAMESPACE = 'default'

/** The admin API could not be reached, or it refused. */
export class AdminApiError extends Error {
  override readonly name = 'AdminApiError'

  constructor(reason: string, options: ErrorOptions = {}) {
    super(
      `sqld could not be made durable: ${reason}. Check SVC_SQLD_ADMIN_URL (sqld --admin-listen-addr) and its network.`,
      options,
    )
  }
}

/** A password in the address is the key of `sqld --admin-auth-key`. */
const toRequest = (
  adminUrl: string,
): Readonly<{ url: string; headers: Readonly<Record<string, string>> }> => {
  const url = new URL(`/v1/namespaces/${NAMESPACE}/config`, adminUrl)
  const key = decodePassword(url.password)
  url.username = ''
  url.password = ''
  const headers = { 'content-type': 'application/json' }
  return {
    url: url.href,
    headers: key === '' ? headers : { ...headers, authorization: `basic ${key}` },
  }
}

const ask = async (url: string, init: RequestInit): Promise<string> => {
  let answer: Response
  try {
    answer = await fetch(url, { ...init, signal: AbortSignal.timeout(WITHIN_MS) })
  } catch (error) {
    throw new AdminApiError('it does not answer', { cause: error })
  }
  const text = await answer.text()
  if (!answer.ok) throw new AdminApiError(`it answered ${answer.status}`)
  return text
}

/** @throws {AdminApiError} */
export const makeDurable = async (adminUrl: string): Promise<void> => {
  const { url, headers } = toRequest(adminUrl)
  const found = await ask(url, { headers })
  let config: z.infer<typeof namespaceConfig>
  try {
    config = namespaceConfig.parse(JSON.parse(found))
  } catch (error) {
    throw new AdminApiError('it answered something else than a configuration', { cause: error })
  }
  const body = JSON.stringify({ ...config, durability_mode: 'strong' })
  await ask(url, { method: 'POST', headers, body })
}

const WARN_EVERY_MS = 60_000

/** @param adminUrl only its host is named, because it may contain a key */
const describeOther = (adminUrl: string): string =>
  `The sqld whose admin API is at ${new URL(adminUrl).host} commits durably now, but the database of this node stays relaxed, so it is another sqld. Set SVC_SQLD_ADMIN_URL to the admin API of the sqld behind SVC_DATABASE_URL.`

/** @returns a function that makes a relaxed database durable; null if no admin API is configured */
export const durabilityKeeper = (adminUrl: string | undefined, log: Logger): MakeDurable | null => {
  if (adminUrl === undefined) return null
  let warnedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<boolean> | null = null
  /** The server accepted the change, and no connection has shown yet what came of it. */
  let isAccepted = false
  const warn = (message: string, error?: AdminApiError): void => {
    if (performance.now() - warnedAt <= WARN_EVERY_MS) return
    warnedAt = performance.now()
    log.warn(message, error === undefined ? {} : { error })
  }
  const act = async (): Promise<boolean> => {
    try {
      await makeDurable(adminUrl)
      isAccepted = true
      return true
    } catch (error) {
      if (!(error instanceof AdminApiError)) throw error
      warn(error.message, error)
      return false
    } finally {
      underWay = null
    }
  }
  return async (readAgain) => {
    // connections that open together share one request
    underWay ??= act()
    if (!(await underWay)) return 'relaxed'
    const found = await readAgain()
    if (found === 'relaxed') warn(describeOther(adminUrl))
    else if (isAccepted) log.info('The database was relaxed; sqld commits durably now.')
    isAccepted = false
    return found
  }
}
