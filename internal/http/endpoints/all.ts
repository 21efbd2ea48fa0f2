/** All endpoints of svc. */
import type { Endpoints } from '../endpoint.ts'
import { apiKeyEndpoints } from './api-keys.ts'
import { appHostEndpoints } from './app-hosts.ts'
import { approvalPageEndpoints } from './approval-pages.ts'
import { approvalEndpoints } from './approvals.ts'
import { appEndpoints } from './apps.ts'
import { billingEndpoints } from './billing.ts'
import { clientConfigEndpoints } from './client-config.ts'
import { consumerEndpoints } from './consumers.ts'
import { deploymentEndpoints } from './deployments.ts'
import { deviceEndpoints } from './device.ts'
import { docEndpoints } from './docs.ts'
import { documentParserEndpoints } from './document-parser.ts'
import { draftEndpoints } from './drafts.ts'
import { eventEndpoints } from './events.ts'
import { flowLinkEndpoints } from './flow-links.ts'
import { flowRunEndpoints } from './flow-runs.ts'
import { flowEndpoints } from './flows.ts'
import { functionEndpoints } from './functions.ts'
import { gitSourceEndpoints } from './git-sources.ts'
import { healthEndpoints } from './health.ts'
import { hookEndpoints } from './hooks.ts'
import { identityEndpoints } from './identity.ts'
import { inviteEndpoints } from './invites.ts'
import { jobListEndpoints } from './job-lists.ts'
import { jobEndpoints } from './jobs.ts'
import { mcpEndpoints } from './mcp.ts'
import { memberEndpoints } from './members.ts'
import { nameEndpoints } from './names.ts'
import { notificationEndpoints } from './notifications.ts'
import { oidcEndpoints } from './oidc.ts'
import { operationEndpoints } from './operations.ts'
import { publicFlowEndpoints } from './public-flows.ts'
import { publicJobEndpoints } from './public-jobs.ts'
import { recordEndpoints } from './records.ts'
import { relayEndpoints } from './relay.ts'
import { runJobEndpoints } from './run-jobs.ts'
import { scheduleEndpoints } from './schedules.ts'
import { secretEndpoints } from './secrets.ts'
import { sessionEndpoints } from './sessions.ts'
import { stateEndpoints } from './state.ts'
import { tokenEndpoints } from './tokens.ts'
import { twoFactorEndpoints } from './two-factor.ts'
import { userEndpoints } from './users.ts'
import { viewTokenEndpoints } from './view-tokens.ts'
import { webhookEndpoints } from './webhooks.ts'
import { workerEndpoints } from './workers.ts'
import { workflowEndpoints } from './workflows.ts'
import { workspaceEndpoints } from './workspaces.ts'

/** The endpoints of each file, in the order of the OpenAPI document. */
export const endpointFamilies = {
  health: healthEndpoints,
  clientConfig: clientConfigEndpoints,
  runJob: runJobEndpoints,
  operation: operationEndpoints,
  hook: hookEndpoints,
  mcp: mcpEndpoints,
  webhook: webhookEndpoints,
  jobList: jobListEndpoints,
  job: jobEndpoints,
  viewToken: viewTokenEndpoints,
  publicJob: publicJobEndpoints,
  flow: flowEndpoints,
  flowRun: flowRunEndpoints,
  approval: approvalEndpoints,
  event: eventEndpoints,
  flowLink: flowLinkEndpoints,
  publicFlow: publicFlowEndpoints,
  approvalPage: approvalPageEndpoints,
  worker: workerEndpoints,
  app: appEndpoints,
  name: nameEndpoints,
  appHost: appHostEndpoints,
  function: functionEndpoints,
  deployment: deploymentEndpoints,
  draft: draftEndpoints,
  gitSource: gitSourceEndpoints,
  schedule: scheduleEndpoints,
  secret: secretEndpoints,
  state: stateEndpoints,
  token: tokenEndpoints,
  apiKey: apiKeyEndpoints,
  relay: relayEndpoints,
  consumer: consumerEndpoints,
  record: recordEndpoints,
  billing: billingEndpoints,
  workflow: workflowEndpoints,
  documentParser: documentParserEndpoints,
  workspace: workspaceEndpoints,
  notification: notificationEndpoints,
  member: memberEndpoints,
  invite: inviteEndpoints,
  session: sessionEndpoints,
  oidc: oidcEndpoints,
  device: deviceEndpoints,
  twoFactor: twoFactorEndpoints,
  user: userEndpoints,
  identity: identityEndpoints,
  doc: docEndpoints,
} satisfies Readonly<Record<string, Endpoints>>

/** By operationId. */
export const allEndpoints: Endpoints = Object.assign({}, ...Object.values(endpointFamilies))
