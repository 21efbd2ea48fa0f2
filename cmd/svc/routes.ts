/** All routes of this binary: the contents page of its API. */

import type { OwnHosts } from '#core/function/own-hosts.ts'
import type { Git } from '#git/git.ts'
import type { Route } from '#http/route.ts'
import { apiKeyRoutes } from '#http/routes/api-keys.ts'
import { appHostRoutes } from '#http/routes/app-hosts.ts'
import { approvalPageRoutes } from '#http/routes/approval-pages.ts'
import { approvalRoutes } from '#http/routes/approvals.ts'
import { appRoutes } from '#http/routes/apps.ts'
import { billingRoutes } from '#http/routes/billing.ts'
import { type ClientConfig, clientConfigRoutes } from '#http/routes/client-config.ts'
import { consumerRoutes } from '#http/routes/consumers.ts'
import { deploymentRoutes } from '#http/routes/deployments.ts'
import { deviceRoutes } from '#http/routes/device.ts'
import { docsRoutes } from '#http/routes/docs.ts'
import { documentParserRoutes } from '#http/routes/document-parser.ts'
import { draftRoutes } from '#http/routes/drafts.ts'
import { flowLinkRoutes } from '#http/routes/flow-links.ts'
import { flowRunRoutes } from '#http/routes/flow-runs.ts'
import { flowRoutes } from '#http/routes/flows.ts'
import { functionRoutes } from '#http/routes/functions.ts'
import { gitSourceRoutes } from '#http/routes/git-sources.ts'
import { type HealthDeps, healthRoutes } from '#http/routes/health.ts'
import { identityRoutes } from '#http/routes/identity.ts'
import { inviteRoutes } from '#http/routes/invites.ts'
import { jobListRoutes } from '#http/routes/job-lists.ts'
import { jobRoutes } from '#http/routes/jobs.ts'
import { memberRoutes } from '#http/routes/members.ts'
import { publicFlowRoutes } from '#http/routes/public-flows.ts'
import { publicJobRoutes } from '#http/routes/public-jobs.ts'
import { recordRoutes } from '#http/routes/records.ts'
import { relayRoutes } from '#http/routes/relay.ts'
import { runJobRoutes } from '#http/routes/run-jobs.ts'
import { scheduleRoutes } from '#http/routes/schedules.ts'
import { secretRoutes } from '#http/routes/secrets.ts'
import { sessionRoutes } from '#http/routes/sessions.ts'
import { stateRoutes } from '#http/routes/state.ts'
import { tokenRoutes } from '#http/routes/tokens.ts'
import { userRoutes } from '#http/routes/users.ts'
import { viewTokenRoutes } from '#http/routes/view-tokens.ts'
import { webhookRoutes } from '#http/routes/webhooks.ts'
import { workerRoutes } from '#http/routes/workers.ts'
import { workflowRoutes } from '#http/routes/workflows.ts'
import { workspaceRoutes } from '#http/routes/workspaces.ts'
import type { FetchDocument } from '#outbound/fetch-document.ts'
import type { LookUpTxt } from '#outbound/look-up-txt.ts'
import type { PdfReader } from '#pdf/reader-pool.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import type { LiveWorkers } from '#service/live-workers.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'

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
  }>

export const allRoutes = (deps: RouteDeps): readonly Route[] => {
  const enqueue = enqueueDepsOf(deps)
  const flows = deps
  const { version } = deps.health
  const routes: readonly Route[] = [
    ...healthRoutes({ ...deps.health, db: deps.db }),
    ...clientConfigRoutes(deps.client),
    ...runJobRoutes(enqueue),
    ...webhookRoutes(enqueue),
    ...jobListRoutes(deps),
    ...jobRoutes(deps),
    ...viewTokenRoutes(deps),
    ...publicJobRoutes(deps),
    ...flowRoutes(flows),
    ...flowRunRoutes(flows),
    ...approvalRoutes(deps),
    ...flowLinkRoutes(deps),
    ...publicFlowRoutes(flows),
    ...approvalPageRoutes(deps),
    ...workerRoutes(deps),
    ...appRoutes(deps),
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
    ...memberRoutes(deps),
    ...inviteRoutes(deps),
    ...sessionRoutes(deps),
    ...deviceRoutes(deps),
    ...userRoutes(deps),
    ...identityRoutes(deps),
    ...docsRoutes(() => routes, version),
  ]
  return routes
}
