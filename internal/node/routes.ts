/**
 * All routes of this binary with their handlers. The table of routes (route-table.gen.ts) has the address of each and who is
 * admitted. The handlers of a family, their schemas and use cases load at the family's first request: a node starts faster
 * and stays smaller without those that are never called.
 */
import type { OwnHosts } from '#core/function/own-hosts.ts'
import type { Git } from '#git/git.ts'
import type { ClientConfig } from '#http/handlers/client-config.ts'
import type { HealthDeps } from '#http/handlers/health.ts'
import type { SignInWays } from '#http/handlers/oidc.ts'
import { type LoadRoutes, lateRoutes } from '#http/late-routes.ts'
import type { Route } from '#http/route.ts'
import { ROUTE_TABLE, type RouteFamily } from '#http/route-table.gen.ts'
import type { Logger } from '#log/logger.ts'
import type { FetchDocument } from '#outbound/fetch-document.ts'
import type { LookUpTxt } from '#outbound/look-up-txt.ts'
import type { PdfReader } from '#pdf/reader-pool.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import type { LiveWorkers } from '#service/nodes/live-workers.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import type { DeliveryLog } from '#service/webhooks/delivery-log.ts'

export type RouteDeps = AllDeps &
  Readonly<{
    health: Omit<HealthDeps, 'db'>
    git: Git
    client: ClientConfig
    liveWorkers: LiveWorkers
    allWorkers?: LiveWorkers
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
  const byId = new Map<string, Route>()
  const loaders = loadersOf(deps, byId)
  const routes = ROUTE_TABLE.flatMap(([family, facts]) => lateRoutes(facts, loaders[family]))
  for (const route of routes) byId.set(route.operationId, route)
  return routes
}

type Loaders = Readonly<Record<RouteFamily, LoadRoutes>>

const loadersOf = (deps: RouteDeps, byId: ReadonlyMap<string, Route>): Loaders => {
  const enqueue = enqueueDepsOf(deps)
  return {
    health: async () =>
      (await import('#http/handlers/health.ts')).healthRoutes({ ...deps.health, db: deps.db }),
    clientConfig: async () =>
      (await import('#http/handlers/client-config.ts')).clientConfigRoutes(deps.client),
    runJob: async () =>
      (await import('#http/handlers/run-jobs.ts')).runJobRoutes({ ...deps, ...enqueue }),
    operation: async () =>
      (await import('#http/handlers/operations.ts')).operationRoutes({ ...deps, ...enqueue }),
    hook: async () => (await import('#http/handlers/hooks.ts')).hookRoutes({ ...deps, ...enqueue }),
    mcp: async () =>
      (await import('#http/handlers/mcp.ts')).mcpRoutes({
        ...deps,
        version: deps.client.version,
        routes: byId,
      }),
    webhook: async () =>
      (await import('#http/handlers/webhooks.ts')).webhookRoutes({ ...deps, ...enqueue }),
    jobList: async () => (await import('#http/handlers/job-lists.ts')).jobListRoutes(deps),
    job: async () => (await import('#http/handlers/jobs.ts')).jobRoutes(deps),
    viewToken: async () => (await import('#http/handlers/view-tokens.ts')).viewTokenRoutes(deps),
    publicJob: async () => (await import('#http/handlers/public-jobs.ts')).publicJobRoutes(deps),
    flow: async () => (await import('#http/handlers/flows.ts')).flowRoutes(deps),
    flowRun: async () => (await import('#http/handlers/flow-runs.ts')).flowRunRoutes(deps),
    approval: async () => (await import('#http/handlers/approvals.ts')).approvalRoutes(deps),
    event: async () =>
      (await import('#http/handlers/events.ts')).eventRoutes({ ...deps, ...enqueue }),
    flowLink: async () => (await import('#http/handlers/flow-links.ts')).flowLinkRoutes(deps),
    publicFlow: async () => (await import('#http/handlers/public-flows.ts')).publicFlowRoutes(deps),
    approvalPage: async () =>
      (await import('#http/handlers/approval-pages.ts')).approvalPageRoutes(deps),
    worker: async () => (await import('#http/handlers/workers.ts')).workerRoutes(deps),
    app: async () => (await import('#http/handlers/apps.ts')).appRoutes(deps),
    name: async () => (await import('#http/handlers/names.ts')).nameRoutes(deps),
    appHost: async () => (await import('#http/handlers/app-hosts.ts')).appHostRoutes(deps),
    function: async () => (await import('#http/handlers/functions.ts')).functionRoutes(deps),
    deployment: async () => (await import('#http/handlers/deployments.ts')).deploymentRoutes(deps),
    draft: async () => (await import('#http/handlers/drafts.ts')).draftRoutes(deps),
    gitSource: async () => (await import('#http/handlers/git-sources.ts')).gitSourceRoutes(deps),
    schedule: async () =>
      (await import('#http/handlers/schedules.ts')).scheduleRoutes({ ...deps, ...enqueue }),
    secret: async () => (await import('#http/handlers/secrets.ts')).secretRoutes(deps),
    state: async () => (await import('#http/handlers/state.ts')).stateRoutes(deps),
    token: async () => (await import('#http/handlers/tokens.ts')).tokenRoutes(deps),
    apiKey: async () => (await import('#http/handlers/api-keys.ts')).apiKeyRoutes(deps),
    relay: async () => (await import('#http/handlers/relay.ts')).relayRoutes(deps),
    consumer: async () => (await import('#http/handlers/consumers.ts')).consumerRoutes(deps),
    record: async () => (await import('#http/handlers/records.ts')).recordRoutes(deps),
    billing: async () => (await import('#http/handlers/billing.ts')).billingRoutes(deps),
    workflow: async () => (await import('#http/handlers/workflows.ts')).workflowRoutes(deps),
    documentParser: async () =>
      (await import('#http/handlers/document-parser.ts')).documentParserRoutes(deps),
    workspace: async () => (await import('#http/handlers/workspaces.ts')).workspaceRoutes(deps),
    notification: async () =>
      (await import('#http/handlers/notifications.ts')).notificationRoutes(deps),
    member: async () => (await import('#http/handlers/members.ts')).memberRoutes(deps),
    invite: async () => (await import('#http/handlers/invites.ts')).inviteRoutes(deps),
    session: async () => (await import('#http/handlers/sessions.ts')).sessionRoutes(deps),
    oidc: async () => (await import('#http/handlers/oidc.ts')).oidcRoutes(deps),
    device: async () => (await import('#http/handlers/device.ts')).deviceRoutes(deps),
    twoFactor: async () => (await import('#http/handlers/two-factor.ts')).twoFactorRoutes(deps),
    user: async () => (await import('#http/handlers/users.ts')).userRoutes(deps),
    identity: async () => (await import('#http/handlers/identity.ts')).identityRoutes(deps),
    doc: async () => (await import('#http/handlers/docs.ts')).docsRoutes(deps.health),
  }
}
