/**
 * `make test-release`: makes two releases in a copy of this repository, compares the bytes of a second build, and uses them as
 * a stranger would: install.sh, a .deb in a clean Debian, a job, an upgrade, removal.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { type CleanDebian, makeCleanDebian } from './clean-debian.ts'
import { readAssignments, readUnit } from './systemd-unit.ts'
import { tryArm64, tryAtTerminal, tryPackageList } from './try-contents.ts'
import { callApi, deployAndRun, untilHealthy } from './try-node.ts'

const source = resolve(import.meta.dirname, '../..')
const work = mkdtempSync(join(tmpdir(), 'svc-release-'))
const KEY = join(work, 'key')
const PORT = '3987'
const API = `http://127.0.0.1:${PORT}`
const FIRST = '0.1.1'
const SECOND = '0.1.2'

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const sh = (cwd: string, command: string): string =>
  execFileSync('bash', ['-euo', 'pipefail', '-c', command], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** A copy of the repository with the packages that are installed here. */
const copyRepository = (name: string, from: string): string => {
  const folder = join(work, name)
  sh(work, `git clone --quiet '${from}' '${folder}'`)
  sh(folder, `cp -a '${source}/node_modules' node_modules`)
  sh(folder, 'git config user.name Release && git config user.email release@example.com')
  return folder
}

const release = (folder: string, version: string): string => {
  sh(folder, `make release VERSION=${version} SIGNING_KEY='${KEY}'`)
  return join(folder, 'dist/release', version)
}

const makeReleases = (): readonly [first: string, second: string, folder: string] => {
  const folder = copyRepository('first', source)
  sh(folder, `ssh-keygen -q -t ed25519 -N '' -f '${KEY}' && make release-key SIGNING_KEY='${KEY}'`)
  sh(folder, 'git add --all && git commit --quiet --message="Add the release key"')
  const first = release(folder, FIRST)
  writeFileSync(join(folder, 'changes.d/next.fixed.md'), 'Repaired something.\n')
  sh(folder, 'git add --all && git commit --quiet --message="Repair something"')
  return [first, release(folder, SECOND), folder]
}

const tryReproducible = (folder: string, release: string): void => {
  const again = copyRepository('again', folder)
  sh(again, `git tag --delete v${SECOND} && make release VERSION=${SECOND} SIGNING_KEY='${KEY}'`)
  // how many bytes differ, and the first of them, leads to the part that differs
  const pair = [release, join(again, 'dist/release', SECOND)].map((at) => `'${at}/svc-linux-x64'`)
  say(
    sh(
      work,
      `{ cmp -l ${pair.join(' ')} || true; } | awk 'NR==1 {print "differs at", $1} END {print NR, "bytes differ"}'`,
    ),
  )
  assert.equal(
    readFileSync(join(again, 'dist/release', SECOND, 'SHA256SUMS'), 'utf8'),
    readFileSync(join(release, 'SHA256SUMS'), 'utf8'),
  )
  say('✓ a second build of the commit in another folder gives the same bytes')
}

const tryInstallScript = (release: string): void => {
  const to = join(work, 'bin')
  const install = `sh '${release}/install.sh' --to '${to}' 2>&1`
  sh(work, install)
  assert.equal(sh(work, `'${to}/svc' --version`).trim(), SECOND)
  const binary = join(release, 'svc-linux-x64')
  copyFileSync(binary, join(work, 'kept'))
  appendFileSync(binary, 'x')
  assert.match(sh(work, `${install} || true`), /svc-linux-x64 is damaged/)
  copyFileSync(join(work, 'kept'), binary)
  const sums = join(release, 'SHA256SUMS')
  const good = readFileSync(sums, 'utf8')
  writeFileSync(sums, good.replace(/^./, '0'))
  assert.match(sh(work, `${install} || true`), /the signature of SHA256SUMS is wrong/)
  writeFileSync(sums, good)
  say('✓ install.sh installs, and refuses a changed binary and changed hashes')
}

/** Starts svc.service as systemd does. */
const startService = async (debian: CleanDebian): Promise<ChildProcess> => {
  const unit = readUnit(debian.read('usr/lib/systemd/system/svc.service'))
  const settings = readAssignments(debian.read(unit.environmentFile).split('\n'))
  const node = debian.startAs(unit.user, { ...unit.env, ...settings }, unit.command)
  await untilHealthy(API, node)
  return node
}

/** As an administrator changes settings. */
const setPort = (debian: CleanDebian): void => {
  debian.run('sh', '-c', `echo SVC_PORT=${PORT} >>/etc/svc/svc.env`)
}

const stopService = async (node: ChildProcess): Promise<void> => {
  const ended = once(node, 'exit')
  node.kill('SIGTERM')
  assert.deepEqual((await ended)[0], 0)
}

const createToken = (debian: CleanDebian): string =>
  debian
    .run(
      'setpriv',
      '--reuid=svc',
      '--regid=svc',
      '--clear-groups',
      'env',
      'SVC_DATA_DIR=/var/lib/svc',
      'SVC_CACHE_DIR=/var/cache/svc',
      'SVC_LOG_LEVEL=error',
      'svc',
      'create-token',
      'default',
      'admin@localhost',
    )
    .trim()

const tryPackage = async (first: string, second: string): Promise<void> => {
  const debian = makeCleanDebian(join(work, 'debian'))
  try {
    const install = (folder: string, version: string): string => {
      debian.copyIn(join(folder, `svc_${version}_amd64.deb`), 'tmp/svc.deb')
      return debian.run('dpkg', '--install', '/tmp/svc.deb')
    }
    assert.match(install(first, FIRST), /http:\/\/127\.0\.0\.1:3000/)
    tryAtTerminal(debian)
    setPort(debian)
    const node = await startService(debian)
    const token = createToken(debian)
    await deployAndRun(API, token)
    await stopService(node)
    say('✓ the package installs in a clean Debian, its unit starts as user svc, a job runs')

    install(second, SECOND)
    assert.match(debian.read('etc/svc/svc.env'), new RegExp(`SVC_PORT=${PORT}`))
    const upgraded = await startService(debian)
    assert.match(await (await fetch(`${API}/healthz`)).text(), new RegExp(SECOND))
    assert.match(JSON.stringify(await callApi(API, token, '/jobs')), /"status":"success"/)
    await deployAndRun(API, token)
    await stopService(upgraded)
    say('✓ the upgrade keeps settings and data')

    debian.run('dpkg', '--remove', 'svc')
    assert.ok(!debian.has('usr/bin/svc') && debian.has('etc/svc/svc.env'))
    assert.match(debian.run('dpkg', '--purge', 'svc'), /stay in \/var\/lib\/svc/)
    assert.ok(!debian.has('etc/svc/svc.env') && !debian.has('var/cache/svc'))
    assert.ok(debian.has('var/lib/svc/svc.db') && debian.has('var/lib/svc/secret.key'))
    install(second, SECOND)
    setPort(debian)
    const back = await startService(debian)
    await stopService(back)
    say('✓ remove keeps settings, purge keeps the database and the key alone')
  } finally {
    debian.remove()
  }
}

try {
  const [first, second, folder] = makeReleases()
  say(`✓ releases ${FIRST} and ${SECOND} are made, signed and tagged`)
  tryInstallScript(second)
  tryPackageList(second, SECOND)
  tryArm64(second, SECOND)
  say('✓ the list of packages is of this release, and the program for arm64 runs')
  await tryPackage(first, second)
  tryReproducible(folder, second)
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 3 })
}
