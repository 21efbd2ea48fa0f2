/** Every page, one line each. The order does not matter, because the address selects the page. */
import { rootRoute, workspaceRoute } from './app/root-route.ts'
import { accountRoute } from './pages/account/route.ts'
import { accountAloneRoute } from './pages/account/route-alone.ts'
import { apiKeysRoute } from './pages/api-keys/route.ts'
import { approvalsRoute } from './pages/approvals/route.ts'
import { actionRoute } from './pages/apps/action/route.ts'
import { appRoute } from './pages/apps/app/route.ts'
import { codeRoute } from './pages/apps/code/route.ts'
import { functionRoute } from './pages/apps/function/route.ts'
import { appsRoute } from './pages/apps/list/route.ts'
import { auditRoute } from './pages/audit/route.ts'
import { billingRoute } from './pages/billing/route.ts'
import { certificatesRoute } from './pages/certificates/route.ts'
import { customerRoute } from './pages/customers/customer/route.ts'
import { customersRoute } from './pages/customers/list/route.ts'
import { draftRoute } from './pages/drafts/draft/route.ts'
import { draftsRoute } from './pages/drafts/list/route.ts'
import { compareRunsRoute } from './pages/flows/compare/route.ts'
import { flowRoute } from './pages/flows/flow/route.ts'
import { flowsRoute } from './pages/flows/list/route.ts'
import { flowRunRoute } from './pages/flows/run/route.ts'
import { flowRunsRoute } from './pages/flows/runs/route.ts'
import { gitSourcesRoute } from './pages/git-sources/list/route.ts'
import { gitSourceRoute } from './pages/git-sources/source/route.ts'
import { homeRoute } from './pages/home/route.ts'
import { instanceRoute } from './pages/instance/route.ts'
import { jobRoute } from './pages/jobs/job/route.ts'
import { jobsRoute } from './pages/jobs/list/route.ts'
import { operationsRoute } from './pages/jobs/operations/route.ts'
import { membersRoute } from './pages/members/route.ts'
import { notificationsRoute } from './pages/notifications/route.ts'
import { overviewRoute } from './pages/overview/route.ts'
import { parserRoute } from './pages/parser/route.ts'
import { editScheduleRoute, newScheduleRoute } from './pages/schedules/form/route.ts'
import { schedulesRoute } from './pages/schedules/list/route.ts'
import { scheduleRoute } from './pages/schedules/schedule/route.ts'
import { settingsRoute } from './pages/settings/route.ts'
import { signInRoute } from './pages/sign-in/route.ts'
import { tokensRoute } from './pages/tokens/route.ts'
import { variablesRoute } from './pages/variables/route.ts'
import { webhooksRoute } from './pages/webhooks/list/route.ts'
import { webhookRoute } from './pages/webhooks/webhook/route.ts'
import { workersRoute } from './pages/workers/route.ts'

export const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  accountAloneRoute,
  workspaceRoute.addChildren([
    overviewRoute,
    jobsRoute,
    jobRoute,
    operationsRoute,
    // access
    tokensRoute,
    apiKeysRoute,
    customersRoute,
    customerRoute,
    membersRoute,
    auditRoute,
    // more
    webhooksRoute,
    webhookRoute,
    workersRoute,
    parserRoute,
    certificatesRoute,
    billingRoute,
    notificationsRoute,
    settingsRoute,
    accountRoute,
    instanceRoute,
    // build
    appsRoute,
    appRoute,
    actionRoute,
    codeRoute,
    functionRoute,
    gitSourcesRoute,
    gitSourceRoute,
    draftsRoute,
    draftRoute,
    variablesRoute,
    flowsRoute,
    flowRoute,
    flowRunsRoute,
    flowRunRoute,
    compareRunsRoute,
    approvalsRoute,
    schedulesRoute,
    newScheduleRoute,
    scheduleRoute,
    editScheduleRoute,
  ]),
])
