import type { Config } from '#config/config.ts'
import { gitEnvironment } from '#config/git-environment.ts'
import { createGit, type Git } from '#git/git.ts'
import { removeStaleSessions } from '#git/stale-sessions.ts'

/** Also removes what a node that was killed has left in the temporary folder. */
export const openGit = (config: Config): Git => {
  removeStaleSessions(Date.now())
  return createGit({
    localRoots: config.gitLocalRoots,
    network: config.gitNetwork,
    environment: gitEnvironment(),
  })
}
