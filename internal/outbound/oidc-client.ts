/**
 * Client of an OpenID Connect provider: authorization code with PKCE, and an id token that is verified with the keys of the
 * provider. The operator chose the provider, so its addresses need no grant.
 */
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import {
  type IdentityClaims,
  identityClaims,
  type LogoutClaims,
  logoutClaims,
  otherAccountPrompt,
  statesEmail,
} from '#core/access/oidc-identity.ts'
import { AppError, invalid } from '#core/error.ts'
import { createDiscovery, fetchJson, type Metadata, type ProviderKeys } from './oidc-provider.ts'

export type OidcSettings = Readonly<{
  issuer: string
  clientId: string
  clientSecret: string | undefined
}>

export type OidcStart = Readonly<{
  redirectUri: string
  state: string
  nonce: string
  /** The hash of the verifier (PKCE, S256). */
  challenge: string
  /** Whether the person wants another account than the one that is signed in at the provider. */
  otherAccount?: boolean
}>

export type OidcReturn = Readonly<{
  /** Undefined if the provider did not sign the person in. */
  code: string | undefined
  /** Why it did not, in a word of OAuth. */
  error?: string | undefined
  /** The provider that the answer names (RFC 9207). */
  issuer?: string | undefined
  redirectUri: string
  nonce: string
  /** The text whose hash was sent at the start of the sign-in (PKCE). */
  verifier: string
}>

/** A person, and the token that identifies them to the provider when the session ends. */
export type Identified = Readonly<{ claims: IdentityClaims; idToken: string }>

export type OidcEnd = Readonly<{
  /** Where the provider sends the browser afterwards. */
  returnUri: string
  /** Null if it was too large to keep. */
  idToken: string | null
}>

export interface OidcClient {
  /** The address at which the browser signs in. @throws {AppError} bad_gateway: the provider does not answer */
  startUrl(start: OidcStart): Promise<string>
  /** @throws {AppError} unauthenticated: there is no code, the provider refuses it, or its token is not valid; bad_gateway */
  identify(back: OidcReturn): Promise<Identified>
  /** The address at which the provider ends its own session; null if it has none. @throws {AppError} bad_gateway */
  endUrl(end: OidcEnd): Promise<string | null>
  /** Verifies the notice of the provider that a session there has ended. @throws {AppError} invalid; bad_gateway */
  verifyLogout(token: string): Promise<LogoutClaims>
}

/** Seconds by which the clocks of svc and the provider may differ. */
const CLOCK_TOLERANCE_S = 60
/** Seconds since a token was issued. A used logout token is remembered for longer. */
const MAX_AGE_S = 43_200
/** Signatures with a key pair only: a shared secret, or no signature, does not prove that the provider signed. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** A word of OAuth for the log. Anyone may have sent it. */
const wordOf = (error: unknown): string =>
  typeof error === 'string' && /^[a-z_]{1,50}$/.test(error) ? error : 'no reason'

const errorShape = z.looseObject({ error: z.string() })
const tokenShape = z.looseObject({ id_token: z.string(), access_token: z.string().optional() })

const refused = (cause?: unknown): AppError =>
  new AppError('unauthenticated', 'The sign-in could not be verified. Sign in again.', {
    code: 'oidc_failed',
    cause,
  })

const CLOCKS = 'Set the clocks of this machine and of the provider, for example by NTP.'
const CLIENT = 'Check SVC_OIDC_CLIENT_ID and SVC_OIDC_CLIENT_SECRET.'

/** Claims that fail when the clocks differ. */
const TIMES = new Set(['exp', 'iat', 'nbf'])

/** Adds what to do about a token that is of another time. */
const explainToken = (error: unknown): unknown =>
  error instanceof errors.JWTExpired ||
  (error instanceof errors.JWTClaimValidationFailed && TIMES.has(error.claim))
    ? new Error(`${error.message}. ${CLOCKS}`)
    : error

const denied = (error: string | undefined): AppError =>
  new AppError('unauthenticated', 'The provider did not sign you in.', {
    code: 'oidc_denied',
    cause: new Error(`The provider returned ${wordOf(error)} instead of a code.`),
  })

const encode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+')

/** How svc authenticates at the token endpoint. */
const proofOf = (
  { clientId, clientSecret }: OidcSettings,
  { token_endpoint_auth_methods_supported: methods }: Metadata,
): Readonly<{ headers: Record<string, string>; fields: Record<string, string> }> => {
  if (clientSecret === undefined) return { headers: {}, fields: { client_id: clientId } }
  if (!methods.includes('client_secret_basic') && methods.includes('client_secret_post')) {
    return { headers: {}, fields: { client_id: clientId, client_secret: clientSecret } }
  }
  const basic = Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')
  return { headers: { authorization: `Basic ${basic}` }, fields: {} }
}

