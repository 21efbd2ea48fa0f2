/** One-time passwords of authenticator apps (RFC 6238): 6 digits, 30 s, SHA-1, which all apps support. */
import { Secret, TOTP } from 'otpauth'
import { SECOND_MS } from '#core/time-units.ts'

const PERIOD_S = 30
/** Codes of the interval before and after are valid too, because clocks differ and typing takes time. */
const WINDOW = 1
const ISSUER = 'svc'
const SECRET_BYTES = 20

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
    secret: Secret.fromBase32(secret),
  })

/** Makes a secret, in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** Returns the content of the QR code. @param email of the account, as the app shows it */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString()

/** Returns the interval since 1970 to which a code belongs, or null for a wrong one. @param now milliseconds */
export const totpInterval = (secret: string, code: string, now: number): number | null => {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: WINDOW })
  return delta === null ? null : Math.floor(now / SECOND_MS / PERIOD_S) + delta
}
