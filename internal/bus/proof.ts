/** Proves to the other side of a connection that both hold the instance key, without a clock and without showing it. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export type Side = 'client' | 'server'

export type Nonces = Readonly<{ client: string; server: string }>

const NONCE_BYTES = 32

export const makeNonce = (): string => randomBytes(NONCE_BYTES).toString('base64url')

/** @param key derived from the instance key, for this purpose alone */
export const makeProof = (key: Uint8Array, side: Side, nonces: Nonces): string =>
  createHmac('sha256', key)
    .update(`svc bus|${side}|${nonces.client}|${nonces.server}`)
    .digest('base64url')

export const isProof = (
  key: Uint8Array,
  side: Side,
  { nonces, proof }: Readonly<{ nonces: Nonces; proof: string }>,
): boolean => {
  const expected = Buffer.from(makeProof(key, side, nonces))
  const given = Buffer.from(proof)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
