/** Identifies the person whom an OpenID Connect provider has signed in [access 21]. Pure. */
import { z } from 'zod'
import { forbidden } from '../error.ts'
import { isEmail, normalizeEmail } from './email.ts'
import { ROLES, type Role } from './scope.ts'

export const identityClaims = z.looseObject({
  sub: z.string().min(1).max(255),
  email: z.string().max(320).optional(),
  email_verified: z.unknown().optional(),
  iss: z.string().optional(),
  xms_edov: z.unknown().optional(),
})
export type IdentityClaims = Readonly<z.infer<typeof identityClaims>>

const ENTRA_ID = 'https://login.microsoftonline.com/'

/**
 * Whether the provider has verified the address. Entra ID sends no `email_verified`. Its claim `xms_edov` states that the
 * tenant owns the domain of the address.
 */
const isVerified = ({ email_verified, iss, xms_edov }: IdentityClaims): boolean =>
  email_verified === true ||
  (email_verified === undefined &&
    iss?.startsWith(ENTRA_ID) === true &&
    [true, 1, '1', 'true'].some((each) => each === xms_edov))

/** Whether the provider has stated the address, and whether it has verified it. */
export const statesEmail = ({ email, email_verified, xms_edov }: IdentityClaims): boolean =>
  email !== undefined && (email_verified !== undefined || xms_edov !== undefined)

/** The part after the last @, in lower case. */
const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/**
 * Returns the address of the person.
 * @param allowedDomains compared whole; an empty list allows any
 * @throws {AppError} forbidden: no address, one that the provider has not verified, or one of another domain
 */
export const requireVerifiedEmail = (
  claims: IdentityClaims,
  allowedDomains: readonly string[],
): string => {
  const { email } = claims
  if (email === undefined || !isEmail(normalizeEmail(email))) {
    throw forbidden('The provider sent no e-mail address for this account.', { code: 'no_email' })
  }
  if (!isVerified(claims)) {
    throw forbidden('The provider has not verified the e-mail address of this account.', {
      code: 'email_not_verified',
    })
  }
  const domain = domainOf(email)
  if (allowedDomains.length > 0 && !allowedDomains.some((each) => each.toLowerCase() === domain)) {
    throw forbidden(`Accounts of ${domain} may not sign in here.`, { code: 'domain_not_allowed' })
  }
  return normalizeEmail(email)
}

/** What a provider sends when a person's session there has ended (OpenID Connect Back-Channel Logout 1.0). */
export const logoutClaims = z
  .looseObject({
    sub: z.string().min(1).max(255),
    jti: z.string().min(1).max(1_000),
    events: z.looseObject({
      'http://schemas.openid.net/event/backchannel-logout': z.looseObject({}),
    }),
  })
  // an id token must not pass as a logout token
  .refine((claims) => !('nonce' in claims))
export type LogoutClaims = Readonly<z.infer<typeof logoutClaims>>

export type AutoJoin = Readonly<{ ws: string; role: Role }>

/** Reads `ws:role`. @returns null for another text */
export const parseAutoJoin = (text: string): AutoJoin | null => {
  const [ws = '', roleText = '', ...rest] = text.split(':')
  const role = ROLES.find((each) => each === roleText)
  return ws === '' || role === undefined || rest.length > 0 ? null : { ws, role }
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Issuers of several accounts in one browser, which do not publish the prompts that they know. Google refuses `login`. */
const CHOOSERS = ['https://accounts.google.com', ENTRA_ID]

/**
 * Returns the prompt with which a provider lets a person use another account than the one that is signed in there.
 * @param supported what the provider publishes; empty if it publishes nothing
 */
export const otherAccountPrompt = (
  issuer: string,
  supported: readonly string[],
): 'select_account' | 'login' =>
  supported.includes('select_account') || CHOOSERS.some((each) => issuer.startsWith(each))
    ? 'select_account'
    : 'login'

/** Whether a text is an https address; http is allowed only on this machine. */
export const isIssuer = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') return false
  return isEndpoint(text)
}

/** Whether svc and browsers may send secrets to an address of the provider. */
export const isEndpoint = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))
}
