/** Tokens for sqld: JSON Web Tokens signed with an Ed25519 key, whose public key is configured in sqld. */
import { createPublicKey } from 'node:crypto'
import { exportPKCS8, generateKeyPair, importPKCS8, SignJWT } from 'jose'

const ALGORITHM = 'EdDSA'

/** Generates a private key. @returns PEM */
export const makeSqldKey = async (): Promise<string> => {
  const pair = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
  return exportPKCS8(pair.privateKey)
}

/** Returns the public key of a private key, as PEM for sqld (`--auth-jwt-key-file`). @throws {Error} the key is malformed */
export const publicKeyOf = (privateKey: string): string =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()

export type SqldTokenOptions = Readonly<{
  /** By this machine's clock, because sqld uses its own clock to check. */
  now: Date
  /** Null for a token that does not expire. */
  until: Date | null
}>

/** Signs a token for reading and writing the whole database. @throws {Error} the key is malformed */
export const signSqldToken = async (
  privateKey: string,
  { now, until }: SqldTokenOptions,
): Promise<string> => {
  const token = new SignJWT({ a: 'rw' }).setProtectedHeader({ alg: ALGORITHM }).setIssuedAt(now)
  const bounded = until === null ? token : token.setExpirationTime(until)
  return bounded.sign(await importPKCS8(privateKey, ALGORITHM))
}
