/** Ends the session or token that asks for it [access 7.1]. Other kinds never come here. */

import type { Principal } from '#core/access/principal.ts'
import type { Actor } from '#core/actor.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import type { Statement } from '#store/database.ts'
import { revokeSession } from '#store/sessions.ts'
import { revokeToken } from '#store/tokens.ts'
import type { Deps } from './deps.ts'

const ending = ({ kind, credentialId, ws }: Principal): Statement =>
  kind === 'session' ? revokeSession(credentialId) : revokeToken(ws ?? '', credentialId)

export const logOut = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  principal: Principal,
  actor: Actor,
): Promise<void> => {
  const { kind, credentialId, ws } = principal
  const action = kind === 'session' ? 'session.ended' : 'token.revoked'
  const entry = { id: newId(), ws, actor, action, target: credentialId }
  await db.write([ending(principal), insertAuditEntryIfChanged(entry)], { retry: true })
}
