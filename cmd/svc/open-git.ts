import type { Config } from '#config/config.ts'
import { gitEnvironment } from '#config/git-environment.ts'
import { createGit, type Git } from '#git/git.ts'
import { removeStaleSessions } from '#git/stale-sessions.ts'
import { confineGit } from './confine-git.ts'

/** Also removes what a node that was killed has left in the temporary folder. */
export const openGit = (config: Config): Git => {
  removeStaleSessions(Date.now())
  const environment = gitEnvironment()
  return createGit({
    localRoots: config.gitLocalRoots,
    network: config.gitNetwork,
    environment,
    confine: confineGit(environment),
  })
}
