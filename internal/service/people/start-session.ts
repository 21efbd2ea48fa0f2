/** Creates a browser session; its text goes into the cookie, and only its hash is stored. */

import { sessionActor } from '#core/access/actor.ts'
import { deviceName } from '#core/access/device-name.ts'
import { makeTokenText, TOKEN_RANDOM_BYTES } from '#core/access/token-text.ts'
import { insertAuditEntry } from '#store/audit-log.ts'
import type { Statement } from '#store/database.ts'
import { insertSession } from '#store/people/sessions.ts'
import { hashToken } from '../access/hash-token.ts'
import type { Deps } from '../deps.ts'

const LIFETIME_S = 14 * 86_400

export type StartedSession = Readonly<{ text: string; maxAgeS: number }>

export type SessionRequest = Readonly<{
  email: string
  address: string | null
  /** The header that names the browser. @default unknown */
  userAgent?: string | null
  /** Statements for the same write. */
  alongside?: readonly Statement[]
}>

/** Starts a session of 14 days. */
export const startSession = async (
  deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>,
  { email, address, userAgent = null, alongside = [] }: SessionRequest,
): Promise<StartedSession> => {
  const id = deps.newId()
  const { text } = makeTokenText('session', deps.randomBytes(TOKEN_RANDOM_BYTES))
  const actor = sessionActor(email, address)
  await deps.db.write(
    [
      insertSession({
        id,
        email,
        hash: hashToken(text),
        address,
        device: deviceName(userAgent),
        lifetimeMs: LIFETIME_S * 1_000,
      }),
      insertAuditEntry({
        id: deps.newId(),
        ws: null,
        actor,
        action: 'session.started',
        target: id,
      }),
      ...alongside,
    ],
    { retry: true },
  )
  return { text, maxAgeS: LIFETIME_S }
}
