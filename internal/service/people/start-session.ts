/** Creates a browser session; its text goes into the cookie, and only its hash is stored. */

import { sessionActor } from '#core/access/actor.ts'
import { deviceName } from '#core/access/device-name.ts'
import { makeTokenText, TOKEN_RANDOM_BYTES } from '#core/access/token-text.ts'
import type { Statement } from '#store/database.ts'
import { insertSession, isSessionOf } from '#store/people/sessions.ts'
import { TRUE } from '#store/sql.ts'
import { hashToken } from '../access/hash-token.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { wrongCredentials } from './prove-password.ts'

const LIFETIME_S = 14 * 86_400

export type StartedSession = Readonly<{ text: string; maxAgeS: number }>

export type SessionRequest = Readonly<{
  email: string
  address: string | null
  /** The header that names the browser. @default unknown */
  userAgent?: string | null
  /**
   * A condition: what the person has proved is still right. A password takes long to check, and a change of it meanwhile ends only
   * the sessions that exist. @default nothing that could have changed
   */
  guard?: Statement
  /** Statements for the same write. */
  alongside?: readonly Statement[]
}>

/** Starts a session of 14 days. @throws {AppError} unauthenticated `wrong_credentials`: the guard does not hold */
export const startSession = async (
  deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>,
  { email, address, userAgent = null, guard = TRUE, alongside = [] }: SessionRequest,
): Promise<StartedSession> => {
  const id = deps.newId()
  const { text } = makeTokenText('session', deps.randomBytes(TOKEN_RANDOM_BYTES))
  const actor = sessionActor(email, address)
  const row = {
    id,
    email,
    hash: hashToken(text),
    address,
    device: deviceName(userAgent),
    lifetimeMs: LIFETIME_S * 1_000,
  }
  await deps.db.write(
    [
      insertSession(row, guard),
      audited(deps, { ws: null, actor }, 'session.started', id),
      ...alongside,
    ],
    { retry: true },
  )
  if (!(await isSessionOf(deps.db, email, id))) throw wrongCredentials()
  return { text, maxAgeS: LIFETIME_S }
}
