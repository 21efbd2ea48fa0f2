/**
 * `make release-key SIGNING_KEY=<path>`: makes the key that signs releases, outside the repository, and writes
 * its public key to release-key.pub and to the README.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { ROOT } from '../root.ts'
import { writeKeyToReadme } from './readme-key.ts'

const main = (): void => {
  const [path = ''] = process.argv.slice(2)
  if (path === '' || resolve(path).startsWith(`${ROOT}/`)) {
    throw new Error(
      'Where does the private key go? A place outside the repository: make release-key SIGNING_KEY=~/.ssh/svc-release',
    )
  }
  if (!existsSync(path)) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-C', 'svc-release', '-f', path], {
      stdio: 'inherit',
    })
  }
  const key = readFileSync(`${path}.pub`, 'utf8').trim()
  writeFileSync(join(ROOT, 'release-key.pub'), `${key}\n`)
  const readme = join(ROOT, 'README.md')
  writeFileSync(readme, writeKeyToReadme(readFileSync(readme, 'utf8'), key))
  process.stdout.write(`Commit release-key.pub and README.md. Keep ${path} secret, with a copy.\n`)
}

try {
  main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
