/** Tokens for sqld: JSON Web Tokens signed with an Ed25519 key, whose public key is configured in sqld. */
import { exportPKCS8, exportSPKI, generateKeyPair, importPKCS8, SignJWT } from 'jose'

const ALGORITHM = 'EdDSA'

export type SqldKeys = Readonly<{
  /** PEM; stays with the issuer of tokens. */
  privateKey: string
  /** PEM; for sqld (`--auth-jwt-key-file`). */
  publicKey: string
}>

/** Generates a key pair. */
export const makeSqldKeys = async (): Promise<SqldKeys> => {
  const pair = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
  return {
    privateKey: await exportPKCS8(pair.privateKey),
    publicKey: await exportSPKI(pair.publicKey),
  }
}

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
