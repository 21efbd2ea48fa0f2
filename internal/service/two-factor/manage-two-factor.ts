/** Turns the second factor of a person on and off, and resets it for one who lost everything [access 22]. */

import type { Actor } from '#core/access/actor.ts'
import { normalizeEmail } from '#core/access/email.ts'
import type { Principal } from '#core/access/principal.ts'
import { makeRecoveryCodes, RECOVERY_RANDOM_BYTES } from '#core/access/second-factor.ts'
import { conflict, forbidden } from '#core/error.ts'
import { newTotpSecret, totpUri } from '#crypto/totp.ts'
import { denyApprovedLogins } from '#store/people/device-logins.ts'
import { revokeOtherSessionsIfChanged } from '#store/people/sessions.ts'
import {
  confirmTwoFactor,
  countRecoveryCodes,
  deleteTwoFactor,
  deleteTwoFactorIfChanged,
  deleteUnusableCodes,
  findTwoFactor,
  hasTwoFactor,
  insertRecoveryCodesIfChanged,
  offerTwoFactor,
  type TwoFactor,
} from '#store/people/two-factors.ts'
import { findUser } from '#store/people/users.ts'
import { audited, auditedOnce, isMade } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { provePassword } from '../people/prove-password.ts'
import { requireUser } from '../people/require-user.ts'
import { findCode, hashRecoveryCode, ownerOf, SECRET_CONTEXT, wrongCode } from './take-code.ts'

type FactorDeps = Pick<Deps, 'db' | 'newId' | 'keyring' | 'randomBytes'>

export type Person = Readonly<{ principal: Principal; actor: Actor }>

/** @throws {AppError} forbidden: a token has no second factor */
const requireSession = ({ principal }: Person) => {
  if (principal.kind !== 'session') {
    throw forbidden('Sign in to change your second factor. A token has none.')
  }
  return { email: principal.identity, sessionId: principal.credentialId }
}

const alreadyOn = () =>
  conflict('The second factor is on. Turn it off before you set it up again.', {
    code: 'two_factor_on',
  })

const notOn = () => conflict('The second factor is off.', { code: 'two_factor_off' })

export type OwnTwoFactor = Readonly<{
  /** How many recovery codes are left; null if the factor is off. */
  codesLeft: number | null
  /** Without a password, as after a sign-in by a provider, the factor cannot be turned on. */
  hasPassword: boolean
}>

/** @throws {AppError} forbidden */
export const readTwoFactor = async (
  deps: Pick<Deps, 'db'>,
  person: Person,
): Promise<OwnTwoFactor> => {
  const { email } = requireSession(person)
  const factor = await findTwoFactor(deps.db, email)
  const isOn = factor !== null && factor.confirmedAt !== null
  const user = await findUser(deps.db, email)
  return {
    codesLeft: isOn ? await countRecoveryCodes(deps.db, email) : null,
    hasPassword: typeof user?.passwordHash === 'string',
  }
}

export type OfferRequest = Person & Readonly<{ password: string; signal: AbortSignal }>

export type Offered = Readonly<{ secret: string; uri: string }>

/** Offers a secret to an authenticator app. @throws {AppError} forbidden; conflict; unauthenticated; rate_limited */
export const startTwoFactor = async (
  deps: FactorDeps,
  { password, signal, ...person }: OfferRequest,
): Promise<Offered> => {
  const { email } = requireSession(person)
  const { address } = person.actor
  const { release } = await provePassword(deps, { email, password, address, signal })
  const { keyring } = deps
  const secret = newTotpSecret()
  const wrappedKey = keyring.newWrappedKey(ownerOf(email))
  const { offer } = await deps.db.write(
    {
      offer: offerTwoFactor({
        email,
        wrappedKey,
        secret: keyring.encrypt(wrappedKey, ownerOf(email), SECRET_CONTEXT, secret),
        keyCheck: keyring.checkValue(),
      }),
      release,
    },
    { retry: true },
  )
  if (offer.changes !== 1) throw alreadyOn()
  return { secret, uri: totpUri(secret, email) }
}

export type CodeRequest = Person & Readonly<{ code: string }>

const requireFactor = async (deps: Pick<Deps, 'db'>, email: string): Promise<TwoFactor> => {
  const factor = await findTwoFactor(deps.db, email)
  if (factor === null) throw notOn()
  return factor
}

/**
 * Turns the factor on with a first code of the app; other sessions end.
 * @returns the recovery codes, which are shown only once
 * @throws {AppError} forbidden; conflict; unauthenticated `wrong_code`; rate_limited
 */
export const confirmSecondFactor = async (
  deps: FactorDeps,
  { code, ...person }: CodeRequest,
): Promise<readonly string[]> => {
  const { email, sessionId } = requireSession(person)
  const factor = await requireFactor(deps, email)
  if (factor.confirmedAt !== null) throw alreadyOn()
  const found = await findCode(deps, { factor, code, address: person.actor.address })
  if (found.kind !== 'totp') throw wrongCode()
  const codes = makeRecoveryCodes(deps.randomBytes(RECOVERY_RANDOM_BYTES))
  const hashes = codes.map((each) => hashRecoveryCode(email, each))
  const by = { ws: null, actor: person.actor }
  const { audit, recorded } = auditedOnce(deps, by, 'two_factor.enabled', email)
  // one write, because a failure after it would leave recovery codes that were never shown
  const written = await deps.db.write(
    {
      confirm: confirmTwoFactor(factor, found.interval),
      codes: insertRecoveryCodesIfChanged(email, hashes),
      audit,
      sessions: revokeOtherSessionsIfChanged(email, sessionId),
      logins: denyApprovedLogins(email, hasTwoFactor(email)),
      release: found.release,
      recorded,
    },
    { retry: true },
  )
  if (!isMade(written)) throw alreadyOn()
  return codes
}

/** Turns the factor off with a code. @throws {AppError} forbidden; conflict; unauthenticated `wrong_code`; rate_limited */
export const endTwoFactor = async (
  deps: FactorDeps,
  { code, ...person }: CodeRequest,
): Promise<void> => {
  const { email } = requireSession(person)
  const factor = await requireFactor(deps, email)
  if (factor.confirmedAt === null) throw notOn()
  const found = await findCode(deps, { factor, code, address: person.actor.address })
  const by = { ws: null, actor: person.actor }
  const written = await deps.db.write(
    {
      take: found.take,
      factor: deleteTwoFactorIfChanged(email),
      ...auditedOnce(deps, by, 'two_factor.disabled', email),
      codes: deleteUnusableCodes(email),
    },
    { retry: true },
  )
  if (!isMade(written)) throw wrongCode()
  await deps.db.write(found.release, { retry: true })
}

/** Turns the factor off for a person who has neither app nor codes. @throws {AppError} not_found: no such account */
export const resetTwoFactor = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { actor, ...request }: Readonly<{ email: string; actor: Actor }>,
): Promise<void> => {
  const email = normalizeEmail(request.email)
  await requireUser(deps.db, email)
  await deps.db.write([
    deleteTwoFactor(email),
    audited(deps, { ws: null, actor }, 'two_factor.reset', email),
    deleteUnusableCodes(email),
  ])
}
