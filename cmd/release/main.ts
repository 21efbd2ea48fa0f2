/**
 * `make release VERSION=x.y.z SIGNING_KEY=<path>`: writes the changelog and the version, commits them, builds and signs
 * dist/release/x.y.z, and tags the commit. If it is started again after a failure, it continues from the commit.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { isOlder, isVersion } from '#core/release/version.ts'
import { ROOT } from '../root.ts'
import { releaseChangelog } from './changelog.ts'
import { signSums, writeSums } from './sign.ts'

const CHANGES = join(ROOT, 'changes.d')
const CHANGELOG = join(ROOT, 'CHANGELOG.md')
const PUBLIC_KEY = join(ROOT, 'release-key.pub')

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' }).trim()

const versioned = z.looseObject({ version: z.string() })
const currentVersion = (): string =>
  versioned.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).version

const subjectOf = (version: string): string => `Release ${version}`

const writeChangelog = (version: string): void => {
  const names = readdirSync(CHANGES).filter((name) => name !== 'README.md')
  const fragments = names.map((name) => ({ name, text: readFileSync(join(CHANGES, name), 'utf8') }))
  const date = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length)
  const text = releaseChangelog(readFileSync(CHANGELOG, 'utf8'), fragments, { version, date })
  writeFileSync(CHANGELOG, text)
  for (const name of names) rmSync(join(CHANGES, name))
}

/** npm keeps package.json and the lock file consistent. */
const writeVersion = (version: string): void => {
  for (const folder of [ROOT, join(ROOT, 'sdk')]) {
    execFileSync('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  execFileSync('node', [join(ROOT, 'cmd/build/generate.ts')], { stdio: 'inherit' })
}

const readPublicKey = (): string => {
  if (!existsSync(PUBLIC_KEY)) {
    throw new Error(
      'There is no release-key.pub. Make a key once: make release-key SIGNING_KEY=~/.ssh/svc-release',
    )
  }
  return readFileSync(PUBLIC_KEY, 'utf8').trim().split(' ').slice(0, 2).join(' ')
}

const readSigningKey = (path: string): string => {
  if (path !== '' && existsSync(path)) return path
  throw new Error(
    path === ''
      ? 'Which key signs the release? SIGNING_KEY=<path of the private key of release-key.pub>'
      : `SIGNING_KEY: there is no file ${path}.`,
  )
}

const commitRelease = (version: string): void => {
  if (currentVersion() === version && git('log', '-1', '--format=%s') === subjectOf(version)) return
  if (!isOlder(currentVersion(), version)) {
    throw new Error(`VERSION=${version} must be later than ${currentVersion()}.`)
  }
  writeChangelog(version)
  writeVersion(version)
  git('add', '--all')
  git('commit', '--quiet', `--message=${subjectOf(version)}`)
}

/** @throws {Error} the build failed, and has printed why */
const buildFiles = (version: string, publicKey: string): void => {
  const build = join(import.meta.dirname, 'build.ts')
  const { status } = spawnSync('node', [build, version, publicKey], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`Release ${version} was not built. Start it again.`)
}

const printFiles = (folder: string): void => {
  for (const file of readdirSync(folder).sort()) {
    const megabytes = (statSync(join(folder, file)).size / 1e6).toFixed(1)
    process.stdout.write(`${megabytes.padStart(8)} MB  ${file}\n`)
  }
}

const main = (): void => {
  const [version = '', keyPath = ''] = process.argv.slice(2)
  if (!isVersion(version)) {
    throw new Error(`VERSION is not a version: "${version}". For example: VERSION=0.2.0`)
  }
  const [publicKey, key] = [readPublicKey(), readSigningKey(keyPath)]
  if (git('status', '--porcelain') !== '') {
    throw new Error('The tree has changes that are not committed. Commit them first.')
  }
  commitRelease(version)
  const output = join(ROOT, 'dist', 'release', version)
  buildFiles(version, publicKey)
  writeSums(output)
  signSums(output, key, PUBLIC_KEY)
  if (git('tag', '--list', `v${version}`) === '') {
    git('tag', '--annotate', `v${version}`, `--message=svc ${version}`)
  }
  process.stdout.write(`dist/release/${version}, tagged v${version}:\n`)
  printFiles(output)
}

try {
  main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
