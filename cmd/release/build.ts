/**
 * Builds the release of the commit that is checked out, into dist/release/<version>. `make release` starts this as a separate
 * process after its commit, because its own process has loaded the sources and the version from before the commit.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { ROOT } from '../root.ts'
import { makeReleaseFiles } from './release-files.ts'

const lastCommit = (format: string): string =>
  execFileSync('git', ['-C', ROOT, 'log', '-1', `--format=${format}`], { encoding: 'utf8' }).trim()

const [version = '', publicKey = ''] = process.argv.slice(2)

try {
  await makeReleaseFiles(
    {
      root: ROOT,
      version,
      epoch: Number(lastCommit('%ct')),
      maintainer: lastCommit('%an <%ae>'),
      publicKey,
    },
    join(ROOT, 'dist', 'release', version),
  )
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
