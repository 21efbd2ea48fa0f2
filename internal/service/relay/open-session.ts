/** The phone opens a session and shows its code [relay 2.1]. */
import { randomUUID } from 'node:crypto'
import { AppError } from '#core/error.ts'
import { makeRelayCode, RELAY_CODE_RANDOM_BYTES } from '#core/relay/code.ts'
import { findRelaySession, insertRelaySession } from '#store/relay.ts'
import type { Deps } from '../deps.ts'
import { expireSessions } from './expire-sessions.ts'
import { hashCode, MOST_LIVE_SESSIONS } from './relay-session.ts'

const CODE_TRIES = 5
const RETRY_AFTER_S = 10

export type OpenedSession = Readonly<{ certId: string; code: string; expiresAt: number }>

/** @throws {AppError} rate_limited `too_many_sessions` */
export const openSession = async (
  deps: Pick<Deps, 'db' | 'randomBytes' | 'keyring' | 'hints' | 'limits'>,
  { ws, keyId }: Readonly<{ ws: string; keyId: string }>,
): Promise<OpenedSession> => {
  for (let tries = 0; tries < CODE_TRIES; tries += 1) {
    // sessions that nobody has ended yet may hold codes and places
    if (tries > 0) await expireSessions(deps)
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
    if (opened !== null) return { certId, code, expiresAt: opened.expiresAt }
  }
  throw new AppError('rate_limited', 'Too many sessions wait at this moment. Try again shortly.', {
    code: 'too_many_sessions',
    retryAfterS: RETRY_AFTER_S,
  })
}
