/** Runs an earlier release, from the history of this repository, from its source. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { installPackages } from '../../support/install-packages.ts'
import type { Release } from './next-release.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

const git = (...args: readonly string[]): Buffer =>
  execFileSync('git', args, { cwd: ROOT, maxBuffer: 1_073_741_824 })

/** The highest migration number. */
const schemaOf = (commit: string): number => {
  const names = git('ls-tree', '--name-only', commit, 'internal/store/migrations/').toString()
  return Math.max(...[...names.matchAll(/\/(\d{4})-/g)].map(([, number]) => Number(number)))
}

/** Checks out a commit. @throws {Error} there is no such commit */
export const checkOutRelease = (commit: string): Release => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-base-'))
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) })
  installPackages(folder)
  symlinkSync(join(ROOT, 'dist'), join(folder, 'dist'))
  return {
    program: [process.execPath, join(folder, 'cmd', 'svc', 'main.ts')],
    schema: schemaOf(commit),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