const exchange = async (
  settings: OidcSettings,
  metadata: Metadata,
  back: Omit<OidcReturn, 'code'> & Readonly<{ code: string }>,
) => {
  const { headers, fields } = proofOf(settings, metadata)
  const { status, json } = await fetchJson(metadata.token_endpoint, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json' },
    body: new URLSearchParams({
      ...fields,
      grant_type: 'authorization_code',
      code: back.code,
      redirect_uri: back.redirectUri,
      code_verifier: back.verifier,
    }),
  })
  const parsed = tokenShape.safeParse(json)
  if (status !== 200 || !parsed.success) {
    const word = wordOf(errorShape.safeParse(json).data?.error)
    const said = `The token endpoint answered ${status} with ${word}.`
    throw refused(new Error(word === 'invalid_client' ? `${said} ${CLIENT}` : said))
  }
  return parsed.data
}

const startAddress = (
  metadata: Metadata,
  clientId: string,
  { redirectUri, state, nonce, challenge, otherAccount = false }: OidcStart,
): string => {
  const { issuer, prompt_values_supported: prompts } = metadata
  const url = new URL(metadata.authorization_endpoint)
  const fields = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(otherAccount ? { prompt: otherAccountPrompt(issuer, prompts) } : {}),
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

const endAddress = (
  metadata: Metadata,
  clientId: string,
  { returnUri, idToken }: OidcEnd,
): string | null => {
  if (metadata.end_session_endpoint === undefined) return null
  const url = new URL(metadata.end_session_endpoint)
  url.searchParams.set('client_id', clientId)
  url.searchParams.set('post_logout_redirect_uri', returnUri)
  if (idToken !== null) url.searchParams.set('id_token_hint', idToken)
  return url.href
}

/** Creates the client; nothing is fetched until a person signs in. */
export const createOidcClient = (
  settings: OidcSettings,
  now: () => number = () => performance.now(),
): OidcClient => {
  const { issuer, clientId } = settings
  const discover = createDiscovery(issuer, now)

  const readToken = async (token: string, keys: ProviderKeys, requiredClaims: string[]) => {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_S,
      maxTokenAge: MAX_AGE_S,
      requiredClaims,
    })
    return payload
  }

  const verify = async (token: string, nonce: string) => {
    const { keys } = await discover()
    try {
      const payload = await readToken(token, keys, ['sub', 'exp', 'iat', 'nonce'])
      const { aud, azp = Array.isArray(aud) && aud.length > 1 ? null : clientId } = payload
      if (payload.nonce !== nonce || azp !== clientId)
        throw new Error('The token is of another sign-in.')
      return identityClaims.parse(payload)
    } catch (error) {
      // without its keys nothing is known about the token
      if (error instanceof AppError) throw error
      throw refused(explainToken(error))
    }
  }

  /**
   * Returns the claims of the user info endpoint if the token lacks the address, or whether it is verified, because some
   * providers return them only there.
   */
  const withUserInfo = async (
    claims: IdentityClaims,
    url: string | undefined,
    accessToken: string | undefined,
  ): Promise<IdentityClaims> => {
    if (statesEmail(claims) || url === undefined || accessToken === undefined) return claims
    const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' }
    const { status, json } = await fetchJson(url, { headers })
    const parsed = identityClaims.safeParse(json)
    if (status !== 200 || !parsed.success || parsed.data.sub !== claims.sub) throw refused()
    return parsed.data.email === undefined ? claims : parsed.data
  }

  return {
    startUrl: async (start) => {
      const { metadata } = await discover()
      return startAddress(metadata, clientId, start)
    },
    identify: async (back) => {
      const { code, error } = back
      if (code === undefined) throw denied(error)
      const { metadata } = await discover()
      const isNamed = metadata.authorization_response_iss_parameter_supported
      if (back.issuer === undefined ? isNamed : back.issuer !== issuer)
        throw refused(new Error('The code is not of this provider.'))
      const tokens = await exchange(settings, metadata, { ...back, code })
      const claims = await verify(tokens.id_token, back.nonce)
      const { userinfo_endpoint: userInfo } = metadata
      const known = await withUserInfo(claims, userInfo, tokens.access_token)
      return { claims: known, idToken: tokens.id_token }
    },
    endUrl: async (end) => {
      const { metadata } = await discover()
      return endAddress(metadata, clientId, end)
    },
    verifyLogout: async (token) => {
      const { keysOfNotices } = await discover()
      try {
        const payload = await readToken(token, keysOfNotices, ['sub', 'iat', 'jti', 'events'])
        return logoutClaims.parse(payload)
      } catch (error) {
        // the provider may send the notice again when svc can read the keys
        if (error instanceof AppError) throw error
        const cause = explainToken(error)
        throw invalid('The logout token is not valid.', { code: 'bad_logout_token', cause })
      }
    },
  }
}
