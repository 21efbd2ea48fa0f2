/** Hashes and signs the files of a release, with OpenSSH's signatures of files (ssh-keygen -Y). */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The identity in the list of signers; install.sh has the same. */
export const SIGNER = 'svc-release'
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
 * Signs SHA256SUMS as SHA256SUMS.sig. ssh-keygen asks for the passphrase of the key when it has one.
 * @param key path of the private key
 * @throws {Error} the key cannot be read, or is not the one of `publicKey`
 */
export const signSums = (folder: string, key: string, publicKey: string): void => {
  const sums = join(folder, SUMS)
  rmSync(`${sums}.sig`, { force: true })
  execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-f', key, '-n', 'file', sums], {
    stdio: ['inherit', 'ignore', 'inherit'],
  })
  verifySums(folder, publicKey)
}

/** @throws {Error} the signature is not one of the public key over this SHA256SUMS */
export const verifySums = (folder: string, publicKey: string): void => {
  const signers = join(folder, `${SUMS}.signers`)
  writeFileSync(signers, `${SIGNER} ${publicKey}\n`)
  try {
    execFileSync(
      'ssh-keygen',
      [
        '-Y',
        'verify',
        '-f',
        signers,
        '-I',
        SIGNER,
        '-n',
        'file',
        '-s',
        join(folder, `${SUMS}.sig`),
      ],
      { input: readFileSync(join(folder, SUMS)), stdio: ['pipe', 'ignore', 'ignore'] },
    )
  } catch (cause) {
    throw new Error(
      'The signature is not one of the key in release-key.pub. Give its private key: SIGNING_KEY=<path>',
      { cause },
    )
  } finally {
    rmSync(signers)
  }
}
