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

test('the page escapes what troff would read as a request or a hyphen', () => {
  const page = manPage({
    version: '1.0.0',
    date: '2026-01-31',
    commands: [['create-token <ws>', '.svcrc \\ is read']],
  })
  expect(page).toContain('.B svc create\\-token <ws>\n\\&.svcrc \\e is read.')
})
