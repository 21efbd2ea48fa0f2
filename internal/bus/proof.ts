/** Proves to a peer that both have the instance key, without revealing it and without depending on clocks. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export type Side = 'client' | 'server'

export type Nonces = Readonly<{ client: string; server: string }>

const NONCE_BYTES = 32

/** Returns a random challenge. */
export const makeNonce = (): string => randomBytes(NONCE_BYTES).toString('base64url')

/** Computes the proof of one side. @param key derived from the instance key, for the bus only */
export const makeProof = (key: Uint8Array, side: Side, nonces: Nonces): string =>
  createHmac('sha256', key)
    .update(`svc bus|${side}|${nonces.client}|${nonces.server}`)
    .digest('base64url')

/** Compares a peer's proof with the expected one in constant time. */
export const isProof = (
  key: Uint8Array,
  side: Side,
  { nonces, proof }: Readonly<{ nonces: Nonces; proof: string }>,
): boolean => {
  const expected = Buffer.from(makeProof(key, side, nonces))
  const given = Buffer.from(proof)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
