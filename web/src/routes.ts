/** Every page, a line each. Order does not matter: addresses say which one it is. */
import { rootRoute, workspaceRoute } from './app/root-route.ts'
import { approvalsRoute } from './pages/approvals/route.ts'
import { flowRoute } from './pages/flow/route.ts'
import { flowRunRoute } from './pages/flow-run/route.ts'
import { flowRunsRoute } from './pages/flow-runs/route.ts'
import { flowsRoute } from './pages/flows/route.ts'
import { homeRoute } from './pages/home/route.ts'
import { jobRoute } from './pages/job/route.ts'
import { jobsRoute } from './pages/jobs/route.ts'
import { overviewRoute } from './pages/overview/route.ts'
import { scheduleRoute } from './pages/schedule/route.ts'
import { editScheduleRoute, newScheduleRoute } from './pages/schedule-form/route.ts'
import { schedulesRoute } from './pages/schedules/route.ts'
import { signInRoute } from './pages/sign-in/route.ts'

export const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  workspaceRoute.addChildren([
    overviewRoute,
    jobsRoute,
    jobRoute,
    flowsRoute,
    flowRoute,
    flowRunsRoute,
    flowRunRoute,
    approvalsRoute,
    schedulesRoute,
    newScheduleRoute,
    scheduleRoute,
    editScheduleRoute,
  ]),
])
