/** Tokens by which nodes enter sqld: JSON Web Tokens signed by an Ed25519 key whose public half sqld is given. */
import { exportPKCS8, exportSPKI, generateKeyPair, importPKCS8, SignJWT } from 'jose'

const ALGORITHM = 'EdDSA'

export type SqldKeys = Readonly<{
  /** PEM; stays with who makes tokens. */
  privateKey: string
  /** PEM; goes to sqld (`--auth-jwt-key-file`). */
  publicKey: string
}>

export const makeSqldKeys = async (): Promise<SqldKeys> => {
  const pair = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
  return {
    privateKey: await exportPKCS8(pair.privateKey),
    publicKey: await exportSPKI(pair.publicKey),
  }
}

export type SqldTokenOptions = Readonly<{
  /** By this machine's clock, as sqld goes by its own. */
  now: Date
  /** Null: it never ends. */
  until: Date | null
}>

/** Opens all of the database, to read and to write. @throws {Error} it is no such key */
export const signSqldToken = async (
  privateKey: string,
  { now, until }: SqldTokenOptions,
): Promise<string> => {
  const token = new SignJWT({ a: 'rw' }).setProtectedHeader({ alg: ALGORITHM }).setIssuedAt(now)
  const bounded = until === null ? token : token.setExpirationTime(until)
  return bounded.sign(await importPKCS8(privateKey, ALGORITHM))
}
