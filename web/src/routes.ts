/** Every page, a line each. Order does not matter: addresses say which one it is. */
import { rootRoute, workspaceRoute } from './app/root-route.ts'
import { actionRoute } from './pages/apps/action/route.ts'
import { appRoute } from './pages/apps/app/route.ts'
import { functionRoute } from './pages/apps/function/route.ts'
import { appsRoute } from './pages/apps/list/route.ts'
import { draftRoute } from './pages/drafts/draft/route.ts'
import { draftsRoute } from './pages/drafts/list/route.ts'
import { gitSourcesRoute } from './pages/git-sources/list/route.ts'
import { gitSourceRoute } from './pages/git-sources/source/route.ts'
import { homeRoute } from './pages/home/route.ts'
import { jobRoute } from './pages/job/route.ts'
import { jobsRoute } from './pages/jobs/route.ts'
import { overviewRoute } from './pages/overview/route.ts'
import { signInRoute } from './pages/sign-in/route.ts'
import { variablesRoute } from './pages/variables/route.ts'

export const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  workspaceRoute.addChildren([
    overviewRoute,
    jobsRoute,
    jobRoute,
    // build
    appsRoute,
    appRoute,
    actionRoute,
    functionRoute,
    gitSourcesRoute,
    gitSourceRoute,
    draftsRoute,
    draftRoute,
    variablesRoute,
  ]),
])
