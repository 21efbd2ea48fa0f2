/** Installs the npm packages of another commit of this repository. */
import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './repository.ts'

const lockOf = (root: string): Buffer => readFileSync(join(root, 'package-lock.json'))

/** Links those of this checkout if both need the same. @param folder the checkout of the other commit */
export const installPackages = (folder: string): void => {
  if (lockOf(folder).equals(lockOf(ROOT))) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    return
  }
  // not `npm ci`: it refuses a lock file that lacks packages of other platforms which the registry does not have
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}
