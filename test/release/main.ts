/**
 * `make test-release`: makes two releases in a copy of this repository, compares the bytes of a second build, and uses them
 * as a new user would: install.sh, a .deb in a clean Debian, a job, an upgrade that changes the schema, removal.
 */
import assert from 'node:assert/strict'
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { FIRST, makeReleases, SECOND, sh } from './make-releases.ts'
import { tryArm64, tryPackageList } from './try-contents.ts'
import { tryPackage } from './try-package.ts'

const work = mkdtempSync(join(tmpdir(), 'svc-release-'))

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const tryInstallScript = (release: string): void => {
  const to = join(work, 'bin')
  const install = `sh '${release}/install.sh' --to '${to}' 2>&1`
  sh(work, install)
  assert.equal(sh(work, `'${to}/svc' --version`).trim(), SECOND.version)
  const binary = join(release, 'svc-linux-x64')
  copyFileSync(binary, join(work, 'kept'))
  appendFileSync(binary, 'x')
  assert.match(sh(work, `${install} || true`), /svc-linux-x64 is damaged/)
  copyFileSync(join(work, 'kept'), binary)
  const sums = join(release, 'SHA256SUMS')
  const good = readFileSync(sums, 'utf8')
  // a different digit than the one in the file
  writeFileSync(
    sums,
    good.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  )
  assert.match(sh(work, `${install} || true`), /the signature of SHA256SUMS is wrong/)
  writeFileSync(sums, good)
  say('✓ install.sh installs, and refuses a changed binary and changed hashes')
}

try {
  const { first, second, buildAgain } = makeReleases(work)
  say(`✓ releases ${FIRST.version} and ${SECOND.version} are made, signed and tagged`)
  tryInstallScript(second)
  tryPackageList(second, SECOND.version)
  tryArm64(second, SECOND.version)
  say('✓ the list of packages is of this release, and the program for arm64 runs')
  await tryPackage({ [FIRST.version]: first, [SECOND.version]: second }, join(work, 'debian'))
  say(`✓ a second build of the commit in another folder gives the same bytes: ${buildAgain()}`)
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 3 })
}
