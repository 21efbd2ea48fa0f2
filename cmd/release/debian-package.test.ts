import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packDebian } from './debian-package.ts'
import { manPage } from './man-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-debian-'))
afterAll(() => rmSync(folder, { recursive: true }))

const binary = join(folder, 'binary')
writeFileSync(binary, '#!/bin/sh\n')

const pack = (name: string): string => {
  const output = join(folder, name)
  mkdirSync(output)
  return join(
    output,
    packDebian(output, join(folder, `${name}-work`), {
      version: '0.2.0',
      arch: 'arm64',
      maintainer: 'Ada <ada@example.com>',
      binary,
      manPage: manPage({ version: '0.2.0', date: '2026-01-31', commands: [['start', 'Run']] }),
      changelog: '# Changelog\n',
      notices: {
        components: [{ name: 'zod', version: '4.0.0', license: 'MIT', texts: [0] }],
        texts: ['Copyright (c) 2025 Colin'],
      },
      completions: { bash: 'bash', zsh: 'zsh', fish: 'fish' },
      epoch: 1_700_000_000,
    }),
  )
}

const query = (...args: readonly string[]): string =>
  execFileSync('dpkg-deb', args, { encoding: 'utf8' })

test('the package names its platform and has its files, owned by root', () => {
  const deb = pack('first')
  expect(deb).toMatch(/svc_0\.2\.0_arm64\.deb$/)
  expect(query('--field', deb, 'Architecture', 'Version')).toBe(
    'Architecture: arm64\nVersion: 0.2.0\n',
  )
  const listed = query('--contents', deb)
  for (const file of [
    '-rwxr-xr-x root/root .* ./usr/bin/svc',
    '-rw-r--r-- root/root .* ./usr/lib/systemd/system/svc-worker@.service',
    '-rw-r--r-- root/root .* ./etc/svc/svc.env',
    '-rw-r--r-- root/root .* ./usr/share/man/man1/svc.1.gz',
    './usr/share/zsh/vendor-completions/_svc',
    './usr/share/doc/svc/copyright',
  ]) {
    expect(listed).toMatch(new RegExp(file))
  }
})

test('the same input gives the same bytes', () => {
  expect(readFileSync(pack('again'))).toEqual(readFileSync(pack('once-more')))
})

test('the scripts of the package are valid shell', () => {
  for (const script of ['postinst', 'prerm', 'postrm']) {
    execFileSync('sh', ['-n', join(import.meta.dirname, 'debian', script)])
  }
})

/** Commands of the scripts that would change this machine. They print how they are called. */
const CHANGES = ['systemctl', 'useradd', 'install', 'chown', 'chmod']

/** Runs scripts of the package one after another on an empty /etc. @returns the lines of their commands */
const runScripts = (...scripts: readonly string[]): readonly string[] => {
  const commands = mkdtempSync(join(folder, 'commands-'))
  for (const name of CHANGES) {
    writeFileSync(join(commands, name), `#!/bin/sh\necho ${name} "$@"\n`, { mode: 0o755 })
  }
  const empty = ['--tmpfs', '/etc', '--dir', '/etc/svc', '--tmpfs', '/run', '--dir']
  const ownPath = ['--setenv', 'PATH', `${commands}:/usr/bin:/bin`]
  const confined = [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    ...empty,
    '/run/systemd/system',
    ...ownPath,
  ]
  const text = scripts.map((script) => join(import.meta.dirname, 'debian', script)).join(' && sh ')
  const run = ['sh', '-c', `sh ${text}`]
  return execFileSync('bwrap', [...confined, ...run], { encoding: 'utf8' }).split('\n')
}

test('an upgrade works without the file of settings, and restarts only what runs', () => {
  const lines = runScripts('postinst configure 0.1.0')
  expect(lines.filter((line) => /svc\.env/.test(line))).toEqual([])
  expect(lines).toContain('systemctl try-restart svc.service svc-worker@*.service')
  expect(lines).not.toContain('systemctl start svc.service')
})

test('a package that was removed starts again when it is installed again', () => {
  const lines = runScripts('prerm remove', 'postrm remove', 'postinst configure 0.1.0')
  expect(lines.slice(lines.indexOf('systemctl disable --quiet svc.service'))).toEqual(
    expect.arrayContaining(['systemctl enable --quiet svc.service', 'systemctl start svc.service']),
  )
})

test('the page escapes what troff would read as a request or a hyphen', () => {
  const page = manPage({
    version: '1.0.0',
    date: '2026-01-31',
    commands: [['create-token <ws>', '.svcrc \\ is read']],
  })
  expect(page).toContain('.B svc create\\-token <ws>\n\\&.svcrc \\e is read.')
})
