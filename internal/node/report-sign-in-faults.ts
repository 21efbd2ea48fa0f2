/** Logs why sign-ins with the identity provider fail. The person sees only that they failed. */
import type { Logger } from '#log/logger.ts'
import type { OidcClient } from '#outbound/oidc-client.ts'

/** Anyone may cause failures, so the log gets one line in this time. */
const WARN_EVERY_MS = 10_000

/** What the provider, its token or the network did wrong: the first cause. The message of the error itself is for the person. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  // an attempt for each address of a name has its own error, and their sum has no message
  const [first] = error instanceof AggregateError ? error.errors : []
  return first instanceof Error ? first.message : error.message
}

/** Returns the client with a warning in the log for failures. */
export const reportSignInFaults = (
  client: OidcClient,
  log: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): OidcClient => {
  let warnedAt = Number.NEGATIVE_INFINITY
  const report = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked
    } catch (error) {
      if (now() - warnedAt >= WARN_EVERY_MS) {
        warnedAt = now()
        log.warn('A sign-in with the identity provider failed.', { reason: reasonOf(error) })
      }
      throw error
    }
  }
  return {
    startUrl: (start) => report(client.startUrl(start)),
    identify: (back) => report(client.identify(back)),
    endUrl: (end) => report(client.endUrl(end)),
    verifyLogout: (token) => report(client.verifyLogout(token)),
  }
}
