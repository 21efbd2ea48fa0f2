/**
 * Verifies that a delivery comes from the sender of its webhook. Comparisons take the same time wherever two values differ. A
 * variable without a value counts as missing, so that nothing is ever compared with an empty secret.
 */
import type { Claim, Delivery, HashName, Refusal } from './scheme.ts'
import { schemeOf, secretKeysOf, type Verify } from './schemes.ts'

export type Verdict = Readonly<{ ok: true }> | Readonly<{ ok: false; reason: Refusal }>

type Bytes = Uint8Array<ArrayBuffer>

const OK: Verdict = { ok: true }
const no = (reason: Refusal): Verdict => ({ ok: false, reason })

const toBytes = (text: string): Bytes => new TextEncoder().encode(text)

const importKey = (secret: string, hash: HashName) =>
  crypto.subtle.importKey('raw', toBytes(secret), { name: 'HMAC', hash }, false, ['sign', 'verify'])

/** Reads all bytes, wherever they differ. */
const isEqual = (one: Bytes, other: Bytes): boolean =>
  one.length === other.length &&
  one.reduce((difference, byte, at) => difference | (byte ^ (other[at] ?? 0)), 0) === 0

const isSigned = async (
  { hash, message, signatures }: Extract<Claim, { kind: 'signed' }>,
  secret: string,
): Promise<boolean> => {
  const key = await importKey(secret, hash)
  // once, because a sender may claim hundreds of signatures of a large message
  const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, message))
  return signatures.some((signature) => isEqual(signature, expected))
}

/** Compares their HMACs, so that the time does not reveal where the texts differ. */
const isSame = async (shown: string, secret: string): Promise<boolean> => {
  const key = await importKey(secret, 'SHA-256')
  const expected = await crypto.subtle.sign('HMAC', key, toBytes(secret))
  return crypto.subtle.verify('HMAC', key, expected, toBytes(shown))
}

const fits = async (
  claim: Extract<Claim, { kind: 'signed' | 'token' }>,
  secret: string,
): Promise<boolean> =>
  claim.kind === 'signed' ? isSigned(claim, secret) : isSame(claim.token, secret)

/**
 * Verifies a delivery.
 * @param variables values by key; those that are not set are left out
 */
export const verifyDelivery = async (
  verify: Verify,
  delivery: Delivery,
  variables: ReadonlyMap<string, string>,
): Promise<Verdict> => {
  const claim = schemeOf(verify).read(delivery)
  if (claim.kind === 'open') return OK
  const secrets = secretKeysOf(verify).flatMap((key) => variables.get(key) ?? [])
  const set = secrets.filter((secret) => secret !== '')
  // before the claim: without a secret every delivery is refused, and its owner has to learn why
  if (set.length === 0) return no('missing_variable')
  if (claim.kind === 'refused') return no(claim.reason)
  for (const secret of set) if (await fits(claim, secret)) return OK
  return no('wrong_signature')
}
