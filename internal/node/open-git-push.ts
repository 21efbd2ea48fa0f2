/** The repositories that clients push to, below the data directory of this server. */
import { resolve } from 'node:path'
import type { Config } from '#config/config.ts'
import { gitEnvironment } from '#config/git-environment.ts'
import { writeHooks } from '#git/push-repository.ts'
import {
  createGitSurface,
  type GitSurface,
  type GitSurfaceDeps,
} from '#http/surfaces/git-surface.ts'
import { createGitServer, type GitServerDeps } from '#service/git-push/serve-git.ts'

const MIB = 1_048_576

export const openGitPush = (
  config: Config,
  deps: Omit<GitServerDeps & GitSurfaceDeps, 'folder' | 'gitServer'>,
): GitSurface => {
  const folder = {
    root: resolve(config.dataDir, 'git-push'),
    maxBytes: config.gitPushMaxMb * MIB,
    path: gitEnvironment().PATH ?? '/usr/local/bin:/usr/bin:/bin',
  }
  writeHooks(folder)
  return createGitSurface({ ...deps, gitServer: createGitServer({ ...deps, folder }) })
}
