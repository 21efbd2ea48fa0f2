/** Opens git for this node, confined if the machine allows it. */
import type { Config } from '#config/config.ts'
import { gitEnvironment } from '#config/git-environment.ts'
import type { Confine } from '#confine/confine.ts'
import { createConfineGit } from '#confine/confine-git.ts'
import { createGit, type Git } from '#git/git.ts'
import { removeLeftSessions } from '#git/session-folder.ts'
import { resolveHost } from './resolve-host.ts'

/** Also removes the sessions that a killed node left in the temporary folder. */
export const openGit = (config: Config, confine: Confine): Git => {
  removeLeftSessions()
  const environment = gitEnvironment()
  return createGit({
    localRoots: config.gitLocalRoots,
    network: config.gitNetwork,
    environment,
    resolve: resolveHost,
    confine: createConfineGit(confine, environment),
  })
}
