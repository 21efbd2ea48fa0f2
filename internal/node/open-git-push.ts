/** The repositories that clients push to, below the data directory of this server. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '#config/config.ts'
import { gitEnvironment } from '#config/git-environment.ts'
import { MIB } from '#core/byte-units.ts'
import { type PushFolder, writeHooks } from '#git/push-repository.ts'
import {
  createGitSurface,
  type GitSurface,
  type GitSurfaceDeps,
} from '#http/surfaces/git-surface.ts'
import { createGitServer, type GitServerDeps } from '#service/git-push/serve-git.ts'

export type ListensAt = Readonly<{ host: string; port: number }>

/** The folder of one server. Servers that share a data directory must not change each other's copies, and have different addresses. */
export const pushFolderOf = (
  config: Pick<Config, 'dataDir' | 'gitPushMaxMb'>,
  { host, port }: ListensAt,
): PushFolder => ({
  // git separates folders by colons, which addresses of IPv6 contain
  root: resolve(config.dataDir, 'git-push', `${host}-${port}`.replaceAll(':', '_')),
  maxBytes: config.gitPushMaxMb * MIB,
  path: gitEnvironment().PATH ?? '/usr/local/bin:/usr/bin:/bin',
})

/** Moves the copies of an older svc, which had one folder for all servers of a data directory, to the first server that starts. */
export const adoptCopies = ({ root }: Pick<PushFolder, 'root'>): void => {
  const older = resolve(root, '..', 'repositories')
  if (existsSync(root) || !existsSync(older)) return
  mkdirSync(root, { mode: 0o700 })
  renameSync(older, join(root, 'repositories'))
  rmSync(resolve(root, '..', 'hooks'), { recursive: true, force: true })
}

export const openGitPush = (
  config: Config,
  listensAt: ListensAt,
  deps: Omit<GitServerDeps & GitSurfaceDeps, 'folder' | 'gitServer'>,
): GitSurface => {
  const folder = pushFolderOf(config, listensAt)
  adoptCopies(folder)
  writeHooks(folder)
  return createGitSurface({ ...deps, gitServer: createGitServer({ ...deps, folder }) })
}
