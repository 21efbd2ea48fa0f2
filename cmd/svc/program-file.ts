/** Checks a program file before it replaces svc, and replaces svc with it. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { type AppError, unprocessable } from '#core/error.ts'
import { findHash, HEADER_BYTES, platformOf } from '#core/release/program-file.ts'
import { isVersion } from '#core/release/version.ts'

const PATIENCE_MS = 60_000
const EXECUTABLE = 0o755

const unusable = (message: string, cause?: unknown): AppError =>
  unprocessable(message, { code: 'upgrade_unusable', cause })

/** Returns the version that a program prints, or null if it is not svc. */
export const readVersion = (program: string): string | null => {
  try {
    const said = execFileSync(program, ['--version'], {
      encoding: 'utf8',
      timeout: PATIENCE_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    return isVersion(said) ? said : null
  } catch {
    // the program cannot run, or fails
    return null
  }
}

const readHeader = (path: string): Uint8Array => {
  const descriptor = openSync(path, 'r')
  const header = Buffer.alloc(HEADER_BYTES)
  const length = readSync(descriptor, header)
  closeSync(descriptor)
  return header.subarray(0, length)
}

const notProgram = (name: string, wanted: string): string =>
  name.endsWith('.deb')
    ? `${name} is a package. Install it: apt install ./${name}`
    : `${name} is not a program. Unpack the release first, and name the file ${wanted}.`

/** @param name of the file as the person gave it @throws {AppError} unprocessable */
export const checkPlatform = (path: string, name: string): string => {
  const platform = platformOf(readHeader(path))
  const own = `${process.platform}-${process.arch}`
  if (platform === own) return own
  throw unusable(
    platform === null
      ? notProgram(name, `svc-${own}`)
      : `${name} is for ${platform}, and this machine is ${own}.`,
  )
}

const hashOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex')

/** Whether two files contain the same program. */
export const isSameProgram = (file: string, other: string): boolean =>
  hashOf(file) === hashOf(other)

/** @param name in the list @throws {AppError} unprocessable: the list has another hash, or none */
export const checkHash = (path: string, name: string, sums: string): void => {
  const wanted = findHash(readFileSync(sums, 'utf8'), name)
  if (wanted === null) throw unusable(`${sums} has no hash of ${name}. Take both from one release.`)
  if (hashOf(path) !== wanted) {
    throw unusable(`${name} is damaged: its hash is not the one in ${sums}. Download it again.`)
  }
}

const SIGNER = 'svc-release'

/**
 * Checks an OpenSSH signature of the list of hashes.
 * @param key file with the public key of releases
 * @throws {AppError} unprocessable: the signature was not made with this key, or ssh-keygen is missing
 */
export const checkSignature = (sums: string, signature: string, key: string): void => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-upgrade-'))
  const signers = join(folder, 'signers')
  try {
    writeFileSync(signers, `${SIGNER} ${readFileSync(key, 'utf8').trim()}\n`)
    const words = ['-Y', 'verify', '-f', signers, '-I', SIGNER, '-n', 'file', '-s', signature]
    const input = readFileSync(sums)
    execFileSync('ssh-keygen', words, { input, stdio: ['pipe', 'ignore', 'ignore'] })
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw unusable(
      isMissing
        ? `The signature cannot be checked: ${error.message}. ssh-keygen is in the package openssh-client.`
        : `${signature} is not a signature of ${sums} by ${key}. Do not use these files.`,
      error,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const flush = (path: string): void => {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/**
 * Replaces `target` with a copy of `file`; the old file stays as `<target>.previous`. Running programs keep the old one.
 * @param check is called with the copy, so that the checked bytes are the ones that are used
 */
export const replaceProgram = <T>(
  file: string,
  target: string,
  check: (copy: string) => T,
): Readonly<{ checked: T; previous: string }> => {
  const copy = join(dirname(target), `.${basename(target)}.new`)
  const previous = `${target}.previous`
  try {
    copyFileSync(file, copy)
    chmodSync(copy, EXECUTABLE)
    const checked = check(copy)
    flush(copy)
    rmSync(previous, { force: true })
    linkSync(target, previous)
    renameSync(copy, target)
    flush(dirname(target))
    return { checked, previous }
  } finally {
    rmSync(copy, { force: true })
  }
}
