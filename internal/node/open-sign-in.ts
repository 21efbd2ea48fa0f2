/** The ways in which people sign in. */
import type { Config } from '#config/config.ts'
import type { SignInWays } from '#http/handlers/oidc.ts'
import { createLogger } from '#log/logtape.ts'
import type { OidcClient, OidcSettings } from '#outbound/oidc-client.ts'
import { reportSignInFaults } from './report-sign-in-faults.ts'

/** The first sign-in loads the client's packages. */
const lazyClient = (settings: OidcSettings): OidcClient => {
  let opened: Promise<OidcClient> | null = null
  const open = async (): Promise<OidcClient> => {
    const { createOidcClient } = await import('#outbound/oidc-client.ts')
    return createOidcClient(settings)
  }
  const client = (): Promise<OidcClient> => {
    opened ??= open()
    return opened
  }
  return {
    startUrl: async (start) => (await client()).startUrl(start),
    identify: async (back) => (await client()).identify(back),
    endUrl: async (end) => (await client()).endUrl(end),
    verifyLogout: async (token) => (await client()).verifyLogout(token),
  }
}

export const openSignIn = (config: Config): SignInWays => {
  const issuer = config.oidcIssuer
  const clientId = config.oidcClientId
  const clientSecret = config.oidcClientSecret
  const passwordLogin = config.passwordLogin === 'on'
  if (issuer === undefined || clientId === undefined) return { oidc: null, passwordLogin }
  return {
    passwordLogin,
    oidc: {
      client: reportSignInFaults(
        lazyClient({ issuer, clientId, clientSecret }),
        createLogger('http'),
      ),
      issuer,
      allowedDomains: config.oidcAllowedDomains,
      autoJoin: config.oidcAutoJoin ?? null,
    },
  }
}
