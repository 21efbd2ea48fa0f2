/** Checks what a release contains besides the program for this machine: the list of packages, arm64, manual page, completions. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { COMPLETION_SCRIPTS } from '../../cmd/svc/completion-scripts.ts'
import type { CleanDebian } from './clean-debian.ts'

const ARM64_LIBRARIES = '/usr/aarch64-linux-gnu'
/** Offset of the machine type in the header of an ELF file. */
const ELF_MACHINE_AT = 18
const AARCH64 = 183

const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const sbom = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ component: z.looseObject({ version: z.string() }) }),
  components: z.array(
    z.looseObject({ name: z.string(), version: z.string(), hashes: z.array(z.unknown()) }),
  ),
})

/** @throws {AssertionError} the list belongs to another release, or lacks parts of the program */
export const tryPackageList = (release: string, version: string): void => {
  const text = readFileSync(join(release, 'sbom.cdx.json'), 'utf8')
  const { metadata, components } = sbom.parse(JSON.parse(text))
  assert.equal(metadata.component.version, version)
  const names = components.map(({ name }) => name)
  for (const name of ['yargs', 'zod', 'hono', 'libsql']) assert.ok(names.includes(name), name)
}

/** Tries the program and the package for arm64 as far as QEMU runs it: it prints its version and reads its settings. */
export const tryArm64 = (release: string, version: string): void => {
  const binary = join(release, 'svc-linux-arm64')
  assert.equal(readFileSync(binary).readUInt16LE(ELF_MACHINE_AT), AARCH64)
  const emulated = (...args: readonly string[]): string =>
    run('qemu-aarch64-static', '-L', ARM64_LIBRARIES, binary, ...args)
  assert.equal(emulated('--version').trim(), version)
  assert.match(emulated('config'), /SVC_PORT/)
  const deb = join(release, `svc_${version}_arm64.deb`)
  assert.equal(run('dpkg-deb', '--field', deb, 'Architecture').trim(), 'arm64')
}

const COMPLETE_WORD =
  'source /usr/share/bash-completion/completions/svc; COMP_WORDS=(svc webho); COMP_CWORD=1; _svc_complete; echo "$COMPREPLY"'

/** Checks what the package provides at a terminal of the system where it is installed. */
export const tryAtTerminal = (debian: CleanDebian): void => {
  const page = debian.run('sh', '-c', 'gunzip -c /usr/share/man/man1/svc.1.gz')
  assert.match(page, /^\.TH SVC 1 /)
  assert.match(page, /^\.B svc start$/m)
  assert.match(debian.read('usr/share/doc/svc/copyright'), /^ node_modules\/zod\/\*$/m)
  assert.equal(debian.read('usr/share/zsh/vendor-completions/_svc'), COMPLETION_SCRIPTS.zsh)
  assert.equal(debian.read('usr/share/fish/vendor_completions.d/svc.fish'), COMPLETION_SCRIPTS.fish)
  assert.equal(debian.run('bash', '-c', COMPLETE_WORD).trim(), 'webhooks')
}
