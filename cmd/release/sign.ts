/** Hashes and signs the files of a release with OpenSSH file signatures (ssh-keygen -Y). */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSignature } from '../svc/program-file.ts'

const SUMS = 'SHA256SUMS'

/** Writes SHA256SUMS of all files in the folder, in the format of sha256sum. */
export const writeSums = (folder: string): void => {
  const files = readdirSync(folder)
    .filter((file) => !file.startsWith(SUMS))
    .sort()
  const lines = files.map((file) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')
    return `${hash}  ${file}\n`
  })
  writeFileSync(join(folder, SUMS), lines.join(''))
}

/**
 * Signs SHA256SUMS as SHA256SUMS.sig. ssh-keygen prompts for the passphrase of the key if it has one.
 * @param key path of the private key
 * @param publicKey path of the public key of releases
 * @throws {Error} the key cannot be read, or does not belong to `publicKey`
 */
export const signSums = (folder: string, key: string, publicKey: string): void => {
  const sums = join(folder, SUMS)
  rmSync(`${sums}.sig`, { force: true })
  execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-f', key, '-n', 'file', sums], {
    stdio: ['inherit', 'ignore', 'inherit'],
  })
  checkSignature(sums, `${sums}.sig`, publicKey)
}
