/** All routes of this binary: the contents page of its API. */

import type { OwnHosts } from '#core/function/own-hosts.ts'
import type { Git } from '#git/git.ts'
import { apiKeyRoutes } from '#http/handlers/api-keys.ts'
import { appHostRoutes } from '#http/handlers/app-hosts.ts'
import { approvalPageRoutes } from '#http/handlers/approval-pages.ts'
import { approvalRoutes } from '#http/handlers/approvals.ts'
import { appRoutes } from '#http/handlers/apps.ts'
import { billingRoutes } from '#http/handlers/billing.ts'
import { type ClientConfig, clientConfigRoutes } from '#http/handlers/client-config.ts'
import { consumerRoutes } from '#http/handlers/consumers.ts'
import { deploymentRoutes } from '#http/handlers/deployments.ts'
import { deviceRoutes } from '#http/handlers/device.ts'
import { docsRoutes } from '#http/handlers/docs.ts'
import { documentParserRoutes } from '#http/handlers/document-parser.ts'
import { draftRoutes } from '#http/handlers/drafts.ts'
import { eventRoutes } from '#http/handlers/events.ts'
import { flowLinkRoutes } from '#http/handlers/flow-links.ts'
import { flowRunRoutes } from '#http/handlers/flow-runs.ts'
import { flowRoutes } from '#http/handlers/flows.ts'
import { functionRoutes } from '#http/handlers/functions.ts'
import { gitSourceRoutes } from '#http/handlers/git-sources.ts'
import { type HealthDeps, healthRoutes } from '#http/handlers/health.ts'
import { hookRoutes } from '#http/handlers/hooks.ts'
import { identityRoutes } from '#http/handlers/identity.ts'
import { inviteRoutes } from '#http/handlers/invites.ts'
import { jobListRoutes } from '#http/handlers/job-lists.ts'
import { jobRoutes } from '#http/handlers/jobs.ts'
import { mcpRoutes } from '#http/handlers/mcp.ts'
import { memberRoutes } from '#http/handlers/members.ts'
import { nameRoutes } from '#http/handlers/names.ts'
import { notificationRoutes } from '#http/handlers/notifications.ts'
import { oidcRoutes, type SignInWays } from '#http/handlers/oidc.ts'
import { operationRoutes } from '#http/handlers/operations.ts'
import { publicFlowRoutes } from '#http/handlers/public-flows.ts'
import { publicJobRoutes } from '#http/handlers/public-jobs.ts'
import { recordRoutes } from '#http/handlers/records.ts'
import { relayRoutes } from '#http/handlers/relay.ts'
import { runJobRoutes } from '#http/handlers/run-jobs.ts'
import { scheduleRoutes } from '#http/handlers/schedules.ts'
import { secretRoutes } from '#http/handlers/secrets.ts'
import { sessionRoutes } from '#http/handlers/sessions.ts'
import { stateRoutes } from '#http/handlers/state.ts'
import { tokenRoutes } from '#http/handlers/tokens.ts'
import { twoFactorRoutes } from '#http/handlers/two-factor.ts'
import { userRoutes } from '#http/handlers/users.ts'
import { viewTokenRoutes } from '#http/handlers/view-tokens.ts'
import { webhookRoutes } from '#http/handlers/webhooks.ts'
import { workerRoutes } from '#http/handlers/workers.ts'
import { workflowRoutes } from '#http/handlers/workflows.ts'
import { workspaceRoutes } from '#http/handlers/workspaces.ts'
import type { Route } from '#http/route.ts'
import type { Logger } from '#log/logger.ts'
import type { FetchDocument } from '#outbound/fetch-document.ts'
import type { LookUpTxt } from '#outbound/look-up-txt.ts'
import type { PdfReader } from '#pdf/reader-pool.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import type { LiveWorkers } from '#service/live-workers.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import type { DeliveryLog } from '#service/webhooks/delivery-log.ts'

export type RouteDeps = AllDeps &
  Readonly<{
    health: Omit<HealthDeps, 'db'>
    git: Git
    client: ClientConfig
    liveWorkers: LiveWorkers
    pdf: PdfReader
    fetchDocument: FetchDocument
    ownHosts: OwnHosts
    lookUpTxt: LookUpTxt
    deliveries: DeliveryLog
    log: Pick<Logger, 'error'>
    signIn: SignInWays
    toolWaitMs?: number
  }>

/** Returns the routes of the server with their handlers. */
export const allRoutes = (deps: RouteDeps): readonly Route[] => {
  const routes = apiRoutes(deps)
  const byId = new Map(routes.map((route) => [route.operationId, route]))
  return [...routes, ...mcpRoutes({ ...deps, version: deps.client.version, routes: byId })]
}

const apiRoutes = (deps: RouteDeps): readonly Route[] => {
  const enqueue = enqueueDepsOf(deps)
  return [
    ...healthRoutes({ ...deps.health, db: deps.db }),
    ...clientConfigRoutes(deps.client),
    ...runJobRoutes(enqueue),
    ...operationRoutes({ ...deps, ...enqueue }),
    ...hookRoutes({ ...deps, ...enqueue }),
    ...webhookRoutes({ ...deps, ...enqueue }),
    ...jobListRoutes(deps),
    ...jobRoutes(deps),
    ...viewTokenRoutes(deps),
    ...publicJobRoutes(deps),
    ...flowRoutes(deps),
    ...flowRunRoutes(deps),
    ...approvalRoutes(deps),
    ...eventRoutes({ ...deps, ...enqueue }),
    ...flowLinkRoutes(deps),
    ...publicFlowRoutes(deps),
    ...approvalPageRoutes(deps),
    ...workerRoutes(deps),
    ...appRoutes(deps),
    ...nameRoutes(deps),
    ...appHostRoutes(deps),
    ...functionRoutes(deps),
    ...deploymentRoutes(deps),
    ...draftRoutes(deps),
    ...gitSourceRoutes(deps),
    ...scheduleRoutes(deps),
    ...secretRoutes(deps),
    ...stateRoutes(deps),
    ...tokenRoutes(deps),
    ...apiKeyRoutes(deps),
    ...relayRoutes(deps),
    ...consumerRoutes(deps),
    ...recordRoutes(deps),
    ...billingRoutes(deps),
    ...workflowRoutes(deps),
    ...documentParserRoutes(deps),
    ...workspaceRoutes(deps),
    ...notificationRoutes(deps),
    ...memberRoutes(deps),
    ...inviteRoutes(deps),
    ...sessionRoutes(deps),
    ...oidcRoutes(deps),
    ...deviceRoutes(deps),
    ...twoFactorRoutes(deps),
    ...userRoutes(deps),
    ...identityRoutes(deps),
    ...docsRoutes(deps.health),
  ]
}
