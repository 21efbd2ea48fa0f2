/** Ends the credential that asks for it, whatever kind it is (document 1, Tokens and other routes). */
import type { Actor } from '#core/actor.ts'
import type { Principal } from '#core/principal.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { revokeConsumerKey } from '#store/consumer-keys.ts'
import type { Statement } from '#store/database.ts'
import { revokeSession } from '#store/sessions.ts'
import { revokeToken } from '#store/tokens.ts'
import type { Deps } from './deps.ts'

const ending = ({ kind, credentialId, ws, customerId }: Principal): Statement => {
  if (kind === 'session') return revokeSession(credentialId)
  return customerId === null
    ? revokeToken(ws ?? '', credentialId)
    : revokeConsumerKey(ws ?? '', customerId, credentialId)
}

const ACTIONS = {
  session: 'session.ended',
  api_token: 'token.revoked',
  customer_key: 'consumer_key.revoked',
  job_token: 'job_token.revoked',
} as const satisfies Record<Principal['kind'], string>

export const logOut = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  principal: Principal,
  actor: Actor,
): Promise<void> => {
  const { kind, credentialId, ws } = principal
  const entry = { id: newId(), ws, actor, action: ACTIONS[kind], target: credentialId }
  await db.write([ending(principal), insertAuditEntryIfChanged(entry)], { retry: true })
}
