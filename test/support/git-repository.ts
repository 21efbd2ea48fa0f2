/** Real git repositories in a temporary folder, for tests of deployments from git. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'

export type GitRepository = Readonly<{
  path: string
  /** Runs git in the repository. */
  git: (...args: readonly string[]) => string
  /** Writes files (null removes one) and commits them. @returns the commit */
  commit: (files: Readonly<Record<string, string | Uint8Array | null>>) => string
}>

export type RepositoryFolder = Readonly<{
  /** Use it as SVC_GIT_LOCAL_ROOTS. */
  root: string
  create: (name: string) => GitRepository
  remove: () => void
}>

const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost']

const createRepository = (path: string): GitRepository => {
  mkdirSync(path, { recursive: true })
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...IDENTITY, '-C', path, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    }).trim()
  git('init', '--quiet', '--initial-branch=main')
  return {
    path,
    git,
    commit: (files) => {
      for (const [name, content] of Object.entries(files)) {
        const place = join(path, name)
        if (content === null) rmSync(place)
        else {
          mkdirSync(dirname(place), { recursive: true })
          writeFileSync(place, content)
        }
      }
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--message', 'Change')
      return git('rev-parse', 'HEAD')
    },
  }
}

export const openRepositoryFolder = (): RepositoryFolder => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-repositories-')))
  return {
    root,
    create: (name) => createRepository(join(root, name)),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
