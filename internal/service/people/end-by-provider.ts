/** Ends sessions when a provider of OpenID Connect demands it [access 21.7]. */
import { systemActor } from '#core/access/actor.ts'
import { DAY_MS } from '#core/time-units.ts'
import { takeState } from '#store/people/oidc.ts'
import { revokeSessionsOfIdentity } from '#store/people/sessions.ts'
import { hashToken } from '../access/hash-token.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import type { OidcSignIn } from './sign-in-by-oidc.ts'

/** Milliseconds for which a used logout token is remembered: longer than any such token is valid. */
const USED_TOKEN_MS = DAY_MS

/**
 * Ends all sessions of the account of a person whose session at the provider has ended. A token that was used before, or a
 * person without an account, changes nothing.
 * @throws {AppError} invalid `bad_logout_token`; bad_gateway
 */
export const endByProvider = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { client, issuer }: OidcSignIn,
  token: string,
): Promise<void> => {
  const { sub: subject, jti } = await client.verifyLogout(token)
  const actor = systemActor(`oidc:${subject}`)
  const used = hashToken(`logout ${issuer} ${jti}`)
  await deps.db.write(
    {
      ended: revokeSessionsOfIdentity({ issuer, subject }, used),
      audit: audited(deps, { ws: null, actor }, 'session.ended_by_provider', subject),
      taken: takeState(used, USED_TOKEN_MS),
    },
    { retry: true },
  )
}
