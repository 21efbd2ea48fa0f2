import type { Config } from '#config/config.ts'
import { gitEnvironment } from '#config/git-environment.ts'
import { createGit, type Git } from '#git/git.ts'

export const openGit = (config: Config): Git =>
  createGit({
    localRoots: config.gitLocalRoots,
    network: config.gitNetwork,
    environment: gitEnvironment(),
  })
