/** Packs svc for Debian and Ubuntu: the binary, systemd units, settings, manual page and completions. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Architecture } from '../build/platform-parts.ts'
import type { Notices } from '../svc/license-notices.ts'
import { debianCopyright } from './debian-copyright.ts'

const SOURCES = join(import.meta.dirname, 'debian')
const DEBIAN_NAMES: Readonly<Record<Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }
const SCRIPTS = ['postinst', 'prerm', 'postrm']
const FILE = 0o644
const PROGRAM = 0o755

export type DebianPackage = Readonly<{
  version: string
  arch: Architecture
  maintainer: string
  /** Path of the binary. */
  binary: string
  manPage: string
  changelog: string
  /** What the binary contains. */
  notices: Notices
  completions: Readonly<Record<'bash' | 'zsh' | 'fish', string>>
  /** Time of the files, in seconds since 1970. */
  epoch: number
}>

const debianFileName = ({ version, arch }: Pick<DebianPackage, 'version' | 'arch'>): string =>
  `svc_${version}_${DEBIAN_NAMES[arch]}.deb`

/** The fields of the package (Debian Policy, chapter 5). @param installedSize in KiB */
const controlOf = ({ version, arch, maintainer }: DebianPackage, installedSize: number): string =>
  `${[
    'Package: svc',
    `Version: ${version}`,
    `Architecture: ${DEBIAN_NAMES[arch]}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${installedSize}`,
    'Depends: libc6 (>= 2.28), libstdc++6, passwd, ca-certificates',
    'Recommends: bubblewrap, git (>= 1:2.30), openssh-client',
    'Section: admin',
    'Priority: optional',
    'Description: workflow execution service',
    ' svc runs TypeScript and JavaScript functions as durable jobs: apps from git,',
    ' flows with approvals, schedules, webhooks and functions, in one file with a',
    ' database inside.',
  ].join('\n')}\n`

/** The content of generated files, by path in the package. The binary and other sources are copied. */
const textFiles = ({ completions, manPage, changelog, notices }: DebianPackage) => ({
  'usr/share/bash-completion/completions/svc': completions.bash,
  'usr/share/zsh/vendor-completions/_svc': completions.zsh,
  'usr/share/fish/vendor_completions.d/svc.fish': completions.fish,
  'usr/share/man/man1/svc.1.gz': gzipSync(manPage, { level: 9 }),
  'usr/share/doc/svc/changelog.gz': gzipSync(changelog, { level: 9 }),
  'usr/share/doc/svc/copyright': debianCopyright(notices),
  'usr/lib/systemd/system/svc.service': readFileSync(join(SOURCES, 'svc.service'), 'utf8'),
  'usr/lib/systemd/system/svc-worker@.service': readFileSync(
    join(SOURCES, 'svc-worker@.service'),
    'utf8',
  ),
  'etc/svc/svc.env': readFileSync(join(SOURCES, 'svc.env'), 'utf8'),
  'DEBIAN/conffiles': '/etc/svc/svc.env\n',
})

const writeTree = (root: string, deb: DebianPackage): void => {
  for (const [path, content] of Object.entries(textFiles(deb))) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), content)
    chmodSync(join(root, path), FILE)
  }
  const binary = join(root, 'usr/bin/svc')
  mkdirSync(dirname(binary), { recursive: true })
  copyFileSync(deb.binary, binary)
  chmodSync(binary, PROGRAM)
  for (const script of SCRIPTS) {
    copyFileSync(join(SOURCES, script), join(root, 'DEBIAN', script))
    chmodSync(join(root, 'DEBIAN', script), PROGRAM)
  }
  const kibibytes = Math.ceil(statSync(binary).size / 1024)
  writeFileSync(join(root, 'DEBIAN/control'), controlOf(deb, kibibytes))
  for (const folder of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (folder.isDirectory()) chmodSync(join(folder.parentPath, folder.name), PROGRAM)
  }
  chmodSync(root, PROGRAM)
}

/**
 * Writes the package into `folder`. The same input gives the same bytes.
 * @returns the name of the file
 * @throws {Error} dpkg-deb is missing or refuses the package
 */
export const packDebian = (folder: string, work: string, deb: DebianPackage): string => {
  const root = join(work, 'deb')
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  writeTree(root, deb)
  const name = debianFileName(deb)
  execFileSync(
    'dpkg-deb',
    ['--root-owner-group', '-Zgzip', '-z6', '--build', root, join(folder, name)],
    {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', SOURCE_DATE_EPOCH: String(deb.epoch) },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  rmSync(root, { recursive: true })
  return name
}
