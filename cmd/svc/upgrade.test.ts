/** Tests `svc upgrade` with small programs that print the same output as svc. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CommandServer, openCommandServer } from '../../test/support/command-server.ts'
import { CHILD_ENV, FROM_SOURCE } from '../../test/support/svc-process.ts'

const NAME = 'svc-linux'
const SOURCE = '#include <stdio.h>\nint main(void) { puts(VERSION); return 0; }\n'

/** The programs by the version that they print. */
const programs = new Map<string, Buffer>()
let folder = ''
let bin = ''
let target = ''
let file = ''
let commands: CommandServer

const compile = (version: string): Buffer => {
  const path = join(folder, 'program')
  const words = ['-x', 'c', '-O1', `-DVERSION="${version}"`, '-o', path, '-']
  execFileSync('gcc', words, { input: SOURCE })
  return readFileSync(path)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-programs-'))
  for (const version of ['1.2.0', '1.3.0', 'other 1.3.0']) programs.set(version, compile(version))
  rmSync(folder, { recursive: true })
  commands = openCommandServer()
})
afterAll(() => commands.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-upgrade-'))
  bin = mkdtempSync(join(folder, 'bin-'))
  target = join(bin, 'svc')
  file = join(folder, NAME)
  put(target, '1.2.0')
  put(file, '1.3.0')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (path: string, version: string): void =>
  writeFileSync(path, programs.get(version) ?? '', { mode: 0o755 })
const upgrade = (...args: readonly string[]) =>
  commands.run({
    args: ['upgrade', ...args],
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder },
  })
const versionOf = (path: string): string =>
  execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()
const writeSums = (): void => {
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
  writeFileSync(join(folder, 'SHA256SUMS'), `${hash}  ${NAME}\n`)
}
const sshKeygen = (...words: readonly string[]) =>
  execFileSync('ssh-keygen', words, { cwd: folder, stdio: 'ignore' })

type Answer = Readonly<{ stdout: string; stderr: string; status: number | null }>

const expectRefused = (answer: Answer, sentence: string, status = 1): void => {
  expect(answer.stderr).toContain(sentence)
  expect([answer.stdout, answer.status]).toEqual(['', status])
  expect(versionOf(target)).toBe('1.2.0')
  expect(readdirSync(bin)).toEqual(['svc'])
}

test('a program takes the place of svc, behind a link too, and the old one is kept', () => {
  const link = join(folder, 'link')
  symlinkSync(target, link)
  const { stdout, stderr, status } = upgrade(file, '--to', link)
  expect([stderr, status]).toEqual(['', 0])
  expect(stdout).toContain(`${NAME} is svc 1.3.0 for linux-`)
  expect(stdout).toContain('its hash was not checked')
  expect(stdout).toContain(`svc 1.2.0, is kept as ${target}.previous.`)
  expect(stdout).toContain('systemctl restart svc')
  expect(versionOf(link)).toBe('1.3.0')
  expect(versionOf(`${target}.previous`)).toBe('1.2.0')
  expect(readdirSync(bin)).toEqual(['svc', 'svc.previous'])

  // the previous program is still the one to go back to
  expect(upgrade(file, '--to', link).stdout).toContain('is this program already')
  expect(versionOf(`${target}.previous`)).toBe('1.2.0')

  put(file, '1.2.0')
  const back = upgrade(file, '--to', target)
  expect(back.stdout).toContain('svc 1.2.0 is older: it may refuse a database')
  expect(versionOf(`${target}.previous`)).toBe('1.3.0')
})

test('the hash next to the file is checked, and the signature if a key is given', () => {
  writeSums()
  sshKeygen('-q', '-t', 'ed25519', '-N', '', '-f', 'key')
  sshKeygen('-q', '-t', 'ed25519', '-N', '', '-f', 'other')
  expectRefused(upgrade(file, '--to', target, '--key', 'key.pub'), 'put SHA256SUMS and', 2)
  sshKeygen('-Y', 'sign', '-q', '-f', 'other', '-n', 'file', 'SHA256SUMS')
  expectRefused(upgrade(file, '--to', target, '--key', 'key.pub'), 'Do not use these files.')
  rmSync(join(folder, 'SHA256SUMS.sig'))
  sshKeygen('-Y', 'sign', '-q', '-f', 'key', '-n', 'file', 'SHA256SUMS')

  const bytes = readFileSync(file)
  writeFileSync(file, Buffer.concat([bytes, Buffer.from('x')]))
  expectRefused(upgrade(file, '--to', target, '--key', 'key.pub'), 'is damaged: its hash')
  writeFileSync(file, bytes)
  const { stdout } = upgrade(file, '--to', target, '--key', 'key.pub')
  expect(stdout).toMatch(/its hash is in \S+SHA256SUMS, which is signed by key\.pub\./)
  expect(versionOf(target)).toBe('1.3.0')
})

test('a program that a Debian package has installed is refused', () => {
  const list = join(folder, 'svc.list')
  writeFileSync(list, `/.\n${bin}\n${target}\n`)
  const [program = '', ...args] = FROM_SOURCE
  const asPackaged = ['--dev-bind', '/', '/', '--tmpfs', '/var/lib/dpkg/info']
  const where = ['--ro-bind', list, '/var/lib/dpkg/info/svc.list', program, ...args]
  const { stdout, stderr, status } = spawnSync(
    'bwrap',
    [...asPackaged, ...where, 'upgrade', file, '--to', target],
    { cwd: folder, encoding: 'utf8', env: CHILD_ENV },
  )
  expectRefused({ stdout, stderr, status }, `${target} belongs to the Debian package svc.`, 2)
})

test('what is not an svc for this machine is refused, and changes nothing', () => {
  put(file, 'other 1.3.0')
  expectRefused(upgrade(file, '--to', target), `${NAME} is not an svc`)
  writeFileSync(file, '#!/bin/sh\necho 1.3.0\n', { mode: 0o755 })
  expectRefused(upgrade(file, '--to', target), `${NAME} is not a program`)
  const foreign = Buffer.from(programs.get('1.3.0') ?? '')
  foreign[18] = foreign[18] === 62 ? 183 : 62
  writeFileSync(file, foreign, { mode: 0o755 })
  expectRefused(upgrade(file, '--to', target), `${NAME} is for linux-`)
  put(file, '1.3.0')
  const deb = join(folder, 'svc_1.3.0_amd64.deb')
  writeFileSync(deb, '!<arch>\n')
  expectRefused(upgrade(deb, '--to', target), 'Install it: apt install ./svc_1.3.0_amd64.deb')
  expectRefused(upgrade(join(folder, 'none'), '--to', target), 'There is no file ')
  expectRefused(upgrade(file, '--to', join(folder, 'none')), `none to replace. Check --to.`)
  expectRefused(upgrade(file), 'Name the one to replace: --to <file>', 2)
  writeFileSync(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  another\n`)
  expectRefused(upgrade(file, '--to', target), `has no hash of ${NAME}`)
})
