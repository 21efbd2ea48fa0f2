import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { signSums, writeSums } from './sign.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-install-'))
const release = join(folder, 'release')
const key = join(folder, 'key')
const FILE = `svc-linux-${process.arch}`
afterAll(() => rmSync(folder, { recursive: true }))

const publicKey = (path: string): string =>
  readFileSync(`${path}.pub`, 'utf8').split(' ').slice(0, 2).join(' ')

const makeKey = (path: string): void => {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path])
}
makeKey(key)

/** Makes a release whose binary is a script, because only install.sh is tested here. `make test-release` tests a real one. */
beforeEach(() => {
  rmSync(release, { recursive: true, force: true })
  execFileSync('mkdir', ['-p', release])
  writeFileSync(join(release, FILE), '#!/bin/sh\necho 9.9.9\n')
  const script = readFileSync(join(import.meta.dirname, 'install.sh'), 'utf8')
  writeFileSync(
    join(release, 'install.sh'),
    script.replace('@VERSION@', '9.9.9').replace('@PUBLIC_KEY@', publicKey(key)),
  )
  writeSums(release)
  signSums(release, key, `${key}.pub`)
})

const install = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(
    'sh',
    [join(release, 'install.sh'), '--to', join(folder, 'bin'), ...args],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

test('install.sh copies the binary of this machine and names where it is', () => {
  expect(install()).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`Installed svc 9.9.9 as ${folder}/bin/svc`),
  })
  expect(execFileSync(join(folder, 'bin', 'svc'), { encoding: 'utf8' })).toBe('9.9.9\n')
})

test('install.sh refuses a binary that has changed', () => {
  writeFileSync(join(release, FILE), '#!/bin/sh\necho stolen\n')
  expect(install()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`${FILE} is damaged`),
  })
})

test('install.sh refuses hashes that have changed with the binary', () => {
  writeFileSync(join(release, FILE), '#!/bin/sh\necho stolen\n')
  writeSums(release)
  expect(install()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('the signature of SHA256SUMS is wrong'),
  })
})

test('install.sh refuses the signature of another key', () => {
  makeKey(join(folder, 'other'))
  signSums(release, join(folder, 'other'), join(folder, 'other.pub'))
  expect(install().status).toBe(1)
})

test.each([
  [['--from'], '--from needs a value'],
  [['--fast'], 'unknown option --fast'],
  [['--from', '/nonexistent'], 'has no SHA256SUMS'],
])('install.sh %s explains what is wrong', (args, message) => {
  expect(install(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(message) })
})

test('a release is not signed by a key other than the public one of releases', () => {
  makeKey(join(folder, 'stolen'))
  expect(() => signSums(release, join(folder, 'stolen'), `${key}.pub`)).toThrow('not a signature')
})
