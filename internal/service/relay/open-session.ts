/** Opens a session for the phone, which shows its code [relay 2.1]. */
import { randomUUID } from 'node:crypto'
import { AppError } from '#core/error.ts'
import { makeRelayCode, RELAY_CODE_RANDOM_BYTES } from '#core/relay/code.ts'
import { findRelaySession, insertRelaySession } from '#store/relay.ts'
import type { Deps } from '../deps.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { expireSessions } from './expire-sessions.ts'
import { hashCode, MOST_LIVE_SESSIONS } from './relay-session.ts'

const RETRY_AFTER_S = 10

export type OpenedSession = Readonly<{ certId: string; code: string; expiresAt: number }>

/** Opens a session. @throws {AppError} rate_limited `too_many_sessions` */
export const openSession = async (
  deps: Pick<Deps, 'db' | 'randomBytes' | 'keyring' | 'hints' | 'limits'>,
  { ws, keyId }: Readonly<{ ws: string; keyId: string }>,
): Promise<OpenedSession> =>
  retryOnConflict(async (attempt) => {
    // expired sessions may still occupy codes and the limit
    if (attempt > 0) await expireSessions(deps)
    const certId = randomUUID()
    const code = makeRelayCode(deps.randomBytes(RELAY_CODE_RANDOM_BYTES))
    const session = {
      id: certId,
      ws,
      keyId,
      codeHash: hashCode(deps, code),
      lifetimeMs: deps.limits.relayTtlMs,
      most: MOST_LIVE_SESSIONS,
    }
    await deps.db.write([insertRelaySession(session)], { retry: true })
    const opened = await findRelaySession(deps.db, certId)
    return opened === null ? null : { certId, code, expiresAt: opened.expiresAt }
  }, tooManySessions)

const tooManySessions = (): AppError =>
  new AppError('rate_limited', 'Too many sessions are open. Try again shortly.', {
    code: 'too_many_sessions',
    retryAfterS: RETRY_AFTER_S,
  })
