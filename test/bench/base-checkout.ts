/** Another commit of this repository, checked out and built, to be measured in alternation with this one. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { installPackages } from '../support/install-packages.ts'
import { ROOT } from '../support/repository.ts'

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()

const lastTag = (): string => {
  try {
    return git('describe', '--tags', '--abbrev=0')
  } catch (cause) {
    const remedy = 'Name a commit: make bench-guard BASE=<commit>'
    throw new Error(`There is no tag to compare with. ${remedy}`, { cause })
  }
}

export type BaseCheckout = Readonly<{ commit: string; folder: string; remove: () => void }>

/**
 * Checks out and builds a commit.
 * @param name of the commit; null for the last tag
 * @param folder to create
 * @throws {Error} there is no such commit, or it cannot be built
 */
export const checkOutBase = (name: string | null, folder: string): BaseCheckout => {
  const commit = git('rev-parse', '--verify', `${name ?? lastTag()}^{commit}`)
  git('worktree', 'add', '--detach', folder, commit)
  const remove = (): void => {
    git('worktree', 'remove', '--force', folder)
  }
  try {
    const run = (command: string, ...args: readonly string[]) =>
      execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    installPackages(folder)
    run(process.execPath, join(folder, 'cmd', 'build', 'main.ts'))
  } catch (error) {
    remove()
    throw error
  }
  return { commit: commit.slice(0, 10), folder, remove }
}
