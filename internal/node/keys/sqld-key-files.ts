/** The key pair in the data directory that signs tokens for sqld. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '#core/time-units.ts'
import { makeSqldKey, publicKeyOf, signSqldToken } from '#crypto/sqld-token.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { takeOwner } from '#disk/take-owner.ts'

export type KeyFiles = Readonly<{ privateKey: string; publicKey: string }>

/** Creates the private key only once, so that later tokens work with the same sqld. Derives a missing public key from it. */
const openKeyFiles = async (dataDir: string): Promise<KeyFiles> => {
  const files = {
    privateKey: join(dataDir, 'sqld-jwt.key'),
    publicKey: join(dataDir, 'sqld-jwt.pem'),
  }
  if (!existsSync(files.privateKey)) {
    makeFolder(dataDir, 0o700)
    writeFileSync(files.privateKey, await makeSqldKey(), { mode: 0o600, flag: 'wx' })
    takeOwner(files.privateKey, dataDir)
  }
  if (!existsSync(files.publicKey)) {
    const publicKey = publicKeyOf(readFileSync(files.privateKey, 'utf8'))
    writeFileSync(files.publicKey, publicKey, { mode: 0o644 })
    takeOwner(files.publicKey, dataDir)
  }
  return files
}

/** Creates the keys if there are none. @param days how long the token is valid; undefined for ever */
export const makeSqldToken = async (
  dataDir: string,
  days: number | undefined,
): Promise<KeyFiles & Readonly<{ token: string }>> => {
  const files = await openKeyFiles(dataDir)
  const now = new Date()
  const until = days === undefined ? null : new Date(now.getTime() + days * DAY_MS)
  return {
    ...files,
    token: await signSqldToken(readFileSync(files.privateKey, 'utf8'), { now, until }),
  }
}
