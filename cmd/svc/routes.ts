/** All routes of this binary: the contents page of its API. */

import type { Git } from '#git/git.ts'
import type { Route } from '#http/route.ts'
import { appRoutes } from '#http/routes/apps.ts'
import { deploymentRoutes } from '#http/routes/deployments.ts'
import { docsRoutes } from '#http/routes/docs.ts'
import { gitSourceRoutes } from '#http/routes/git-sources.ts'
import { type HealthDeps, healthRoutes } from '#http/routes/health.ts'
import { identityRoutes } from '#http/routes/identity.ts'
import { jobRoutes } from '#http/routes/jobs.ts'
import { runJobRoutes } from '#http/routes/run-jobs.ts'
import { secretRoutes } from '#http/routes/secrets.ts'
import { tokenRoutes } from '#http/routes/tokens.ts'
import { createActionCache } from '#service/action-cache.ts'
import type { Deps } from '#service/deps.ts'

export type RouteDeps = Deps & Readonly<{ health: Omit<HealthDeps, 'db'>; git: Git }>

export const allRoutes = (deps: RouteDeps): readonly Route[] => {
  const actions = createActionCache()
  const { version } = deps.health
  const routes: readonly Route[] = [
    ...healthRoutes({ ...deps.health, db: deps.db }),
    ...runJobRoutes({ ...deps, actions }),
    ...jobRoutes(deps),
    ...appRoutes(deps),
    ...deploymentRoutes(deps),
    ...gitSourceRoutes(deps),
    ...secretRoutes(deps),
    ...tokenRoutes(deps),
    ...identityRoutes(deps),
    ...docsRoutes(() => routes, version),
  ]
  return routes
}
