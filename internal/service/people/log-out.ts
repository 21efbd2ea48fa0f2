/** Ends the session or token of the request [access 7.1]; the caller has excluded other credentials. */

import type { Actor } from '#core/access/actor.ts'
import type { Principal } from '#core/access/principal.ts'
import { revokeToken } from '#store/credentials/tokens.ts'
import type { Statement } from '#store/database.ts'
import { revokeSession } from '#store/people/sessions.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'

const ending = ({ kind, credentialId, ws }: Principal): Statement =>
  kind === 'session'
    ? revokeSession(credentialId)
    : revokeToken({ ws: ws ?? '', id: credentialId, callerId: credentialId })

/** Ends the caller's credential. */
export const logOut = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  principal: Principal,
  actor: Actor,
): Promise<void> => {
  const { kind, credentialId, ws } = principal
  const action = kind === 'session' ? 'session.ended' : 'token.revoked'
  await db.write([ending(principal), audited({ newId }, { ws, actor }, action, credentialId)], {
    retry: true,
  })
}
