/** Makes two releases in a copy of this repository, the second with a changed schema, and builds one of them again. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SCHEMA_VERSION } from '#store/migrate.ts'
import { STATEMENTS } from '../e2e/rolling/next-release.ts'

const source = resolve(import.meta.dirname, '../..')

export const FIRST = { version: '0.1.1', schema: SCHEMA_VERSION }
export const SECOND = { version: '0.1.2', schema: SCHEMA_VERSION + 1 }

/** Runs a Bash command. @returns its output @throws {Error} it failed */
export const sh = (cwd: string, command: string): string =>
  execFileSync('bash', ['-euo', 'pipefail', '-c', command], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })

export type Releases = Readonly<{
  /** Folder with the files of the first release. */
  first: string
  second: string
  /** Builds the second release in another folder. @throws {AssertionError} a file differs */
  buildAgain: () => string
}>

/** Makes a copy of the repository with the packages that are installed here. */
const copyRepository = (folder: string, from: string): void => {
  sh('/', `git clone --quiet '${from}' '${folder}'`)
  sh(folder, `cp -a '${source}/node_modules' node_modules`)
  sh(folder, 'git config user.name Release && git config user.email release@example.com')
}

const release = (folder: string, version: string, key: string): string => {
  sh(folder, `make release VERSION=${version} SIGNING_KEY='${key}'`)
  return join(folder, 'dist/release', version)
}

const addMigration = (folder: string): void => {
  const name = `${String(SECOND.schema).padStart(4, '0')}-later.sql`
  const script = `-- expansion\n${STATEMENTS.map((each) => `${each};\n`).join('')}`
  writeFileSync(join(folder, 'internal/store/migrations', name), script)
}

/** Counts the differing bytes and finds the first one, which leads to the part that differs. */
const showDifference = (one: string, other: string): string =>
  sh(
    '/',
    `{ cmp -l '${one}' '${other}' || true; } | awk 'NR==1 {print "differs at", $1} END {print NR, "bytes differ"}'`,
  ).trim()

const compare = (release: string, again: string): string => {
  const names = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
  const other = readFileSync(join(again, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
  for (const [at, line] of names.entries()) {
    if (line === other[at]) continue
    const [, name = ''] = line.split('  ')
    assert.fail(`${name}: ${showDifference(join(release, name), join(again, name))}`)
  }
  assert.equal(other.length, names.length)
  return `${names.length} files`
}

/** @param work folder of the test for the key and the copies */
export const makeReleases = (work: string): Releases => {
  const key = join(work, 'key')
  const folder = join(work, 'first')
  copyRepository(folder, source)
  sh(folder, `ssh-keygen -q -t ed25519 -N '' -f '${key}' && make release-key SIGNING_KEY='${key}'`)
  sh(folder, 'git add --all && git commit --quiet --message="Add the release key"')
  const first = release(folder, FIRST.version, key)
  writeFileSync(join(folder, 'changes.d/next.added.md'), 'Added something for later.\n')
  addMigration(folder)
  sh(folder, 'git add --all && git commit --quiet --message="Add something for later"')
  const second = release(folder, SECOND.version, key)
  return {
    first,
    second,
    buildAgain: () => {
      const again = join(work, 'again')
      copyRepository(again, folder)
      sh(again, `git tag --delete v${SECOND.version}`)
      return compare(second, release(again, SECOND.version, key))
    },
  }
}
